// scatter: scatter_add[4, 20] = scatter 5×20 into 4 operand0[r0]: operand1[i0+20*r0]

@group(0) @binding(0) var<storage, read_write> operand0: array<u32>;  // 5 elements
@group(0) @binding(1) var<storage, read_write> operand1: array<f32>;  // 100 elements
@group(0) @binding(2) var<storage, read_write> result: array<f32>;  // 80 elements

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let lane = i32(invocation);
    let task = i32(group.x);
    var sum: f32 = 0.0;
    for (var r0 = 0; r0 < 5; r0++) {
        if (lane < (-task * 64 + 80)) {
            let n1 = (lane + task * 64) / 20;
            let n2 = (lane + task * 64) % 20;
            var r3 = 0.0;
            if (((-n1 + i32(operand0[r0])) >= 0) & ((-n1 + i32(operand0[r0])) < 1)) { r3 = operand1[n2 + r0 * 20]; }
            sum = sum + r3;
        }
    }
    if (lane < (-task * 64 + 80)) {
        result[lane + task * 64] = sum;
    }
}
