"""Where values are placed: no kernel waits for another only because of it."""

from __future__ import annotations

import pytest

from meganeura import Adam, append_update, differentiate
from meganeura.compiler import compile_graph
from meganeura.kernel.target import Target
from meganeura.plan.memory import Launch, plan_memory
from tests.helpers.unet import CONFIGS, training_graph


@pytest.mark.parametrize("name", ["tiny", "small"])
def test_kernels_wait_only_for_what_they_read(name: str):
    graph = append_update(differentiate(training_graph(CONFIGS[name])), Adam(1e-3))
    compiled = compile_graph(graph, Target("cpu", 8))
    plan = compiled.plan
    launches = [Launch(d.kernel, d.tasks, 0, d.flops) for d in plan.dispatches]
    apart = plan_memory(compiled.lowered, launches, 64, guard_bytes=64)
    assert plan.barriers == apart.barriers
    assert plan.arena_bytes < 1.1 * plan.peak_bytes


def test_the_gradient_of_a_strided_convolution_has_no_products_with_zeros():
    graph = differentiate(training_graph(CONFIGS["tiny"]))
    plan = compile_graph(graph, Target("cpu", 8)).plan
    forward = next(d for d in plan.dispatches if d.label.startswith("conv2d[4, 32, 16, 16]"))
    backward = next(d for d in plan.dispatches if d.label.startswith("conv2d_grad_input[4, 2, 2,"))
    # Windows of 2×2 in each of four phases, where there were 3×3 taps and three zeros of four.
    assert backward.flops == pytest.approx(forward.flops * 16 / 9, rel=0.02)
