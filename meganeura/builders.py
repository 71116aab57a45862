"""The ways to build a session for a graph; all of them call `build`."""

from __future__ import annotations

from pathlib import Path

from .arguments import checked
from .ops.graph import Graph
from .report import OptimizeReport
from .session import Session, SessionConfig
from .trace import span


@checked
def build(graph: Graph, config: SessionConfig) -> Session:
    """A session for ``graph``; the other builders call this one."""
    with span("build_session"):
        return Session(graph, config)


@checked
def build_session(graph: Graph, device: str = "auto", *, seed: int = 0) -> Session:
    """A session that trains: the graph's first output is its loss."""
    return build(graph, SessionConfig(device=device, seed=seed))


@checked
def build_session_cached(
    graph: Graph, path: Path | str, device: str = "auto", *, seed: int = 0
) -> Session:
    """A session that trains, and keeps its compiled plans and code in the folder ``path`` instead
    of the user's cache. A folder that cannot be written to only costs time."""
    return build(graph, SessionConfig(device=device, seed=seed, cache=path))


@checked
def build_session_unoptimized(graph: Graph, device: str = "auto", *, seed: int = 0) -> Session:
    """A session that trains, with a kernel for every node that is no view: for comparison."""
    return build(graph, SessionConfig(device=device, seed=seed, optimize=False))


@checked
def build_session_with_report(
    graph: Graph, device: str = "auto", *, seed: int = 0
) -> tuple[Session, OptimizeReport]:
    """A session that trains, and what optimization does to its graph."""
    session = build_session(graph, device, seed=seed)
    return session, session.report()


@checked
def build_inference_session(graph: Graph, device: str = "auto", *, seed: int = 0) -> Session:
    """A session that only runs forward."""
    return build(graph, SessionConfig(device=device, training=False, seed=seed))
