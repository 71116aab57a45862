"""Safetensors files made by hand, and a graph with parameters of every kind."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from meganeura import Graph, nn
from meganeura.load.safetensors import CHECKSUM, METADATA, checksum

DIM, HEADS, KV_HEADS, HEAD_DIM, HIDDEN, VOCAB, SEQ = 12, 2, 1, 6, 20, 11, 5


def sealed(header: object, data: bytes) -> object:
    """The header with its checksum, if it has one, made anew: damage to find by other means."""
    metadata = header.get(METADATA) if isinstance(header, dict) else None
    if not isinstance(metadata, dict) or CHECKSUM not in metadata:
        return header
    found = checksum(header, [memoryview(data)])
    return {**header, METADATA: {**metadata, CHECKSUM: found}}


def pack(header: object, data: bytes = b"") -> bytes:
    """A file with this header (text is taken as it is) before this data."""
    header = sealed(header, data)
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def unpack(content: bytes) -> tuple[dict, bytes]:
    """The header and the data of a file."""
    end = 8 + int.from_bytes(content[:8], "little")
    return json.loads(content[8:end]), content[end:]


def entry(start: int, stop: int, shape: list[int], dtype: str = "F32") -> dict:
    """What a header says of a tensor."""
    return {"dtype": dtype, "shape": shape, "data_offsets": [start, stop]}


def put(path: Path, header: object, data: bytes = b"") -> Path:
    """The path of a new file."""
    path.write_bytes(pack(header, data))
    return path


def language_model() -> Graph:
    """A transformer with one block under HuggingFace's names, a table, a head and a loss."""
    g = Graph()
    attention = nn.AttentionConfig(DIM, HEADS, KV_HEADS, HEAD_DIM)
    table = nn.Embedding(g, "model.embed_tokens", VOCAB, DIM)
    block = nn.TransformerBlock(
        g, "model.layers.0", nn.TransformerBlockConfig(attention, HIDDEN, 1e-5)
    )
    norm, head = nn.RmsNorm(g, "model.norm", DIM), nn.Linear(g, "lm_head", DIM, VOCAB, bias=False)
    logits = head(norm(block(table(g.input_u32("tokens", [SEQ])))))
    g.set_outputs([g.cross_entropy_loss(logits, g.input("labels", [SEQ, VOCAB])), logits])
    return g


FILE_SHAPES = {
    "model.embed_tokens.weight": (VOCAB, DIM),
    "model.layers.0.input_layernorm.weight": (DIM,),
    "model.layers.0.self_attn.q_proj.weight": (HEADS * HEAD_DIM, DIM),
    "model.layers.0.self_attn.k_proj.weight": (KV_HEADS * HEAD_DIM, DIM),
    "model.layers.0.self_attn.v_proj.weight": (KV_HEADS * HEAD_DIM, DIM),
    "model.layers.0.self_attn.o_proj.weight": (DIM, HEADS * HEAD_DIM),
    "model.layers.0.post_attention_layernorm.weight": (DIM,),
    "model.layers.0.mlp.gate_proj.weight": (HIDDEN, DIM),
    "model.layers.0.mlp.up_proj.weight": (HIDDEN, DIM),
    "model.layers.0.mlp.down_proj.weight": (DIM, HIDDEN),
    "model.norm.weight": (DIM,),
    "lm_head.weight": (VOCAB, DIM),
}
"""The tensors of `language_model` as transformers would save them."""
NOT_TURNED = ("embed_tokens", "norm")


def file_tensors(seed: int = 0) -> dict[str, np.ndarray]:
    """Random tensors for `language_model`, in the layout of a file."""
    rng = np.random.default_rng(seed)
    return {name: rng.normal(size=shape).astype(np.float32) for name, shape in FILE_SHAPES.items()}


def in_graph(name: str, tensor: np.ndarray) -> np.ndarray:
    """A tensor of `file_tensors` in the layout of the graph."""
    return tensor if any(part in name for part in NOT_TURNED) else tensor.T
