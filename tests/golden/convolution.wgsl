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
        scratch0[n2 * 128 + n1 + 16] = select(0.0, 0.0, select(0.0, 1.0, (n2 * 4 + slice * 16) < 36) != 0.0);
        scratch0[n2 * 128 + n1 + 48] = select(0.0, 0.0, select(0.0, 1.0, (n2 * 4 + slice * 16 + 1) < 36) != 0.0);
        scratch0[n2 * 128 + n1 + 80] = select(0.0, 0.0, select(0.0, 1.0, (n2 * 4 + slice * 16 + 2) < 36) != 0.0);
        scratch0[n2 * 128 + n1 + 112] = select(0.0, 0.0, select(0.0, 1.0, (n2 * 4 + slice * 16 + 3) < 36) != 0.0);
        let n12 = lane / 8;
        let n13 = (n12 + slice * 16) / 3;
        let n14 = n13 % 3;
        let n15 = lane % 8;
        let n16 = (n15 * 4 + task * 32) % 60;
        let n17 = n16 / 10;
        let n18 = n16 % 10;
        let n19 = (n12 + slice * 16) % 3;
        let n20 = n13 / 3;
        let n21 = (n15 * 4 + task * 32) / 60;
        var r22 = 0.0;
        if (((n14 + n17 - 1) >= 0) & ((n14 + n17 - 1) < 6) & ((n18 + n19 - 1) >= 0) & ((n18 + n19 - 1) < 10) & ((n15 * 4 + task * 32) < 120) & ((n12 + slice * 16) < 36)) { r22 = operand0[n14 * 10 + n20 * 60 + n19 + n16 + n21 * 240 - 11]; }
        scratch1[lane * 4] = r22;
        let n24 = (n15 * 4 + task * 32 + 1) % 60;
        let n25 = n24 / 10;
        let n26 = n24 % 10;
        let n27 = (n15 * 4 + task * 32 + 1) / 60;
        var r28 = 0.0;
        if (((n14 + n25 - 1) >= 0) & ((n14 + n25 - 1) < 6) & ((n26 + n19 - 1) >= 0) & ((n26 + n19 - 1) < 10) & ((n15 * 4 + task * 32 + 1) < 120) & ((n12 + slice * 16) < 36)) { r28 = operand0[n14 * 10 + n20 * 60 + n19 + n24 + n27 * 240 - 11]; }
        scratch1[lane * 4 + 1] = r28;
        let n30 = (n15 * 4 + task * 32 + 2) % 60;
        let n31 = n30 / 10;
        let n32 = n30 % 10;
        let n33 = (n15 * 4 + task * 32 + 2) / 60;
        var r34 = 0.0;
        if (((n14 + n31 - 1) >= 0) & ((n14 + n31 - 1) < 6) & ((n32 + n19 - 1) >= 0) & ((n32 + n19 - 1) < 10) & ((n15 * 4 + task * 32 + 2) < 120) & ((n12 + slice * 16) < 36)) { r34 = operand0[n14 * 10 + n20 * 60 + n19 + n30 + n33 * 240 - 11]; }
        scratch1[lane * 4 + 2] = r34;
        let n36 = (n15 * 4 + task * 32 + 3) % 60;
        let n37 = n36 / 10;
        let n38 = n36 % 10;
        let n39 = (n15 * 4 + task * 32 + 3) / 60;
        var r40 = 0.0;
        if (((n14 + n37 - 1) >= 0) & ((n14 + n37 - 1) < 6) & ((n38 + n19 - 1) >= 0) & ((n38 + n19 - 1) < 10) & ((n15 * 4 + task * 32 + 3) < 120) & ((n12 + slice * 16) < 36)) { r40 = operand0[n14 * 10 + n20 * 60 + n19 + n36 + n39 * 240 - 11]; }
        scratch1[lane * 4 + 3] = r40;
        let n42 = (n12 + slice * 16 + 2) / 3;
        let n43 = (n42 + 2) % 3;
        let n44 = (n12 + slice * 16 + 2) % 3;
        let n45 = (n42 + 2) / 3;
        var r46 = 0.0;
        if (((n43 + n17 - 1) >= 0) & ((n43 + n17 - 1) < 6) & ((n18 + n44 - 1) >= 0) & ((n18 + n44 - 1) < 10) & ((n15 * 4 + task * 32) < 120) & ((n12 + slice * 16 + 8) < 36)) { r46 = operand0[n43 * 10 + n45 * 60 + n44 + n16 + n21 * 240 - 11]; }
        scratch1[lane * 4 + 256] = r46;
        var r48 = 0.0;
        if (((n43 + n25 - 1) >= 0) & ((n43 + n25 - 1) < 6) & ((n26 + n44 - 1) >= 0) & ((n26 + n44 - 1) < 10) & ((n15 * 4 + task * 32 + 1) < 120) & ((n12 + slice * 16 + 8) < 36)) { r48 = operand0[n43 * 10 + n45 * 60 + n44 + n24 + n27 * 240 - 11]; }
        scratch1[lane * 4 + 257] = r48;
        var r50 = 0.0;
        if (((n43 + n31 - 1) >= 0) & ((n43 + n31 - 1) < 6) & ((n32 + n44 - 1) >= 0) & ((n32 + n44 - 1) < 10) & ((n15 * 4 + task * 32 + 2) < 120) & ((n12 + slice * 16 + 8) < 36)) { r50 = operand0[n43 * 10 + n45 * 60 + n44 + n30 + n33 * 240 - 11]; }
        scratch1[lane * 4 + 258] = r50;
        var r52 = 0.0;
        if (((n43 + n37 - 1) >= 0) & ((n43 + n37 - 1) < 6) & ((n38 + n44 - 1) >= 0) & ((n38 + n44 - 1) < 10) & ((n15 * 4 + task * 32 + 3) < 120) & ((n12 + slice * 16 + 8) < 36)) { r52 = operand0[n43 * 10 + n45 * 60 + n44 + n36 + n39 * 240 - 11]; }
        scratch1[lane * 4 + 259] = r52;
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
    let n78 = lane / 8;
    let n79 = lane % 8;
    if (n78 < 6) {
        let n81 = (n79 + task * 32) % 60;
        let n82 = (n79 + task * 32) / 60;
        result[n81 + n82 * 360 + n78 * 60] = sums_0_0;
    }
    if (n78 < 6) {
        let n84 = (n79 + task * 32 + 8) % 60;
        let n85 = (n79 + task * 32 + 8) / 60;
        result[n84 + n85 * 360 + n78 * 60] = sums_0_1;
    }
    if (n78 < 6) {
        let n87 = (n79 + task * 32 + 16) % 60;
        let n88 = (n79 + task * 32 + 16) / 60;
        result[n87 + n88 * 360 + n78 * 60] = sums_0_2;
    }
    if ((n78 < 6) & ((n79 + task * 32 + 24) < 120)) {
        let n90 = (n79 + task * 32 + 24) % 60;
        let n91 = (n79 + task * 32 + 24) / 60;
        result[n90 + n91 * 360 + n78 * 60] = sums_0_3;
    }
    if ((n78 + 8) < 6) {
        let n93 = (n79 + task * 32) % 60;
        let n94 = (n79 + task * 32) / 60;
        result[n93 + n94 * 360 + n78 * 60 + 480] = sums_1_0;
    }
    if ((n78 + 8) < 6) {
        let n96 = (n79 + task * 32 + 8) % 60;
        let n97 = (n79 + task * 32 + 8) / 60;
        result[n96 + n97 * 360 + n78 * 60 + 480] = sums_1_1;
    }
    if ((n78 + 8) < 6) {
        let n99 = (n79 + task * 32 + 16) % 60;
        let n100 = (n79 + task * 32 + 16) / 60;
        result[n99 + n100 * 360 + n78 * 60 + 480] = sums_1_2;
    }
    if (((n78 + 8) < 6) & ((n79 + task * 32 + 24) < 120)) {
        let n102 = (n79 + task * 32 + 24) % 60;
        let n103 = (n79 + task * 32 + 24) / 60;
        result[n102 + n103 * 360 + n78 * 60 + 480] = sums_1_3;
    }
    if ((n78 + 16) < 6) {
        let n105 = (n79 + task * 32) % 60;
        let n106 = (n79 + task * 32) / 60;
        result[n105 + n106 * 360 + n78 * 60 + 960] = sums_2_0;
    }
    if ((n78 + 16) < 6) {
        let n108 = (n79 + task * 32 + 8) % 60;
        let n109 = (n79 + task * 32 + 8) / 60;
        result[n108 + n109 * 360 + n78 * 60 + 960] = sums_2_1;
    }
    if ((n78 + 16) < 6) {
        let n111 = (n79 + task * 32 + 16) % 60;
        let n112 = (n79 + task * 32 + 16) / 60;
        result[n111 + n112 * 360 + n78 * 60 + 960] = sums_2_2;
    }
    if (((n78 + 16) < 6) & ((n79 + task * 32 + 24) < 120)) {
        let n114 = (n79 + task * 32 + 24) % 60;
        let n115 = (n79 + task * 32 + 24) / 60;
        result[n114 + n115 * 360 + n78 * 60 + 960] = sums_2_3;
    }
    if ((n78 + 24) < 6) {
        let n117 = (n79 + task * 32) % 60;
        let n118 = (n79 + task * 32) / 60;
        result[n117 + n118 * 360 + n78 * 60 + 1440] = sums_3_0;
    }
    if ((n78 + 24) < 6) {
        let n120 = (n79 + task * 32 + 8) % 60;
        let n121 = (n79 + task * 32 + 8) / 60;
        result[n120 + n121 * 360 + n78 * 60 + 1440] = sums_3_1;
    }
    if ((n78 + 24) < 6) {
        let n123 = (n79 + task * 32 + 16) % 60;
        let n124 = (n79 + task * 32 + 16) / 60;
        result[n123 + n124 * 360 + n78 * 60 + 1440] = sums_3_2;
    }
    if (((n78 + 24) < 6) & ((n79 + task * 32 + 24) < 120)) {
        let n126 = (n79 + task * 32 + 24) % 60;
        let n127 = (n79 + task * 32 + 24) / 60;
        result[n126 + n127 * 360 + n78 * 60 + 1440] = sums_3_3;
    }
}
