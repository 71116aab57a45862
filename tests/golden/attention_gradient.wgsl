// attention_gradient: attention_grad[1536] = AttentionGradient Form(batch=1, groups=2, shared=1,
// queries=16, keys=16, dim=16, scale=0.25, before=16): q = operand0[d+16*g+32*i]; k =
// operand1[d+16*g+32*j]; v = operand2[d+16*g+32*j]; grad = 1.0; lse = operand3[16*g+i+512]; delta
// = operand4[16*g+i]

@group(0) @binding(0) var<storage, read_write> operand0: array<f32>;  // 512 elements
@group(0) @binding(1) var<storage, read_write> operand1: array<f32>;  // 512 elements
@group(0) @binding(2) var<storage, read_write> operand2: array<f32>;  // 512 elements
@group(0) @binding(3) var<storage, read_write> operand3: array<f32>;  // 544 elements
@group(0) @binding(4) var<storage, read_write> operand4: array<f32>;  // 32 elements
@group(0) @binding(5) var<storage, read_write> result: array<f32>;  // 1536 elements
var<workgroup> scratch0: array<f32, 256>;
var<workgroup> scratch1: array<f32, 256>;

fn from_bits(constant: u32) -> f32 {
    var bits = constant;
    return bitcast<f32>(bits);
}

var<private> unknown_zeros: vec2<u32>;

fn rounded_apart(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ unknown_zeros.y);
}

fn rounded(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ unknown_zeros.x);
}

fn scale2(x: f32, n: f32) -> f32 {
    return x * bitcast<f32>((bitcast<u32>(n + 12582912.0) << 23u) + 0x3f800000u);
}

