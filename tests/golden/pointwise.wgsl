// pointwise: add[20, 3] = pointwise[20, 3] add(operand0[i0+20*i1], operand1[i0])

@group(0) @binding(0) var<storage, read_write> operand0: array<f32>;  // 60 elements
@group(0) @binding(1) var<storage, read_write> operand1: array<f32>;  // 20 elements
@group(0) @binding(2) var<storage, read_write> result: array<f32>;  // 60 elements

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let lane = i32(invocation);
    let task = i32(group.x);
    if (lane < 60) {
        let n1 = lane % 3;
        let n2 = lane / 3;
        result[lane] = operand0[n1 * 20 + n2] + operand1[n2];
    }
}
