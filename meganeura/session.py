"""Sessions: what a user does with a graph once it is built: set, step, read, save."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from .arguments import checked_methods, fit_fields
from .autodiff import differentiate, parameters
from .device import open_device
from .device.base import DeviceInformation
from .dtypes import Array, DType
from .egraph.optimize import Options
from .egraph.rules import GROUPS
from .errors import DeviceError, DTypeError, FormatError, GraphError, SessionError, did_you_mean
from .exclusive import Use, exclusive_methods
from .initialize import initial_value
from .ir import walk
from .ir.graph import Node
from .ir.interpret import check_array
from .load.checkpoint import match_leaves, read_checkpoint, write_checkpoint
from .load.weights import Rename, match_weights, read_weights, save_weights
from .ops.graph import Graph
from .ops.leaf import Input, LeafOp, Parameter, State
from .plan.plan import Plan
from .report import OptimizeReport, report
from .runner import Counts, MemorySummary, Runner
from .trace import span
from .update import AVERAGE, Adam, Optimizer, Sgd, UpdateRule, without_update
from .verification import Verification


@dataclass(frozen=True)
class SessionConfig:
    """How a session is built."""

    device: str = "auto"
    training: bool = True
    """Whether gradients are computed; without, a session only runs forward."""
    seed: int = 0
    """What the parameters' start depends on."""
    nonfinite: str = "allow"
    """``"raise"``: stop at the first NaN or infinity, and name the node that made it."""
    cache: Path | str | None = None
    """The folder where compiled plans and code are kept; None: the one that the settings name."""
    optimize: bool | tuple[str, ...] = True
    """Whether the graph is rewritten and its kernels chosen by cost; or the groups of rules that
    may be applied (see ``egraph.rules.GROUPS``): with ``()`` only kernels are chosen."""
    exact: bool = False
    """Whether only rules are applied that leave every bit as it was."""

    verify: bool = False
    """Whether the first step of a plan is compared with the reference in double precision, which is
    slow; `Session.verification` tells what was found. What rounding cannot explain is raised."""

    def __post_init__(self) -> None:
        fit_fields(self, "SessionConfig", SessionError)
        if self.seed < 0:
            raise SessionError(f"the seed must not be negative, got {self.seed}")
        if self.nonfinite not in ("allow", "raise"):
            raise SessionError(f'nonfinite must be "allow" or "raise", not {self.nonfinite!r}')
        for group in self.optimize if isinstance(self.optimize, tuple) else ():
            if group not in GROUPS:
                hint = did_you_mean(group, list(GROUPS))
                raise SessionError(f"there is no group of rules {group!r}: {hint}")

    def options(self) -> Options | None:
        """What the optimizer may do; None: nothing."""
        if self.optimize is False:
            return None
        return Options(GROUPS if self.optimize is True else self.optimize, self.exact)


@dataclass(frozen=True)
class Snapshot:
    """All of a session that persists, at one moment."""

    rule: UpdateRule | None
    counts: Counts
    leaves: dict[str, Array]


