"""The U-Net as an ONNX model, run by ONNX Runtime: a peer for the forward pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from bench.peers import Arrays, unet
from meganeura.models.sd_unet import SDUNetConfig

OPSET, IR_VERSION = 17, 8


@dataclass(frozen=True)
class Named:
    """A value of the model: its name, and its shape for those who look at it."""

    name: str
    shape: tuple[int, ...]


class OnnxOperations:
    """Writes nodes, as PyTorch's exporter would."""

    def __init__(self) -> None:
        self.nodes: list = []
        self.constants: list = []

    def constant(self, array: np.ndarray) -> Named:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(array, name))
        return Named(name, array.shape)

    def node(self, op: str, inputs: list[Named], shape: tuple[int, ...], **attributes) -> Named:
        name = f"v{len(self.nodes)}"
        names = [value.name for value in inputs]
        self.nodes.append(helper.make_node(op, names, [name], **attributes))
        return Named(name, shape)

    def conv(self, x: Named, w: Named, stride: int, padding: int) -> Named:
        n, _, height, width = x.shape
        shape = (n, w.shape[0], height // stride, width // stride)
        pads = [padding] * 4
        return self.node("Conv", [x, w], shape, strides=[stride] * 2, pads=pads)

    def norm(self, x: Named, groups: int, scale: Named, shift: Named, eps: float) -> Named:
        n, channels, height, width = x.shape
        rows = (n, groups, channels // groups * height * width)
        sizes = [self.constant(np.array(s, np.int64)) for s in (rows, x.shape)]
        ones, zeros = (self.constant(np.full(groups, v, np.float32)) for v in (1.0, 0.0))
        flat = self.node("Reshape", [x, sizes[0]], rows)
        normal = self.node("InstanceNormalization", [flat, ones, zeros], rows, epsilon=eps)
        images = self.node("Reshape", [normal, sizes[1]], x.shape)
        each = self.constant(np.array((1, channels, 1, 1), np.int64))
        scaled = self.node("Mul", [images, self.node("Reshape", [scale, each], x.shape)], x.shape)
        return self.node("Add", [scaled, self.node("Reshape", [shift, each], x.shape)], x.shape)

    def silu(self, x: Named) -> Named:
        return self.node("Mul", [x, self.node("Sigmoid", [x], x.shape)], x.shape)

    def upsample(self, x: Named) -> Named:
        n, channels, height, width = x.shape
        scales = self.constant(np.array([1, 1, 2, 2], np.float32))
        shape = (n, channels, 2 * height, 2 * width)
        nothing = Named("", ())
        return self.node(
            "Resize",
            [x, nothing, scales],
            shape,
            mode="nearest",
            nearest_mode="floor",
            coordinate_transformation_mode="asymmetric",
        )

    def join(self, x: Named, y: Named) -> Named:
        shape = (x.shape[0], x.shape[1] + y.shape[1], *x.shape[2:])
        return self.node("Concat", [x, y], shape, axis=1)

    def add(self, x: Named, y: Named) -> Named:
        return self.node("Add", [x, y], x.shape)


def onnx_forward(
    cfg: SDUNetConfig, weights: Arrays, data: Arrays, threads: int
) -> Callable[[], np.ndarray]:
    """The forward pass, with all that ONNX Runtime does to make it fast."""
    ops = OnnxOperations()
    x = Named("x", cfg.input_shape())
    named = {name: ops.constant(array) for name, array in weights.items()}
    out = unet(cfg, ops, named, x)
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        ops.nodes,
        "unet",
        [info("x", TensorProto.FLOAT, x.shape)],
        [info(out.name, TensorProto.FLOAT, x.shape)],
        ops.constants,
    )
    opsets = [helper.make_opsetid("", OPSET)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, ["CPUExecutionProvider"]
    )
    feed = {"x": data["x"].reshape(x.shape)}
    return lambda: session.run(None, feed)[0]
