// attention: attention[544] = Attention Form(batch=1, groups=2, shared=1, queries=16, keys=16,
// dim=16, scale=0.25, before=16): q = operand0[d+16*g+32*i]; k = operand1[d+16*g+32*j]; v =
// operand2[d+16*g+32*j]

@group(0) @binding(0) var<storage, read_write> operand0: array<f32>;  // 512 elements
@group(0) @binding(1) var<storage, read_write> operand1: array<f32>;  // 512 elements
@group(0) @binding(2) var<storage, read_write> operand2: array<f32>;  // 512 elements
@group(0) @binding(3) var<storage, read_write> result: array<f32>;  // 544 elements
var<workgroup> scratch0: array<f32, 256>;
var<workgroup> combined: array<f32, 64>;

fn from_bits(constant: u32) -> f32 {
    var bits = constant;
    return bitcast<f32>(bits);
}

fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn larger(x: f32, y: f32) -> f32 {
    return select(max(x, y), from_bits(0x7fc00000u), is_nan(x) || is_nan(y));
}

var<private> unknown_zeros: vec2<u32>;

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

fn rounded_apart(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ unknown_zeros.y);
}

fn exponent2(x: f32) -> f32 {
    return f32((bitcast<i32>(x) - 0x3f3504f3) >> 23u);
}

fn log_(x0: f32) -> f32 {
    let t0 = select(select(x0, x0 * 0.25, x0 > 1e+38), x0 * 8388608.0, 1.1754944e-38 > x0);
    let t1 = exponent2(t0);
    let t2 = rounded(scale2(t0, -t1)) - 1.0;
    let t3 = t2 * t2;
    let t4 = t1 + select(select(0.0, 2.0, x0 > 1e+38), -23.0, 1.1754944e-38 > x0);
    return select(select(x0, select(select((t2 + (rounded(((t3 * t2) * ((((((((0.069176555 * t3) + (((-0.11779658) * t2) + 0.11866187)) * t3) + (((-0.12385809) * t2) + 0.14219898)) * t3) + (((-0.16669196) * t2) + 0.20002152)) * t3) + (((-0.24999987) * t2) + 0.3333331))) + (t4 * (-0.00021219444))) - (0.5 * t3))) + (t4 * 0.6933594), from_bits(0x7f800000u), x0 == from_bits(0x7f800000u)), from_bits(0xff800000u), x0 == 0.0), !is_nan(x0)), from_bits(0x7fc00000u), 0.0 > x0);
}

fn max_over_lanes(x: f32, lane: i32) -> f32 {
    combined[lane] = x;
    workgroupBarrier();
    for (var width = 32; width > 0; width /= 2) {
        if (lane < width) {
            combined[lane] = larger(combined[lane], combined[lane + width]);
        }
        workgroupBarrier();
    }
    let result = combined[0];
    workgroupBarrier();
    return result;
}