fn exp_(x0: f32) -> f32 {
    let t0 = select(x0, -87.6, (-87.6) > x0);
    let t1 = select(t0, 89.0, t0 > 89.0);
    let t2 = round(t1 * 1.442695);
    let t3 = rounded(rounded(t1) - (t2 * 0.6933594)) - (t2 * (-0.00021219444));
    let t4 = t3 * t3;
    let t5 = 1.0 + (t3 + (t4 * ((((((0.00019903915 * t3) + 0.0013928546) * t4) + ((0.008333293 * t3) + 0.041666538)) * t4) + ((0.16666667 * t3) + 0.5))));
    return scale2(t5 + t5, rounded(t2) - 1.0);
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    unknown_zeros = group.xy >> vec2(31u);
    let lane = i32(invocation);
    let task = i32(group.x);
    if (task < 8) {
        var sums_0_0: f32 = 0.0;
        var sums_1_0: f32 = 0.0;
        var sums_2_0: f32 = 0.0;
        var sums_3_0: f32 = 0.0;
        for (var chunk = 0; chunk < min(1, 1); chunk++) {
            var score_0: f32 = 0.0;
            var score_1: f32 = 0.0;
            var score_2: f32 = 0.0;
            var score_3: f32 = 0.0;
            for (var d = 0; d < 16; d++) {
                var other: f32 = 0.0;
                if (lane < 16) {
                    let n1 = task / 4;
                    let n2 = n1 % 2;
                    var r3 = 0.0;
                    if (lane < 16) { r3 = operand1[n2 * 16 + d + lane * 32]; }
                    other = r3;
                }
                let n5 = task / 4;
                let n6 = n5 % 2;
                let n7 = task % 4;
                score_0 = score_0 + (operand0[n6 * 16 + n7 * 128 + d] * other);
                score_1 = score_1 + (operand0[n6 * 16 + n7 * 128 + d + 32] * other);
                score_2 = score_2 + (operand0[n6 * 16 + n7 * 128 + d + 64] * other);
                score_3 = score_3 + (operand0[n6 * 16 + n7 * 128 + d + 96] * other);
            }
            var product_0: f32 = 0.0;
            var product_1: f32 = 0.0;
            var product_2: f32 = 0.0;
            var product_3: f32 = 0.0;
            for (var d = 0; d < 16; d++) {
                var other: f32 = 0.0;
                if (lane < 16) {
                    let n12 = task / 4;
                    let n13 = n12 % 2;
                    var r14 = 0.0;
                    if (lane < 16) { r14 = operand2[n13 * 16 + d + lane * 32]; }
                    other = r14;
                }
                product_0 = product_0 + (1.0 * other);
                product_1 = product_1 + (1.0 * other);
                product_2 = product_2 + (1.0 * other);
                product_3 = product_3 + (1.0 * other);
            }
            let n20 = task % 4;
            let n21 = task / 4;
            let n22 = n21 % 2;
            var r23 = 0.0;
            if ((lane < 16) & ((n20 * 4 - lane) >= 0)) { r23 = operand3[n22 * 16 + n20 * 4 + 512]; }
            score_0 = select(0.0, select(0.0, select(0.0, select(0.0, exp_(rounded((score_0 * 0.25) - rounded_apart(select(r23, 0.0, r23 == from_bits(0xff800000u))))), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, (n20 * 4 - lane) >= 0) == 0.0)), !(select(0.0, 1.0, (n20 * 4 - lane) >= 0) == 0.0));
            var r25 = 0.0;
            if ((lane < 16) & ((n20 * 4 - lane + 1) >= 0)) { r25 = operand3[n22 * 16 + n20 * 4 + 513]; }
            score_1 = select(0.0, select(0.0, select(0.0, select(0.0, exp_(rounded((score_1 * 0.25) - rounded_apart(select(r25, 0.0, r25 == from_bits(0xff800000u))))), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, (n20 * 4 - lane + 1) >= 0) == 0.0)), !(select(0.0, 1.0, (n20 * 4 - lane + 1) >= 0) == 0.0));
            var r27 = 0.0;
            if ((lane < 16) & ((n20 * 4 - lane + 2) >= 0)) { r27 = operand3[n22 * 16 + n20 * 4 + 514]; }
            score_2 = select(0.0, select(0.0, select(0.0, select(0.0, exp_(rounded((score_2 * 0.25) - rounded_apart(select(r27, 0.0, r27 == from_bits(0xff800000u))))), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, (n20 * 4 - lane + 2) >= 0) == 0.0)), !(select(0.0, 1.0, (n20 * 4 - lane + 2) >= 0) == 0.0));
            var r29 = 0.0;
            if ((lane < 16) & ((n20 * 4 - lane + 3) >= 0)) { r29 = operand3[n22 * 16 + n20 * 4 + 515]; }
            score_3 = select(0.0, select(0.0, select(0.0, select(0.0, exp_(rounded((score_3 * 0.25) - rounded_apart(select(r29, 0.0, r29 == from_bits(0xff800000u))))), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, (n20 * 4 - lane + 3) >= 0) == 0.0)), !(select(0.0, 1.0, (n20 * 4 - lane + 3) >= 0) == 0.0));
            workgroupBarrier();
            scratch0[lane] = score_0;
            scratch1[lane] = rounded(score_0 * rounded_apart(product_0 - operand4[n22 * 16 + n20 * 4])) * 0.25;
            scratch0[lane + 64] = score_1;
            scratch1[lane + 64] = rounded(score_1 * rounded_apart(product_1 - operand4[n22 * 16 + n20 * 4 + 1])) * 0.25;
            scratch0[lane + 128] = score_2;
            scratch1[lane + 128] = rounded(score_2 * rounded_apart(product_2 - operand4[n22 * 16 + n20 * 4 + 2])) * 0.25;
            scratch0[lane + 192] = score_3;
            scratch1[lane + 192] = rounded(score_3 * rounded_apart(product_3 - operand4[n22 * 16 + n20 * 4 + 3])) * 0.25;
            workgroupBarrier();
            for (var other_key = 0; other_key < min(16, 64); other_key++) {
                {
                    var value: f32 = 0.0;
                    if (lane < 16) {
                        var r39 = 0.0;
                        if (other_key < 16) { r39 = operand1[n22 * 16 + lane + other_key * 32]; }
                        value = r39;
                    }
                    sums_0_0 = sums_0_0 + (scratch1[other_key] * value);
                    sums_1_0 = sums_1_0 + (scratch1[other_key + 64] * value);
                    sums_2_0 = sums_2_0 + (scratch1[other_key + 128] * value);
                    sums_3_0 = sums_3_0 + (scratch1[other_key + 192] * value);
                }
            }
        }
        if (lane < 16) {
            let n46 = task / 4;
            let n47 = n46 % 2;
            let n48 = n46 / 2;
            let n49 = task % 4;
            result[n47 * 16 + n48 * 512 + n49 * 128 + lane] = sums_0_0;
        }
        if (lane < 16) {
            let n51 = task / 4;
            let n52 = n51 % 2;
            let n53 = n51 / 2;
            let n54 = task % 4;
            result[n52 * 16 + n53 * 512 + n54 * 128 + lane + 32] = sums_1_0;
        }
        if (lane < 16) {
            let n56 = task / 4;
            let n57 = n56 % 2;
            let n58 = n56 / 2;
            let n59 = task % 4;
            result[n57 * 16 + n58 * 512 + n59 * 128 + lane + 64] = sums_2_0;
        }
        if (lane < 16) {
            let n61 = task / 4;
            let n62 = n61 % 2;
            let n63 = n61 / 2;
            let n64 = task % 4;
            result[n62 * 16 + n63 * 512 + n64 * 128 + lane + 96] = sums_3_0;
        }
    } else {
        var key_sums_0_0: f32 = 0.0;
        var key_sums_1_0: f32 = 0.0;
        var key_sums_2_0: f32 = 0.0;
        var key_sums_3_0: f32 = 0.0;
        var value_sums_0_0: f32 = 0.0;
        var value_sums_1_0: f32 = 0.0;
        var value_sums_2_0: f32 = 0.0;
        var value_sums_3_0: f32 = 0.0;
        workgroupBarrier();
        {
            var score_0: f32 = 0.0;
            var score_1: f32 = 0.0;
            var score_2: f32 = 0.0;
            var score_3: f32 = 0.0;
            for (var d = 0; d < 16; d++) {
                var other: f32 = 0.0;
                if (lane < 16) {
                    let n65 = task / 4;
                    let n66 = n65 % 2;
                    var r67 = 0.0;
                    if (lane < 16) { r67 = operand0[n66 * 16 + d + lane * 32]; }
                    other = r67;
                }
                let n69 = task / 4;
                let n70 = n69 % 2;
                let n71 = task % 4;
                score_0 = score_0 + (operand1[n70 * 16 + n71 * 128 + d] * other);
                score_1 = score_1 + (operand1[n70 * 16 + n71 * 128 + d + 32] * other);
                score_2 = score_2 + (operand1[n70 * 16 + n71 * 128 + d + 64] * other);
                score_3 = score_3 + (operand1[n70 * 16 + n71 * 128 + d + 96] * other);
            }
            var product_0: f32 = 0.0;
            var product_1: f32 = 0.0;
            var product_2: f32 = 0.0;
            var product_3: f32 = 0.0;
            for (var d = 0; d < 16; d++) {
                var other: f32 = 0.0;
                if (lane < 16) {
                    other = select(0.0, 1.0, !(select(0.0, 1.0, lane < 16) == 0.0));
                }
                let n77 = task / 4;
                let n78 = n77 % 2;
                let n79 = task % 4;
                product_0 = product_0 + (operand2[n78 * 16 + n79 * 128 + d] * other);
                product_1 = product_1 + (operand2[n78 * 16 + n79 * 128 + d + 32] * other);
                product_2 = product_2 + (operand2[n78 * 16 + n79 * 128 + d + 64] * other);
                product_3 = product_3 + (operand2[n78 * 16 + n79 * 128 + d + 96] * other);
            }
            let n84 = task % 4;
            let n85 = task / 4;
            let n86 = n85 % 2;
            var r87 = 0.0;
            if ((lane < 16) & ((-n84 * 4 + lane) >= 0) & ((-n84 * 4 + lane) < 17)) { r87 = operand3[n86 * 16 + lane + 512]; }
            score_0 = select(0.0, select(0.0, select(0.0, select(0.0, exp_(rounded((score_0 * 0.25) - rounded_apart(select(r87, 0.0, r87 == from_bits(0xff800000u))))), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, ((-n84 * 4 + lane) >= 0) & ((-n84 * 4 + lane) < 17)) == 0.0)), !(select(0.0, 1.0, ((-n84 * 4 + lane) >= 0) & ((-n84 * 4 + lane) < 17)) == 0.0));
            var r89 = 0.0;
            if ((lane < 16) & ((-n84 * 4 + lane - 1) >= 0) & ((-n84 * 4 + lane - 1) < 17)) { r89 = operand3[n86 * 16 + lane + 512]; }
            score_1 = select(0.0, select(0.0, select(0.0, select(0.0, exp_(rounded((score_1 * 0.25) - rounded_apart(select(r89, 0.0, r89 == from_bits(0xff800000u))))), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, ((-n84 * 4 + lane - 1) >= 0) & ((-n84 * 4 + lane - 1) < 17)) == 0.0)), !(select(0.0, 1.0, ((-n84 * 4 + lane - 1) >= 0) & ((-n84 * 4 + lane - 1) < 17)) == 0.0));
            var r91 = 0.0;
            if ((lane < 16) & ((-n84 * 4 + lane - 2) >= 0) & ((-n84 * 4 + lane - 2) < 17)) { r91 = operand3[n86 * 16 + lane + 512]; }
            score_2 = select(0.0, select(0.0, select(0.0, select(0.0, exp_(rounded((score_2 * 0.25) - rounded_apart(select(r91, 0.0, r91 == from_bits(0xff800000u))))), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, ((-n84 * 4 + lane - 2) >= 0) & ((-n84 * 4 + lane - 2) < 17)) == 0.0)), !(select(0.0, 1.0, ((-n84 * 4 + lane - 2) >= 0) & ((-n84 * 4 + lane - 2) < 17)) == 0.0));
            var r93 = 0.0;
            if ((lane < 16) & ((-n84 * 4 + lane - 3) >= 0) & ((-n84 * 4 + lane - 3) < 17)) { r93 = operand3[n86 * 16 + lane + 512]; }
            score_3 = select(0.0, select(0.0, select(0.0, select(0.0, exp_(rounded((score_3 * 0.25) - rounded_apart(select(r93, 0.0, r93 == from_bits(0xff800000u))))), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, ((-n84 * 4 + lane - 3) >= 0) & ((-n84 * 4 + lane - 3) < 17)) == 0.0)), !(select(0.0, 1.0, ((-n84 * 4 + lane - 3) >= 0) & ((-n84 * 4 + lane - 3) < 17)) == 0.0));
            workgroupBarrier();
            scratch0[lane] = score_0;
            var r96 = 0.0;
            if (lane < 16) { r96 = operand4[n86 * 16 + lane]; }
            scratch1[lane] = rounded(score_0 * rounded_apart(product_0 - r96)) * 0.25;
            scratch0[lane + 64] = score_1;
            var r99 = 0.0;
            if (lane < 16) { r99 = operand4[n86 * 16 + lane]; }
            scratch1[lane + 64] = rounded(score_1 * rounded_apart(product_1 - r99)) * 0.25;
            scratch0[lane + 128] = score_2;
            var r102 = 0.0;
            if (lane < 16) { r102 = operand4[n86 * 16 + lane]; }
            scratch1[lane + 128] = rounded(score_2 * rounded_apart(product_2 - r102)) * 0.25;
            scratch0[lane + 192] = score_3;
            var r105 = 0.0;
            if (lane < 16) { r105 = operand4[n86 * 16 + lane]; }
            scratch1[lane + 192] = rounded(score_3 * rounded_apart(product_3 - r105)) * 0.25;
            workgroupBarrier();
            for (var other_query = 0; other_query < min(16, 64); other_query++) {
                {
                    var value: f32 = 0.0;
                    if (lane < 16) {
                        var r107 = 0.0;
                        if (other_query < 16) { r107 = operand0[n86 * 16 + lane + other_query * 32]; }
                        value = r107;
                    }
                    key_sums_0_0 = key_sums_0_0 + (scratch1[other_query] * value);
                    key_sums_1_0 = key_sums_1_0 + (scratch1[other_query + 64] * value);
                    key_sums_2_0 = key_sums_2_0 + (scratch1[other_query + 128] * value);
                    key_sums_3_0 = key_sums_3_0 + (scratch1[other_query + 192] * value);
                }
            }
            for (var other_query = 0; other_query < min(16, 64); other_query++) {
                {
                    var value: f32 = 0.0;
                    if (lane < 16) {
                        value = select(0.0, 1.0, !(select(0.0, 1.0, other_query < 16) == 0.0));
                    }
                    value_sums_0_0 = value_sums_0_0 + (scratch0[other_query] * value);
                    value_sums_1_0 = value_sums_1_0 + (scratch0[other_query + 64] * value);
                    value_sums_2_0 = value_sums_2_0 + (scratch0[other_query + 128] * value);
                    value_sums_3_0 = value_sums_3_0 + (scratch0[other_query + 192] * value);
                }
            }
        }
        if (lane < 16) {
            let n119 = task / 4;
            let n120 = n119 % 2;
            let n121 = n119 / 2;
            let n122 = task % 4;
            result[n120 * 16 + n121 * 512 + n122 * 128 + lane] = key_sums_0_0;
        }
        if (lane < 16) {
            let n124 = task / 4;
            let n125 = n124 % 2;
            let n126 = n124 / 2;
            let n127 = task % 4;
            result[n125 * 16 + n126 * 512 + n127 * 128 + lane + 32] = key_sums_1_0;
        }
        if (lane < 16) {
            let n129 = task / 4;
            let n130 = n129 % 2;
            let n131 = n129 / 2;
            let n132 = task % 4;
            result[n130 * 16 + n131 * 512 + n132 * 128 + lane + 64] = key_sums_2_0;
        }
        if (lane < 16) {
            let n134 = task / 4;
            let n135 = n134 % 2;
            let n136 = n134 / 2;
            let n137 = task % 4;
            result[n135 * 16 + n136 * 512 + n137 * 128 + lane + 96] = key_sums_3_0;
        }
        if (lane < 16) {
            let n139 = task / 4;
            let n140 = n139 % 2;
            let n141 = n139 / 2;
            let n142 = task % 4;
            result[n140 * 16 + n141 * 512 + n142 * 128 + lane + 512] = value_sums_0_0;
        }
        if (lane < 16) {
            let n144 = task / 4;
            let n145 = n144 % 2;
            let n146 = n144 / 2;
            let n147 = task % 4;
            result[n145 * 16 + n146 * 512 + n147 * 128 + lane + 544] = value_sums_1_0;
        }
        if (lane < 16) {
            let n149 = task / 4;
            let n150 = n149 % 2;
            let n151 = n149 / 2;
            let n152 = task % 4;
            result[n150 * 16 + n151 * 512 + n152 * 128 + lane + 576] = value_sums_2_0;
        }
        if (lane < 16) {
            let n154 = task / 4;
            let n155 = n154 % 2;
            let n156 = n154 / 2;
            let n157 = task % 4;
            result[n155 * 16 + n156 * 512 + n157 * 128 + lane + 608] = value_sums_3_0;
        }
    }
}
