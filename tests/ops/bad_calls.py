"""At least one wrong use of every op, and what the error must say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from meganeura import Graph, TensorType
from meganeura.ir.op import REGISTRY
from meganeura.ir.pointwise import PointwiseOp
from meganeura.ops.attention import Attention, AttentionGrad, AttentionGradBias
from meganeura.ops.conv import Conv2dGradInput, Conv2dGradWeight
from meganeura.ops.index import Prefix
from meganeura.ops.leaf import Alias, Band
from meganeura.ops.matmul import MatmulBySums
from meganeura.ops.pool import MaxPool2dGrad, MaxPool2dIndex


@dataclass(frozen=True)
class BadCall:
    """A call that must raise, with words its message must hold."""

    op: str
    call: Callable[[Graph], Any]
    says: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.op}: {self.says[0]}"


BAD_CALLS: list[BadCall] = []


def bad(op: str, call: Callable[[Graph], Any], *says: str) -> None:
    BAD_CALLS.append(BadCall(op, call, says))


def x(g: Graph, *shape: int):
    """A new F32 input."""
    return g.input(f"x{len(g)}", shape)


def u(g: Graph, *shape: int):
    """A new U32 input."""
    return g.input_u32(f"u{len(g)}", shape)


for name, cls in REGISTRY.items():
    if issubclass(cls, PointwiseOp):
        arity = len(cls.operands)
        bad(
            name,
            lambda g, cls=cls, n=arity: g.emit(cls(), *(u(g, 3) for _ in range(n))),
            f"{name}: ",
            "must be f32",
            "u32[3]",
        )
        if arity > 1:
            bad(
                name,
                lambda g, cls=cls, n=arity: g.emit(cls(), *(x(g, 2 + i, 7) for i in range(n))),
                f"{name}: shapes do not broadcast",
                "f32[2, 7]",
                "f32[3, 7]",
            )

bad("input", lambda g: (g.input("a", [2]), g.input("a", [2])), "input: there is already", '"a"')
bad("input", lambda g: g.input("a", [2, -3]), "at least 1", "[2, -3]")
bad("parameter", lambda g: g.parameter("", [2]), "non-empty string")
bad("parameter", lambda g: g.parameter("w", [2, 0]), "at least 1", "[2, 0]")
bad("state", lambda g: g.state("@m", [2]), "reserved", "@m")
bad("constant", lambda g: g.constant([1, 2, 3], [2, 2]), "constant: 3 values", "f32[2, 2]", "4")
bad("full", lambda g: g.full(1.0, (0,)), "at least 1")
bad("band", lambda g: g.emit(Band(1, 1, TensorType.f32([3]))), "band: a mask is a matrix", "f32[3]")
bad("alias", lambda g: g.emit(Alias(), x(g, 2), x(g, 2)), "alias takes (x), got 2 inputs")
bad("stop_gradient", lambda g: g.stop_gradient([1.0]), "stop_gradient: an operand must be a handle")

bad("sum", lambda g: g.sum(x(g, 2, 3), 2), "sum: axis 2 is out of range", "rank 2")
bad("max", lambda g: g.max(x(g, 2, 3), [0, -2]), "max: an axis is named twice")
bad("mean", lambda g: g.mean(u(g, 2, 3), 0), "mean: x must be f32", "u32[2, 3]")
bad("reshape", lambda g: g.reshape(x(g, 2, 3), [4]), "reshape: ", "f32[2, 3]", "6 ≠ 4")
bad("permute", lambda g: g.permute(x(g, 2, 3), [0, 0]), "permute: axes [0, 0]", "f32[2, 3]")
bad("broadcast_to", lambda g: g.broadcast_to(x(g, 2), [3]), "broadcast_to: ", "[3]", "f32[2]")
bad("slice", lambda g: g.slice(x(g, 4), [1], [5]), "slice: the range 1:5", "size 4", "f32[4]")
bad("pad", lambda g: g.pad(x(g, 4), [-1], [0]), "pad: margins cannot be negative", "f32[4]")
bad("concat", lambda g: g.concatenate([x(g, 2, 3), x(g, 3, 2)], 1), "concat: sizes may differ only")
bad("concat", lambda g: g.concatenate([x(g, 2), u(g, 2)]), "concat: element types differ", "u32[2]")

bad("embedding", lambda g: g.embedding(x(g, 3), x(g, 4, 2)), "embedding: indices must be u32")
bad("embedding", lambda g: g.embedding(u(g, 3), x(g, 4)), "embedding: the table must be", "f32[4]")
bad(
    "scatter_add",
    lambda g: g.scatter_add(u(g, 3), x(g, 4, 2), 5),
    "scatter_add: src must",
    "u32[3]",
)
bad("one_hot", lambda g: g.one_hot(u(g, 3), -1), "one_hot: depth must be positive")
bad(
    "cache_write",
    lambda g: g.cache_write(x(g, 1, 3), x(g, 5, 4), u(g, 1)),
    "cache_write: new_kv must be [1, 4]",
    "f32[1, 3]",
)
bad(
    "matmul",
    lambda g: x(g, 3, 5) @ x(g, 4, 5),
    "matmul: inner dimensions differ: a is f32[3, 5], b is f32[4, 5] (5 ≠ 4)",
    "b looks transposed",
)
bad("matmul", lambda g: g.matmul(x(g, 5), x(g, 5, 2)), "matmul: operands must be matrices")
bad(
    "matmul_by_sums",
    lambda g: g.emit(MatmulBySums(), x(g, 3, 5), x(g, 4, 5)),
    "matmul_by_sums: inner dimensions differ",
)

bad(
    "conv2d",
    lambda g: g.conv2d(x(g, 1, 3, 4, 4), x(g, 2, 4, 3, 3)),
    "conv2d: 3 channels in 1 groups",
    "f32[1, 3, 4, 4]",
)
bad(
    "conv2d",
    lambda g: g.conv2d(x(g, 48), x(g, 2, 3, 3, 3)),
    "conv2d: x is flat (f32[48]), so batch, in_channels, in_h, in_w must be given",
)
bad("conv2d", lambda g: g.conv2d(x(g, 1, 1, 2, 2), x(g, 1, 1, 3, 3)), "conv2d: the window 3×3")
bad("conv2d", lambda g: g.conv2d(x(g, 1, 1, 4, 4), x(g, 1, 1, 3, 3), stride=0), "must be positive")
bad(
    "conv2d_grad_input",
    lambda g: g.emit(Conv2dGradInput(size=(9, 9)), x(g, 1, 2, 3, 3), x(g, 2, 1, 3, 3)),
    "conv2d_grad_input: grad is not what images f32[1, 1, 9, 9] give",
)
bad(
    "conv2d_grad_weight",
    lambda g: g.emit(Conv2dGradWeight(kernel=(2, 2)), x(g, 1, 1, 5, 5), x(g, 1, 2, 3, 3)),
    "conv2d_grad_weight: grad is not what kernels",
)
bad("max_pool_2d", lambda g: g.max_pool_2d(x(g, 1, 1, 4, 4), 5), "max_pool_2d: the window 5×5")
bad(
    "max_pool_2d_grad",
    lambda g: g.emit(
        MaxPool2dGrad((2, 2), (2, 2), size=(9, 9)), x(g, 1, 1, 3, 3), x(g, 1, 1, 3, 3)
    ),
    "max_pool_2d_grad: grad is not what images f32[1, 1, 9, 9] give",
)
bad("max_pool_2d_index", lambda g: g.emit(MaxPool2dIndex((2, 2), (2, 2)), x(g, 3)), "images are")
bad(
    "prefix", lambda g: g.emit(Prefix(4), u(g, 2)), "prefix: last must be a single number", "u32[2]"
)
bad("avg_pool_2d", lambda g: g.avg_pool_2d(x(g, 4, 4), 2), "avg_pool_2d: images are [N, C, H, W]")
bad("upsample_2x", lambda g: g.upsample_2x(x(g, 4, 4)), "upsample_2x: x must be flat or")

bad(
    "rms_norm",
    lambda g: g.rms_norm(x(g, 3, 4), x(g, 3)),
    "rms_norm: x must be [M, N]",
    "x is f32[3, 4], w is f32[3]",
)
bad("rms_norm", lambda g: g.rms_norm(x(g, 3, 4), x(g, 4), 0.0), "rms_norm: eps must be positive")
bad("layer_norm", lambda g: g.layer_norm(x(g, 4), x(g, 4), x(g, 4)), "layer_norm: x must be [M, N]")
bad(
    "group_norm",
    lambda g: g.group_norm(x(g, 1, 6, 2, 2), x(g, 6), x(g, 6), num_groups=4),
    "group_norm: num_groups (4) must divide the channels (6)",
    "f32[1, 6, 2, 2]",
)
bad("softmax", lambda g: g.softmax(x(g, 4)), "softmax: x must be [rows, features]", "f32[4]")
bad("log_softmax", lambda g: g.log_softmax(x(g, 4)), "log_softmax: x must be [rows, features]")
bad(
    "cross_entropy_loss",
    lambda g: g.cross_entropy_loss(x(g, 4, 3), x(g, 3, 4)),
    "cross_entropy_loss: logits and labels must both be [N, C]",
    "f32[3, 4]",
)
bad(
    "cross_entropy_classes",
    lambda g: g.cross_entropy_loss(x(g, 4, 3), u(g, 3)),
    "cross_entropy_classes: logits must be [N, C] and labels [N]",
    "u32[3]",
)
for loss in ("bce_loss", "mse_loss", "l1_loss"):
    bad(
        loss,
        lambda g, loss=loss: getattr(g, loss)(x(g, 4), x(g, 1)),
        f"{loss}: shapes differ: pred is f32[4], target is f32[1]",
    )
bad("rope", lambda g: g.rope(x(g, 3, 6), 1e4, 4), "rope: dim must be a multiple of head_dim (4)")
bad("rope", lambda g: g.rope(x(g, 3, 6), 1e4, 3), "rope: head_dim must be even")
bad(
    "attention",
    lambda g: g.causal_attention(x(g, 3, 8), x(g, 3, 6), x(g, 3, 6), 4, 3, 2),
    "attention: num_kv_heads (3) must divide num_heads (4)",
    "q is f32[3, 8]",
)
bad(
    "attention",
    lambda g: g.causal_attention(x(g, 3, 8), x(g, 4, 8), x(g, 4, 8), 4, 4, 2),
    "attention: a causal query and its keys are the same sequence",
)
for backward in (AttentionGrad, AttentionGradBias):
    bad(
        backward.name,
        lambda g, backward=backward: g.emit(
            backward(1, 1, 2), x(g, 4), x(g, 4), *(x(g, 2, 2) for _ in range(3)), x(g, 2, 2)
        ),
        f"{backward.name}: grad and out must be packed, [6]",
    )
bad(
    "cached_attention",
    lambda g: g.cached_attention(x(g, 2, 4), x(g, 5, 4), x(g, 5, 4), u(g, 1), 2, 2, 2),
    "cached_attention: q must have one row for each sequence (1)",
)
bad(
    "attention",
    lambda g: g.emit(Attention(0, 1, 2), x(g, 3, 8), x(g, 3, 8), x(g, 3, 8)),
    "attention: head counts, head_dim and batch must be positive",
)
