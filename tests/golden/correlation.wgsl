// correlation: conv2d_grad_weight[6, 4, 3, 3] = correlation 2×4→6 Window(size=(6, 10), out=(6,
// 10), kernel=(3, 3), stride=(1, 1), dilation=(1, 1), padding=(1, 1)): operand0[60*c+10*h+240*n+w]
// · 1.0

@group(0) @binding(0) var<storage, read_write> operand0: array<f32>;  // 480 elements
@group(0) @binding(1) var<storage, read_write> result: array<f32>;  // 216 elements
var<workgroup> scratch0: array<f32, 512>;
var<workgroup> scratch1: array<f32, 512>;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let lane = i32(invocation);
    let task = i32(group.x);
    var sums_0_0: f32 = 0.0;
    var sums_0_1: f32 = 0.0;
    var sums_0_2: f32 = 0.0;
    var sums_0_3: f32 = 0.0;
    var sums_1_0: f32 = 0.0;
    var sums_1_1: f32 = 0.0;
    var sums_1_2: f32 = 0.0;
    var sums_1_3: f32 = 0.0;
    var sums_2_0: f32 = 0.0;
    var sums_2_1: f32 = 0.0;
    var sums_2_2: f32 = 0.0;
    var sums_2_3: f32 = 0.0;
    var sums_3_0: f32 = 0.0;
    var sums_3_1: f32 = 0.0;
    var sums_3_2: f32 = 0.0;
    var sums_3_3: f32 = 0.0;
    for (var slice = 0; slice < 8; slice++) {
        workgroupBarrier();
        let n1 = lane % 8;
        scratch0[lane * 4] = select(0.0, 1.0, !(select(0.0, 1.0, (n1 * 4) < 6) == 0.0));
        scratch0[lane * 4 + 1] = select(0.0, 1.0, !(select(0.0, 1.0, (n1 * 4 + 1) < 6) == 0.0));
        scratch0[lane * 4 + 2] = select(0.0, 1.0, !(select(0.0, 1.0, (n1 * 4 + 2) < 6) == 0.0));
        scratch0[lane * 4 + 3] = select(0.0, 1.0, !(select(0.0, 1.0, (n1 * 4 + 3) < 6) == 0.0));
        let n6 = lane / 8;
        scratch0[lane * 4 + 256] = select(0.0, select(0.0, 1.0, !(select(0.0, 1.0, (n1 * 4) < 6) == 0.0)), !(select(0.0, 1.0, (n6 + slice * 16 + 8) < 120) == 0.0));
        scratch0[lane * 4 + 257] = select(0.0, select(0.0, 1.0, !(select(0.0, 1.0, (n1 * 4 + 1) < 6) == 0.0)), !(select(0.0, 1.0, (n6 + slice * 16 + 8) < 120) == 0.0));
        scratch0[lane * 4 + 258] = select(0.0, select(0.0, 1.0, !(select(0.0, 1.0, (n1 * 4 + 2) < 6) == 0.0)), !(select(0.0, 1.0, (n6 + slice * 16 + 8) < 120) == 0.0));
        scratch0[lane * 4 + 259] = select(0.0, select(0.0, 1.0, !(select(0.0, 1.0, (n1 * 4 + 3) < 6) == 0.0)), !(select(0.0, 1.0, (n6 + slice * 16 + 8) < 120) == 0.0));
        let n11 = (n6 + slice * 16) / 10;
        let n12 = n11 % 6;
        let n13 = (n1 * 4 + task * 32) / 3;
        let n14 = n13 % 3;
        let n15 = (n6 + slice * 16) % 10;
        let n16 = (n1 * 4 + task * 32) % 3;
        let n17 = n11 / 6;
        let n18 = n13 / 3;
        var r19 = 0.0;
        if (((n12 + n14 - 1) >= 0) & ((n12 + n14 - 1) < 6) & ((n15 + n16 - 1) >= 0) & ((n15 + n16 - 1) < 10) & ((n1 * 4 + task * 32) < 36)) { r19 = operand0[n12 * 10 + n17 * 240 + n14 * 10 + n18 * 60 + n15 + n16 - 11]; }
        scratch1[lane * 4] = r19;
        let n21 = (n1 * 4 + task * 32 + 1) / 3;
        let n22 = n21 % 3;
        let n23 = (n1 * 4 + task * 32 + 1) % 3;
        let n24 = n21 / 3;
        var r25 = 0.0;
        if (((n12 + n22 - 1) >= 0) & ((n12 + n22 - 1) < 6) & ((n15 + n23 - 1) >= 0) & ((n15 + n23 - 1) < 10) & ((n1 * 4 + task * 32 + 1) < 36)) { r25 = operand0[n12 * 10 + n17 * 240 + n22 * 10 + n24 * 60 + n15 + n23 - 11]; }
        scratch1[lane * 4 + 1] = r25;
        let n27 = (n1 * 4 + task * 32 + 2) / 3;
        let n28 = n27 % 3;
        let n29 = (n1 * 4 + task * 32 + 2) % 3;
        let n30 = n27 / 3;
        var r31 = 0.0;
        if (((n12 + n28 - 1) >= 0) & ((n12 + n28 - 1) < 6) & ((n15 + n29 - 1) >= 0) & ((n15 + n29 - 1) < 10) & ((n1 * 4 + task * 32 + 2) < 36)) { r31 = operand0[n12 * 10 + n17 * 240 + n28 * 10 + n30 * 60 + n15 + n29 - 11]; }
        scratch1[lane * 4 + 2] = r31;
        let n33 = (n13 + 1) % 3;
        let n34 = (n13 + 1) / 3;
        var r35 = 0.0;
        if (((n12 + n33 - 1) >= 0) & ((n12 + n33 - 1) < 6) & ((n15 + n16 - 1) >= 0) & ((n15 + n16 - 1) < 10) & ((n1 * 4 + task * 32 + 3) < 36)) { r35 = operand0[n12 * 10 + n17 * 240 + n33 * 10 + n34 * 60 + n15 + n16 - 11]; }
        scratch1[lane * 4 + 3] = r35;
        let n37 = (n6 + slice * 16 + 8) / 10;
        let n38 = n37 % 6;
        let n39 = (n6 + slice * 16 + 8) % 10;
        let n40 = n37 / 6;
        var r41 = 0.0;
        if (((n38 + n14 - 1) >= 0) & ((n38 + n14 - 1) < 6) & ((n39 + n16 - 1) >= 0) & ((n39 + n16 - 1) < 10) & ((n1 * 4 + task * 32) < 36) & ((n6 + slice * 16 + 8) < 120)) { r41 = operand0[n38 * 10 + n40 * 240 + n14 * 10 + n18 * 60 + n39 + n16 - 11]; }
        scratch1[lane * 4 + 256] = r41;
        var r43 = 0.0;
        if (((n38 + n22 - 1) >= 0) & ((n38 + n22 - 1) < 6) & ((n39 + n23 - 1) >= 0) & ((n39 + n23 - 1) < 10) & ((n1 * 4 + task * 32 + 1) < 36) & ((n6 + slice * 16 + 8) < 120)) { r43 = operand0[n38 * 10 + n40 * 240 + n22 * 10 + n24 * 60 + n39 + n23 - 11]; }
        scratch1[lane * 4 + 257] = r43;
        var r45 = 0.0;
        if (((n38 + n28 - 1) >= 0) & ((n38 + n28 - 1) < 6) & ((n39 + n29 - 1) >= 0) & ((n39 + n29 - 1) < 10) & ((n1 * 4 + task * 32 + 2) < 36) & ((n6 + slice * 16 + 8) < 120)) { r45 = operand0[n38 * 10 + n40 * 240 + n28 * 10 + n30 * 60 + n39 + n29 - 11]; }
        scratch1[lane * 4 + 258] = r45;
        var r47 = 0.0;
        if (((n38 + n33 - 1) >= 0) & ((n38 + n33 - 1) < 6) & ((n39 + n16 - 1) >= 0) & ((n39 + n16 - 1) < 10) & ((n1 * 4 + task * 32 + 3) < 36) & ((n6 + slice * 16 + 8) < 120)) { r47 = operand0[n38 * 10 + n40 * 240 + n33 * 10 + n34 * 60 + n39 + n16 - 11]; }
        scratch1[lane * 4 + 259] = r47;
        workgroupBarrier();
        for (var term = 0; term < 16; term++) {
            var left_0: f32 = 0.0;
            var left_1: f32 = 0.0;
            var left_2: f32 = 0.0;
            var left_3: f32 = 0.0;
            var right_0: f32 = 0.0;
            var right_1: f32 = 0.0;
            var right_2: f32 = 0.0;
            var right_3: f32 = 0.0;
            left_0 = scratch0[n6 + term * 32];
            left_1 = scratch0[n6 + term * 32 + 8];
            left_2 = scratch0[n6 + term * 32 + 16];
            left_3 = scratch0[n6 + term * 32 + 24];
            right_0 = scratch1[n1 + term * 32];
            right_1 = scratch1[n1 + term * 32 + 8];
            right_2 = scratch1[n1 + term * 32 + 16];
            right_3 = scratch1[n1 + term * 32 + 24];
            sums_0_0 = sums_0_0 + (left_0 * right_0);
            sums_0_1 = sums_0_1 + (left_0 * right_1);
            sums_0_2 = sums_0_2 + (left_0 * right_2);
            sums_0_3 = sums_0_3 + (left_0 * right_3);
            sums_1_0 = sums_1_0 + (left_1 * right_0);
            sums_1_1 = sums_1_1 + (left_1 * right_1);
            sums_1_2 = sums_1_2 + (left_1 * right_2);
            sums_1_3 = sums_1_3 + (left_1 * right_3);
            sums_2_0 = sums_2_0 + (left_2 * right_0);
            sums_2_1 = sums_2_1 + (left_2 * right_1);
            sums_2_2 = sums_2_2 + (left_2 * right_2);
            sums_2_3 = sums_2_3 + (left_2 * right_3);
            sums_3_0 = sums_3_0 + (left_3 * right_0);
            sums_3_1 = sums_3_1 + (left_3 * right_1);
            sums_3_2 = sums_3_2 + (left_3 * right_2);
            sums_3_3 = sums_3_3 + (left_3 * right_3);
        }
    }
    let n73 = lane / 8;
    let n74 = lane % 8;
    if ((n73 < 6) & ((n74 + task * 32) < 36)) {
        result[n74 + n73 * 36 + task * 32] = sums_0_0;
    }
    if ((n73 < 6) & ((n74 + task * 32 + 8) < 36)) {
        result[n74 + n73 * 36 + task * 32 + 8] = sums_0_1;
    }
    if ((n73 < 6) & ((n74 + task * 32 + 16) < 36)) {
        result[n74 + n73 * 36 + task * 32 + 16] = sums_0_2;
    }
    if ((n73 < 6) & ((n74 + task * 32 + 24) < 36)) {
        result[n74 + n73 * 36 + task * 32 + 24] = sums_0_3;
    }
}
