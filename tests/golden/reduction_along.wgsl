// reduction_along: sum[3] = reduction[3]×[70] s0 = sum operand0[70*i0+r0]; reduce s0

@group(0) @binding(0) var<storage, read_write> operand0: array<f32>;  // 210 elements
@group(0) @binding(1) var<storage, read_write> result: array<f32>;  // 3 elements
var<workgroup> combined: array<f32, 64>;

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
    let lane = i32(invocation);
    let task = i32(group.x);
    for (var i0 = 0; i0 < 3; i0++) {
        var s0: f32 = 0.0;
        var s0v: f32 = 0.0;
        for (var s0vb = 0; s0vb < 2; s0vb++) {
            if (lane < (-s0vb * 64 + 70)) {
                s0v = s0v + operand0[i0 * 70 + s0vb * 64 + lane];
            }
        }
        var s0p: f32 = 0.0;
        s0p = sum_over_lanes(s0v, lane);
        s0 = s0 + s0p;
        if (lane == 0) {
            result[i0] = s0;
        }
    }
}
