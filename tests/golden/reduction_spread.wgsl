// reduction_spread: softmax[3, 20] = reduction[3]×[20] s0 = max operand0[20*i0+r0]; s1 = sum
// exp(sub(operand0[20*i0+r0], s0)); spread mul(kept, div(1.0, s1))

@group(0) @binding(0) var<storage, read_write> operand0: array<f32>;  // 60 elements
@group(0) @binding(1) var<storage, read_write> result: array<f32>;  // 60 elements

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

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    unknown_zeros = group.xy >> vec2(31u);
    let lane = i32(invocation);
    let task = i32(group.x);
    var s0x1_0: f32 = from_bits(0xff800000u);
    for (var r0 = 0; r0 < 20; r0++) {
        if (lane < 3) {
            s0x1_0 = larger(s0x1_0, operand0[lane * 20 + r0]);
        }
    }
    var s1x1_0: f32 = 0.0;
    var s1x1_1_0: f32 = 0.0;
    for (var r0_1 = 0; r0_1 < 2; r0_1++) {
        for (var r0_0 = 0; r0_0 < 10; r0_0++) {
            if (lane < 3) {
                s1x1_0 = s1x1_0 + rounded_apart(exp_(rounded(operand0[lane * 20 + r0_0 + r0_1 * 10] - s0x1_0)));
            }
        }
        if (lane < 3) {
            s1x1_1_0 = s1x1_1_0 + s1x1_0;
        }
        if (lane < 3) {
            s1x1_0 = 0.0;
        }
    }
    if (lane < 3) {
        s1x1_0 = s1x1_0 + s1x1_1_0;
    }
    for (var r0 = 0; r0 < 20; r0++) {
        if (lane < 3) {
            result[lane * 20 + r0] = rounded(exp_(rounded(operand0[lane * 20 + r0] - s0x1_0))) * rounded_apart(1.0 / s1x1_0);
        }
    }
}
