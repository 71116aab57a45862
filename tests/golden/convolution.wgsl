// convolution: conv2d[2, 6, 6, 10] = convolution 2×4→6 Window(size=(6, 10), out=(6, 10),
// kernel=(3, 3), stride=(1, 1), dilation=(1, 1), padding=(1, 1)): operand0[60*c+10*h+240*n+w] ·
// operand1[9*c+3*i+j+36*o]; sum

@group(0) @binding(0) var<storage, read_write> operand0: array<f32>;  // 480 elements
@group(0) @binding(1) var<storage, read_write> operand1: array<vec4<f32>>;  // 216 elements
@group(0) @binding(2) var<storage, read_write> result: array<f32>;  // 720 elements
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
    for (var slice = 0; slice < 3; slice++) {
        workgroupBarrier();
        let n1 = lane / 4;
        let n2 = lane % 4;
        var r3 = vec4<f32>();
        if ((n1 < 6) & ((n2 * 4 + slice * 16) < 36)) { r3 = operand1[n2 + n1 * 9 + slice * 4]; }
        scratch0[n2 * 128 + n1] = r3.x;
        scratch0[n2 * 128 + n1 + 32] = r3.y;
        scratch0[n2 * 128 + n1 + 64] = r3.z;
        scratch0[n2 * 128 + n1 + 96] = r3.w;
        scratch0[n2 * 128 + n1 + 16] = select(0.0, 0.0, !(select(0.0, 1.0, (n2 * 4 + slice * 16) < 36) == 0.0));
        scratch0[n2 * 128 + n1 + 48] = select(0.0, 0.0, !(select(0.0, 1.0, (n2 * 4 + slice * 16 + 1) < 36) == 0.0));
        scratch0[n2 * 128 + n1 + 80] = select(0.0, 0.0, !(select(0.0, 1.0, (n2 * 4 + slice * 16 + 2) < 36) == 0.0));
        scratch0[n2 * 128 + n1 + 112] = select(0.0, 0.0, !(select(0.0, 1.0, (n2 * 4 + slice * 16 + 3) < 36) == 0.0));
        let n12 = lane / 8;
        let n13 = (n12 + slice * 16) / 3;
        let n14 = n13 % 3;
        let n15 = lane % 8;
        let n16 = (n15 + task * 8) % 15;
        let n17 = (n16 * 2) / 5;
        let n18 = (n12 + slice * 16) % 3;
        let n19 = (n16 * 2) % 5;
        let n20 = n13 / 3;
        let n21 = (n15 + task * 8) / 15;
        var r22 = 0.0;
        if (((n14 + n17 - 1) >= 0) & ((n14 + n17 - 1) < 6) & ((n18 + n19 * 2 - 1) >= 0) & ((n15 * 4 + task * 32) < 120) & ((n12 + slice * 16) < 36)) { r22 = operand0[n14 * 10 + n20 * 60 + n16 * 4 + n21 * 240 + n18 - 11]; }
        scratch1[lane * 4] = r22;
        var r24 = 0.0;
        if (((n14 + n17 - 1) >= 0) & ((n14 + n17 - 1) < 6) & ((n18 + n19 * 2) < 10) & ((n15 * 4 + task * 32 + 1) < 120) & ((n12 + slice * 16) < 36)) { r24 = operand0[n14 * 10 + n20 * 60 + n16 * 4 + n21 * 240 + n18 - 10]; }
        scratch1[lane * 4 + 1] = r24;
        let n26 = (n16 * 2 + 1) / 5;
        let n27 = (n16 * 2 + 1) % 5;
        var r28 = 0.0;
        if (((n14 + n26 - 1) >= 0) & ((n14 + n26 - 1) < 6) & ((n18 + n27 * 2 - 1) >= 0) & ((n15 * 4 + task * 32 + 2) < 120) & ((n12 + slice * 16) < 36)) { r28 = operand0[n14 * 10 + n20 * 60 + n16 * 4 + n21 * 240 + n18 - 9]; }
        scratch1[lane * 4 + 2] = r28;
        var r30 = 0.0;
        if (((n14 + n26 - 1) >= 0) & ((n14 + n26 - 1) < 6) & ((n18 + n27 * 2) < 10) & ((n15 * 4 + task * 32 + 3) < 120) & ((n12 + slice * 16) < 36)) { r30 = operand0[n14 * 10 + n20 * 60 + n16 * 4 + n21 * 240 + n18 - 8]; }
        scratch1[lane * 4 + 3] = r30;
        let n32 = (n12 + slice * 16 + 2) / 3;
        let n33 = (n32 + 2) % 3;
        let n34 = (n12 + slice * 16 + 2) % 3;
        let n35 = (n32 + 2) / 3;
        var r36 = 0.0;
        if (((n33 + n17 - 1) >= 0) & ((n33 + n17 - 1) < 6) & ((n34 + n19 * 2 - 1) >= 0) & ((n15 * 4 + task * 32) < 120) & ((n12 + slice * 16 + 8) < 36)) { r36 = operand0[n33 * 10 + n35 * 60 + n16 * 4 + n21 * 240 + n34 - 11]; }
        scratch1[lane * 4 + 256] = r36;
        var r38 = 0.0;
        if (((n33 + n17 - 1) >= 0) & ((n33 + n17 - 1) < 6) & ((n34 + n19 * 2) < 10) & ((n15 * 4 + task * 32 + 1) < 120) & ((n12 + slice * 16 + 8) < 36)) { r38 = operand0[n33 * 10 + n35 * 60 + n16 * 4 + n21 * 240 + n34 - 10]; }
        scratch1[lane * 4 + 257] = r38;
        var r40 = 0.0;
        if (((n33 + n26 - 1) >= 0) & ((n33 + n26 - 1) < 6) & ((n34 + n27 * 2 - 1) >= 0) & ((n15 * 4 + task * 32 + 2) < 120) & ((n12 + slice * 16 + 8) < 36)) { r40 = operand0[n33 * 10 + n35 * 60 + n16 * 4 + n21 * 240 + n34 - 9]; }
        scratch1[lane * 4 + 258] = r40;
        var r42 = 0.0;
        if (((n33 + n26 - 1) >= 0) & ((n33 + n26 - 1) < 6) & ((n34 + n27 * 2) < 10) & ((n15 * 4 + task * 32 + 3) < 120) & ((n12 + slice * 16 + 8) < 36)) { r42 = operand0[n33 * 10 + n35 * 60 + n16 * 4 + n21 * 240 + n34 - 8]; }
        scratch1[lane * 4 + 259] = r42;
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
            left_0 = scratch0[n12 + term * 32];
            left_1 = scratch0[n12 + term * 32 + 8];
            left_2 = scratch0[n12 + term * 32 + 16];
            left_3 = scratch0[n12 + term * 32 + 24];
            right_0 = scratch1[n15 + term * 32];
            right_1 = scratch1[n15 + term * 32 + 8];
            right_2 = scratch1[n15 + term * 32 + 16];
            right_3 = scratch1[n15 + term * 32 + 24];
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
    let n68 = lane / 8;
    let n69 = lane % 8;
    if (n68 < 6) {
        let n71 = (n69 + task * 32) % 60;
        let n72 = (n69 + task * 32) / 60;
        result[n71 + n72 * 360 + n68 * 60] = sums_0_0;
    }
    if (n68 < 6) {
        let n74 = (n69 + task * 32 + 8) % 60;
        let n75 = (n69 + task * 32 + 8) / 60;
        result[n74 + n75 * 360 + n68 * 60] = sums_0_1;
    }
    if (n68 < 6) {
        let n77 = (n69 + task * 32 + 16) % 60;
        let n78 = (n69 + task * 32 + 16) / 60;
        result[n77 + n78 * 360 + n68 * 60] = sums_0_2;
    }
    if ((n68 < 6) & ((n69 + task * 32 + 24) < 120)) {
        let n80 = (n69 + task * 32 + 24) % 60;
        let n81 = (n69 + task * 32 + 24) / 60;
        result[n80 + n81 * 360 + n68 * 60] = sums_0_3;
    }
}
