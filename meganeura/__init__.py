"""Meganeura: neural networks from static graphs, differentiated and compiled once, then replayed
every step."""

from . import autodiff as autodiff
from . import models as models
from . import nn as nn
from . import profiler as profiler
from . import update as update
from .autodiff import differentiate as differentiate
from .builders import build as build
from .builders import build_inference_session as build_inference_session
from .builders import build_session as build_session
from .builders import build_session_cached as build_session_cached
from .builders import build_session_unoptimized as build_session_unoptimized
from .builders import build_session_with_report as build_session_with_report
from .data import DataLoader as DataLoader
from .data import MnistDataset as MnistDataset
from .dtypes import DType as DType
from .errors import CompileError as CompileError
from .errors import DeviceError as DeviceError
from .errors import DTypeError as DTypeError
from .errors import FormatError as FormatError
from .errors import GraphError as GraphError
from .errors import InternalError as InternalError
from .errors import MeganeuraError as MeganeuraError
from .errors import NonFiniteError as NonFiniteError
from .errors import SessionError as SessionError
from .errors import ShapeError as ShapeError
from .ir.graph import Node as Node
from .ir.graph import NodeId as NodeId
from .ir.graph import Value as Value
from .ir.interpret import interpret as interpret
from .ir.types import TensorType as TensorType
from .ops.graph import Graph as Graph
from .report import ExecutionPlan as ExecutionPlan
from .report import OptimizeReport as OptimizeReport
from .report import compile_training_graph as compile_training_graph
from .runner import MemorySummary as MemorySummary
from .session import Session as Session
from .session import SessionConfig as SessionConfig
from .update import Adam as Adam
from .update import AdamW as AdamW
from .update import Momentum as Momentum
from .update import Optimizer as Optimizer
from .update import Sgd as Sgd
from .update import append_update as append_update

__version__ = "0.1.0"
