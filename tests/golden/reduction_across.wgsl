// reduction_across: sum[20] = reduction[20]×[3] s0 = sum operand0[i0+20*r0]; reduce s0

@group(0) @binding(0) var<storage, read_write> operand0: array<f32>;  // 60 elements
@group(0) @binding(1) var<storage, read_write> result: array<f32>;  // 20 elements

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let lane = i32(invocation);
    let task = i32(group.x);
    var s0x1_0: f32 = 0.0;
    for (var r0 = 0; r0 < 3; r0++) {
        if (lane < 20) {
            s0x1_0 = s0x1_0 + operand0[lane + r0 * 20];
        }
    }
    if (lane < 20) {
        result[lane] = s0x1_0;
    }
}