fn sum_over_lanes(x: f32, lane: i32) -> f32 {
    combined[lane] = x;
    workgroupBarrier();
    for (var width = 32; width > 0; width /= 2) {
        if (lane < width) {
            combined[lane] = combined[lane] + combined[lane + width];
        }
        workgroupBarrier();
    }
    let result = combined[0];
    workgroupBarrier();
    return result;
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    unknown_zeros = group.xy >> vec2(31u);
    let lane = i32(invocation);
    let task = i32(group.x);
    var largest_0: f32 = from_bits(0xff800000u);
    var largest_1: f32 = from_bits(0xff800000u);
    var largest_2: f32 = from_bits(0xff800000u);
    var largest_3: f32 = from_bits(0xff800000u);
    var total_0: f32 = 0.0;
    var total_1: f32 = 0.0;
    var total_2: f32 = 0.0;
    var total_3: f32 = 0.0;
    var mixed_0_0: f32 = 0.0;
    var mixed_1_0: f32 = 0.0;
    var mixed_2_0: f32 = 0.0;
    var mixed_3_0: f32 = 0.0;
    for (var chunk = 0; chunk < min(1, 1); chunk++) {
        var score_0: f32 = 0.0;
        var score_1: f32 = 0.0;
        var score_2: f32 = 0.0;
        var score_3: f32 = 0.0;
        for (var d = 0; d < 16; d++) {
            var other: f32 = 0.0;
            if (lane < 16) {
                let n1 = task / 4;
                other = operand1[n1 * 16 + d + lane * 32];
            }
            let n3 = task % 4;
            let n4 = task / 4;
            score_0 = score_0 + (operand0[n3 * 128 + n4 * 16 + d] * other);
            score_1 = score_1 + (operand0[n3 * 128 + n4 * 16 + d + 32] * other);
            score_2 = score_2 + (operand0[n3 * 128 + n4 * 16 + d + 64] * other);
            score_3 = score_3 + (operand0[n3 * 128 + n4 * 16 + d + 96] * other);
        }
        workgroupBarrier();
        {
            let n9 = task % 4;
            score_0 = select(from_bits(0xff800000u), select(0.0, select(from_bits(0xff800000u), select(0.0, score_0 * 0.25, !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, (n9 * 4 - lane) >= 0) == 0.0)), !(select(0.0, 1.0, (n9 * 4 - lane) >= 0) == 0.0));
            var most: f32 = 0.0;
            most = max_over_lanes(score_0, lane);
            most = larger(most, largest_0);
            var base: f32 = 0.0;
            base = select(most, 0.0, most == from_bits(0xff800000u));
            var shrink: f32 = 0.0;
            shrink = exp_(rounded(largest_0 - base));
            score_0 = exp_(rounded(score_0 - base));
            scratch0[lane] = score_0;
            var part_sum: f32 = 0.0;
            part_sum = sum_over_lanes(score_0, lane);
            total_0 = (total_0 * shrink) + part_sum;
            largest_0 = most;
            mixed_0_0 = mixed_0_0 * shrink;
        }
        {
            let n19 = task % 4;
            score_1 = select(from_bits(0xff800000u), select(0.0, select(from_bits(0xff800000u), select(0.0, score_1 * 0.25, !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, (n19 * 4 - lane + 1) >= 0) == 0.0)), !(select(0.0, 1.0, (n19 * 4 - lane + 1) >= 0) == 0.0));
            var most: f32 = 0.0;
            most = max_over_lanes(score_1, lane);
            most = larger(most, largest_1);
            var base: f32 = 0.0;
            base = select(most, 0.0, most == from_bits(0xff800000u));
            var shrink: f32 = 0.0;
            shrink = exp_(rounded(largest_1 - base));
            score_1 = exp_(rounded(score_1 - base));
            scratch0[lane + 64] = score_1;
            var part_sum: f32 = 0.0;
            part_sum = sum_over_lanes(score_1, lane);
            total_1 = (total_1 * shrink) + part_sum;
            largest_1 = most;
            mixed_1_0 = mixed_1_0 * shrink;
        }
        {
            let n29 = task % 4;
            score_2 = select(from_bits(0xff800000u), select(0.0, select(from_bits(0xff800000u), select(0.0, score_2 * 0.25, !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, (n29 * 4 - lane + 2) >= 0) == 0.0)), !(select(0.0, 1.0, (n29 * 4 - lane + 2) >= 0) == 0.0));
            var most: f32 = 0.0;
            most = max_over_lanes(score_2, lane);
            most = larger(most, largest_2);
            var base: f32 = 0.0;
            base = select(most, 0.0, most == from_bits(0xff800000u));
            var shrink: f32 = 0.0;
            shrink = exp_(rounded(largest_2 - base));
            score_2 = exp_(rounded(score_2 - base));
            scratch0[lane + 128] = score_2;
            var part_sum: f32 = 0.0;
            part_sum = sum_over_lanes(score_2, lane);
            total_2 = (total_2 * shrink) + part_sum;
            largest_2 = most;
            mixed_2_0 = mixed_2_0 * shrink;
        }
        {
            let n39 = task % 4;
            score_3 = select(from_bits(0xff800000u), select(0.0, select(from_bits(0xff800000u), select(0.0, score_3 * 0.25, !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, lane < 16) == 0.0)), !(select(0.0, 1.0, (n39 * 4 - lane + 3) >= 0) == 0.0)), !(select(0.0, 1.0, (n39 * 4 - lane + 3) >= 0) == 0.0));
            var most: f32 = 0.0;
            most = max_over_lanes(score_3, lane);
            most = larger(most, largest_3);
            var base: f32 = 0.0;
            base = select(most, 0.0, most == from_bits(0xff800000u));
            var shrink: f32 = 0.0;
            shrink = exp_(rounded(largest_3 - base));
            score_3 = exp_(rounded(score_3 - base));
            scratch0[lane + 192] = score_3;
            var part_sum: f32 = 0.0;
            part_sum = sum_over_lanes(score_3, lane);
            total_3 = (total_3 * shrink) + part_sum;
            largest_3 = most;
            mixed_3_0 = mixed_3_0 * shrink;
        }
        for (var other_key = 0; other_key < min(16, 64); other_key++) {
            {
                var value: f32 = 0.0;
                if (lane < 16) {
                    let n49 = task / 4;
                    value = operand2[n49 * 16 + lane + other_key * 32];
                }
                mixed_0_0 = mixed_0_0 + (scratch0[other_key] * value);
                mixed_1_0 = mixed_1_0 + (scratch0[other_key + 64] * value);
                mixed_2_0 = mixed_2_0 + (scratch0[other_key + 128] * value);
                mixed_3_0 = mixed_3_0 + (scratch0[other_key + 192] * value);
            }
        }
    }
    if (lane < 16) {
        let n56 = task % 4;
        let n57 = task / 4;
        result[n56 * 128 + n57 * 16 + lane] = mixed_0_0 * rounded_apart(1.0 / rounded_apart(select(total_0, 1.0, total_0 == 0.0)));
    }
    if (lane < 16) {
        let n59 = task % 4;
        let n60 = task / 4;
        result[n59 * 128 + n60 * 16 + lane + 32] = mixed_1_0 * rounded_apart(1.0 / rounded_apart(select(total_1, 1.0, total_1 == 0.0)));
    }
    if (lane < 16) {
        let n62 = task % 4;
        let n63 = task / 4;
        result[n62 * 128 + n63 * 16 + lane + 64] = mixed_2_0 * rounded_apart(1.0 / rounded_apart(select(total_2, 1.0, total_2 == 0.0)));
    }
    if (lane < 16) {
        let n65 = task % 4;
        let n66 = task / 4;
        result[n65 * 128 + n66 * 16 + lane + 96] = mixed_3_0 * rounded_apart(1.0 / rounded_apart(select(total_3, 1.0, total_3 == 0.0)));
    }
    if (lane == 0) {
        result[task * 4 + 512] = rounded(select(largest_0, 0.0, largest_0 == from_bits(0xff800000u))) + rounded_apart(log_(total_0));
    }
    if (lane == 0) {
        result[task * 4 + 513] = rounded(select(largest_1, 0.0, largest_1 == from_bits(0xff800000u))) + rounded_apart(log_(total_1));
    }
    if (lane == 0) {
        result[task * 4 + 514] = rounded(select(largest_2, 0.0, largest_2 == from_bits(0xff800000u))) + rounded_apart(log_(total_2));
    }
    if (lane == 0) {
        result[task * 4 + 515] = rounded(select(largest_3, 0.0, largest_3 == from_bits(0xff800000u))) + rounded_apart(log_(total_3));
    }
}
