// stream: relu[3, 20] = stream where(greater_equal(0.0, operand0[i0]), 0.0, operand0[i0])

@group(0) @binding(0) var<storage, read_write> operand0: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;
@group(0) @binding(2) var<uniform> length_of_row: u32;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let lane = i32(invocation);
    let task = i32(group.y * 65535u + group.x);
    if (task >= 2097152) { return; }
    let n1 = (i32(length_of_row) + 63) / 64;
    for (var cv = 0; cv < min(n1 - task * 16, 16); cv++) {
        if (lane < (i32(length_of_row) - cv * 64 - task * 1024)) {
            result[lane + cv * 64 + task * 1024] = select(operand0[lane + cv * 64 + task * 1024], 0.0, 0.0 >= operand0[lane + cv * 64 + task * 1024]);
        }
    }
}