@exclusive_methods(SessionError, ends=("close", "__exit__"))
@checked_methods(SessionError)
class Session:
    """A graph on a device: set inputs, `step`, read results. One thread at a time may use it,
    in the process that built it."""

    def __init__(self, graph: Graph, config: SessionConfig) -> None:
        if not graph.outputs():
            raise GraphError("the graph has no outputs", hint="call g.set_outputs([…]) first")
        self._use = Use()
        self._config = config
        self._graph = walk.copy(graph, keep_leaves=True)
        self._parameters = {n.name: n for n in parameters(self._graph) if n.name is not None}
        with span("open_device"):
            device = open_device(config.device, config.cache)
        self._runner = Runner(
            self._differentiated(), self._graph, device, config.options(), config.verify
        )
        self._options = UpdateRule(Sgd(0.0))
        try:
            for name in self._parameters:
                self.initialize(name)
        except MemoryError:
            total = sum(n.ty.size_bytes() for n in self._parameters.values())
            raise DeviceError(f"there is no memory for {total:,} bytes of parameters") from None

    def _differentiated(self) -> Graph:
        if not self._config.training:
            return self._graph
        with span("autodiff"):
            return differentiate(self._graph)

    # Inputs, parameters, states

    def set_input(self, name: str, array: ArrayLike) -> None:
        """Give an input its data, flat or shaped; it stays until given anew."""
        with span("set_input", input=name):
            self._write(self._leaf(name, Input), array)

    def set_input_u32(self, name: str, array: ArrayLike) -> None:
        """Give a U32 input its data."""
        node = self._leaf(name, Input)
        if node.ty.dtype is not DType.U32:
            raise DTypeError(f"{node} is {node.ty}, not u32", hint="use set_input")
        self._write(node, array)

    def set_parameter(self, name: str, array: ArrayLike) -> None:
        """Give a parameter a value."""
        self._write(self._leaf(name, Parameter), array)

    def get_parameter(self, name: str) -> Array:
        """A parameter's value, in its declared shape."""
        self._leaf(name, Parameter)
        return self._runner.read(name)

    read_param = get_parameter

    def initialize(self, name: str, how: str | float | None = None) -> None:
        """Start a parameter anew: as ``"zeros"``, ``"ones"``, ``"uniform"``, ``"normal"``, filled
        with a number, or (None) as its use suggests."""
        node = self._leaf(name, Parameter)
        self._write(node, initial_value(self._graph, node, self._config.seed, how))

    def set_state(self, name: str, array: ArrayLike) -> None:
        """Give a state (a cache, say) a value."""
        self._write(self._leaf(name, State), array)

    def get_state(self, name: str) -> Array:
        """A state's value."""
        self._leaf(name, State)
        return self._runner.read(name)

    def param_names(self) -> list[str]:
        """The parameters' names, in the order they were made."""
        return list(self._parameters)

    def param_size(self, name: str) -> int:
        """The number of elements of a parameter."""
        return self._leaf(name, Parameter).ty.num_elements()

    def num_parameters(self) -> int:
        """The number of elements of all parameters together."""
        return sum(node.ty.num_elements() for node in self._parameters.values())

    def _leaf(self, name: str, kind: type[LeafOp]) -> Node:
        leaf = self._graph.leaf(name)
        if leaf is None or not isinstance(leaf.node.op, kind):
            known = [n.name for n in self._graph.nodes() if isinstance(n.op, kind)]
            raise SessionError(
                f"there is no {kind.name} {name!r}",
                hint=did_you_mean(str(name), [n for n in known if n is not None]),
            )
        return leaf.node

    def _write(self, node: Node, array: ArrayLike) -> None:
        self._runner.write(node, check_array(node, array, self._runner.device.dtype))

    # Optimizers

    def set_optimizer(self, optimizer: Optimizer) -> None:
        """Apply this optimizer in each step from now on. Changing its ``lr`` costs nothing."""
        if not self._config.training:
            raise SessionError(
                "an inference session has no gradients to apply",
                hint="build the session with build_session",
            )
        self._runner.set_rule(replace(self._options, optimizer=optimizer))

    def set_learning_rate(self, lr: float) -> None:
        """Plain gradient descent with this learning rate."""
        self.set_optimizer(Sgd(lr))

    def set_adam(
        self, lr: float, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-8
    ) -> None:
        """Adam; call it again to change the learning rate."""
        self.set_optimizer(Adam(lr, beta1, beta2, eps))

    def set_rate(self, lr: float) -> None:
        """Another learning rate for the optimizer that is set; nothing is compiled for it."""
        self._runner.set_rate(lr)

    def set_lr_multiplier(self, prefix: str, factor: float) -> None:
        """Scale the learning rate of parameters whose names begin with ``prefix``; the longest
        prefix wins."""
        if not any(name.startswith(prefix) for name in self._parameters):
            raise SessionError(
                f'no parameter\'s name begins with "{prefix}"',
                hint=did_you_mean(prefix, self.param_names()),
            )
        self._set_options(multipliers={**self._options.multipliers, prefix: float(factor)})

    def clear_lr_multipliers(self) -> None:
        """Use the same learning rate for all parameters again."""
        self._set_options(multipliers={})

    def set_gradient_clipping(self, max_norm: float | None) -> None:
        """Scale all gradients down so that their common norm is at most ``max_norm``."""
        self._set_options(clip_norm=max_norm)

    def set_gradient_accumulation(self, steps: int) -> None:
        """Average the gradients of this many steps before applying them."""
        self._set_options(accumulate=steps)

    def set_averaging(self, decay: float | None) -> None:
        """Keep a running average of every parameter; None: keep none.

        After n updates the next one makes it ``average + r·(parameter − average)`` with
        ``r = 1 − min(decay, n / (n + 10))``: the first update sets it, and it forgets faster than
        ``decay`` says until ``n = 10·decay / (1 − decay)``, because its start says nothing."""
        self._set_options(average=decay)

    def get_average(self, name: str) -> Array:
        """A parameter's running average; before the first update, its value. Without averaging
        (`set_averaging`) it is a `SessionError`."""
        value = self.get_parameter(name)
        if self._options.average is None or not self._config.training:
            raise SessionError(
                "this session keeps no running averages of parameters",
                hint="call set_averaging(decay) before training, or read get_parameter",
            )
        has_one = self._runner.counts.averaged and self.graph().leaf(AVERAGE + name) is not None
        return self._runner.read(AVERAGE + name) if has_one else value

    def _set_options(self, **changes: Any) -> None:
        self._options = replace(self._options, **changes)
        if self._runner.rule is not None:
            self.set_optimizer(self._runner.rule.optimizer)

    # Steps and results

    def step(self) -> None:
        """Run the whole sequence once: forward, and in training backward and update.

        **With an optimizer this trains**, on whatever the inputs hold: `evaluate` does not."""
        with span("step"):
            self._runner.step(self._config.nonfinite == "raise")

    run = step

    def evaluate(self) -> None:
        """Run forward only, on the present inputs and parameters, without training. `read_loss` and
        `read_output` then give this run's results.

        Nothing changes: no parameter, no state or cache, no moment, no count. This is a program of
        its own, compiled when it is first needed, with memory of its own."""
        with span("evaluate"):
            self._runner.evaluate(self._config.nonfinite == "raise")

    def num_steps(self) -> int:
        """How many steps were made, with those before a checkpoint that was loaded."""
        return self._runner.counts.steps

    def wait(self) -> None:
        """Return when the last step is finished."""
        with span("wait"):
            self._runner.wait()

    def time_dispatches(self) -> list[int]:
        """Nanoseconds that each dispatch of ``plan()`` takes: each by itself on the CPU, one after
        another on a GPU. A step is run for it, and everything put back as it was."""
        return self._runner.time_dispatches()

    def report(self) -> OptimizeReport:
        """What optimization does to the graph that is run, with the update as it is now. Nothing
        is taken from the cache for it, so it takes as long as a first build."""
        target = self._runner.device.compiles_for()
        options = self._config.options()
        if target is None or options is None:
            raise SessionError(
                f"there is nothing to report: {self._config.device} does not optimize",
                hint='use "cpu" or "gpu", and SessionConfig(optimize=True)',
            )
        _, found = report(self._runner.graph_for(self._runner.rule), target, options)
        return found

    def verification(self) -> Verification:
        """How far the present plan is from the reference, by a session with ``verify=True``."""
        found = self._runner.verification
        if found is None:
            raise SessionError(
                "nothing was compared with the reference",
                hint="build with SessionConfig(verify=True), and make a step",
            )
        return found

    def num_outputs(self) -> int:
        """How many outputs the graph has."""
        return len(self._graph.outputs())

    def read_output(self, i: int = 0) -> Array:
        """Output ``i`` of the last step or evaluation."""
        if not 0 <= i < self.num_outputs():
            raise SessionError(f"there is no output {i}: the graph has {self.num_outputs()}")
        return self._runner.output(i)

    def read_outputs(self) -> list[Array]:
        """All outputs of the last step or evaluation."""
        return [self.read_output(i) for i in range(self.num_outputs())]

    def read_loss(self) -> float:
        """The loss of the last step or evaluation: the first output, a single number."""
        loss = self._runner.output(0)
        if loss.size != 1:
            raise SessionError(f"the first output is no loss: its shape is {list(loss.shape)}")
        return float(loss.ravel()[0])

    def step_checked(self) -> None:
        """A step that stops at the first NaN or infinity, and names the node that made it. It is
        walked through op by op for that, which is slow; where it stops, nothing has changed."""
        with span("step"):
            self._runner.step(raise_nonfinite=True)

    def note_loss(self) -> None:
        """Keep the loss of the last step for `noted_losses`, without waiting for the device."""
        self._runner.note(0)

    def noted_losses(self) -> list[float]:
        """The losses noted since this was asked last, in order."""
        return [float(loss.ravel()[0]) for loss in self._runner.noted()]

    def has_param_grad(self, name: str) -> bool:
        """Whether the session computes a gradient for this parameter."""
        self._leaf(name, Parameter)
        return self._config.training

    def read_param_grad(self, name: str) -> Array:
        """A parameter's gradient in the last step, before clipping."""
        if not self.has_param_grad(name):
            raise SessionError(f'an inference session has no gradient for "{name}"')
        return self._runner.gradient(name)

    def read_all_param_norms(self) -> dict[str, float]:
        """The Euclidean norm of each parameter."""
        return {name: float(np.linalg.norm(self.get_parameter(name))) for name in self._parameters}

    def read_all_param_grad_norms(self) -> dict[str, float]:
        """The Euclidean norm of each gradient in the last step."""
        return {n: float(np.linalg.norm(self.read_param_grad(n))) for n in self._parameters}

    # Weights and checkpoints

    def snapshot(self) -> Snapshot:
        """A copy of all that persists: parameters, states, optimizer, counts."""
        return Snapshot(self._runner.rule, self._runner.counts, self._runner.kept())

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this session, or of one with the same parameters and states."""
        self._restore(snapshot.rule, snapshot.counts, snapshot.leaves)

    def _restore(
        self, rule: UpdateRule | None, counts: Counts, leaves: Mapping[str, Array]
    ) -> None:
        self._runner.restore(rule, counts, leaves)
        if rule is not None:
            self._options = replace(rule, optimizer=Sgd(0.0))

    def load_weights(
        self, path: str | os.PathLike[str], *, rename: Rename | None = None, strict: bool = True
    ) -> None:
        """Take parameters from safetensors in HuggingFace's layout: a file, the index of several,
        or a folder with either (see `match_weights` for ``rename`` and ``strict``).

        Nothing changes unless all fits. Values that are not finite are taken, except by a session
        with ``nonfinite="raise"``."""
        finite = self._config.nonfinite == "raise"
        tensors = read_weights(path)
        arrays = match_weights(self._graph, tensors, rename, strict=strict, finite=finite)
        for name, array in arrays.items():
            self.set_parameter(name, array)

    def save_weights(
        self,
        path: str | os.PathLike[str],
        *,
        rename: Rename | None = None,
        averages: bool = False,
    ) -> None:
        """Write the parameters, or with ``averages`` their running averages, as float32 to one
        safetensors file in HuggingFace's layout, whole or not at all. What training needs besides
        is in a checkpoint."""
        read = self.get_average if averages else self.get_parameter
        arrays = {name: read(name) for name in self._parameters}
        save_weights(path, self._graph, arrays, rename)

    def save_checkpoint(
        self, path: str | os.PathLike[str], extra: Mapping[str, Any] | None = None
    ) -> None:
        """Write parameters, states, step count and optimizer to one file, whole or not at all.

        ``extra`` is data of the caller's own (JSON) that `load_checkpoint` gives back."""
        runner = self._runner
        description = {
            "counts": asdict(runner.counts),
            "rule": None if runner.rule is None else runner.rule.to_json(),
            "extra": dict(extra or {}),
        }
        write_checkpoint(path, runner.kept(), description)

    def load_checkpoint(
        self, path: str | os.PathLike[str], *, averages: bool | None = None
    ) -> dict[str, Any]:
        """Take over everything `save_checkpoint` wrote; the result is its ``extra``.

        An inference session takes parameters and states. Where the checkpoint also has running
        averages it must be told which to take: ``averages=True`` or ``averages=False``.

        Nothing changes unless the whole file fits this session."""
        tensors, description = read_checkpoint(path)
        extra, stored = description.get("extra"), description.get("rule")
        try:
            counts = Counts.from_json(description["counts"])
        except (KeyError, TypeError, FormatError):
            extra = None
        if not isinstance(extra, dict):
            raise FormatError(f"{path}: the description is damaged")
        rule = None if stored is None else UpdateRule.from_json(stored, str(path))
        if not self._config.training:
            has_averages = rule is not None and rule.average is not None
            tensors = without_update(path, tensors, has_averages, counts.averaged, averages)
            rule = None
        elif averages is not None:
            raise SessionError(
                "a training session takes both the parameters and their averages",
                hint="to train on from averages: save_weights(path, averages=True), load_weights",
            )
        leaves = match_leaves(
            path, self._runner.graph_for(rule), tensors, self._runner.device.dtype
        )
        self._restore(rule, counts, leaves)
        return extra

    # Inspection

    def graph(self) -> Graph:
        """The graph that is run: with gradients and updates, where there are any."""
        self._runner.refreshed()
        return self._runner.graph

    def plan(self) -> Plan:
        """The plan of the present program: its dispatches, and where in memory every value lies."""
        plan = self._runner.refreshed().plan
        if plan is None:
            raise SessionError(
                f"the {self.device_information().name} device has no plan: it runs op by op",
                hint='build the session with device="cpu"',
            )
        return plan

    def device_information(self) -> DeviceInformation:
        """What device the session runs on."""
        return self._runner.device.information()

    def memory_summary(self) -> MemorySummary:
        """What the session's memory is used for."""
        return self._runner.memory_summary()

    def close(self) -> None:
        """Release the device's memory; the session can do nothing afterwards."""
        self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
