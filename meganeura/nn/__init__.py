"""Layers: plain objects that hold parameters of a graph and write nodes when called.

Parameter names are HuggingFace's, except that a linear weight is ``[in, out]``. A layer's first
arguments are the graph and the name that its parameters' names begin with; ``forward`` and a call
of the layer are the same. Examples begin with ``import meganeura as mg`` and ``g = mg.Graph()``.
"""

from .attention import AttentionConfig as AttentionConfig
from .attention import CausalSelfAttention as CausalSelfAttention
from .attention import TransformerBlock as TransformerBlock
from .attention import TransformerBlockConfig as TransformerBlockConfig
from .conv import Conv2d as Conv2d
from .linear import Embedding as Embedding
from .linear import Linear as Linear
from .mlp import Mlp as Mlp
from .mlp import SwiGluFfn as SwiGluFfn
from .norm import GroupNorm as GroupNorm
from .norm import LayerNorm as LayerNorm
from .norm import RmsNorm as RmsNorm
