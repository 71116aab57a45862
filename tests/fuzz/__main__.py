"""Fuzzing by hand: ``make fuzz GRAPHS=20000``. Half of the graphs run with NaN in all stale memory.
Failures are written to build/fuzz, and make the exit code 1."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from meganeura.ir.op import REGISTRY
from tests.fuzz.check import VARIANTS, alone, checked, described, kind_of, reduced
from tests.fuzz.templates import make
from tests.helpers.devices import WHY_NO_GPU

FOLDER = Path("build/fuzz")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--graphs", type=int, default=2000, help="how many graphs")
    parser.add_argument("--minutes", type=float, default=None, help="stop after so long")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="the first graph's seed")
    parser.add_argument("--together", type=int, default=12, help="graphs compiled as one")
    parser.add_argument("--devices", default=None, help="names of variants, with commas")
    parser.add_argument("--reduce", type=int, default=60, help="trials to make a failure small")
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the graphs")
    a = parser.parse_args()
    if a.jobs > 1:
        return in_processes(a.jobs, a.graphs, a.seed)
    os.environ.setdefault("MEGANEURA_CACHE", "off")
    names = [n for n in VARIANTS if not (WHY_NO_GPU and n.startswith("gpu"))]
    names = a.devices.split(",") if a.devices else names
    campaign = Campaign(names, a.reduce)
    run(campaign, a.seed, a.graphs, a.together, a.minutes)
    return 1 if campaign.failed.total() else 0


def in_processes(jobs: int, graphs: int, seed: int) -> int:
    """Each process has graphs of its own; what they print comes as they print it."""
    share = -(-graphs // jobs)
    command = [sys.executable, "-m", "tests.fuzz", *sys.argv[1:], "--jobs", "1"]
    processes = [
        subprocess.Popen([*command, "--graphs", str(share), "--seed", str(seed + i * 2 * share)])
        for i in range(jobs)
    ]
    return max(process.wait() for process in processes)


class Campaign:
    """Counts by device and op, and failures."""

    def __init__(self, names: list[str], trials: int) -> None:
        self.names, self.trials = names, trials
        self.graphs: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.ops: Counter[str] = Counter()
        self.compared = self.unknown = 0

    def batch(self, name: str, seeds: tuple[int, ...], training: bool) -> None:
        made = make(seeds, training, finite=name.startswith("gpu"))
        outcome = checked(made, VARIANTS[name])
        self.graphs[name] += len(seeds)
        self.ops.update(outcome.ops or {})
        self.compared += outcome.compared
        self.unknown += outcome.unknown
        if outcome.wrong:
            failing = alone(made, VARIANTS[name])
            self.failed[name] += max(1, len(failing))
            for one in failing or [made]:
                self.report(name, one, small=bool(failing))

    def report(self, name: str, made, small: bool) -> None:
        config = VARIANTS[name]
        first = checked(made, config).wrong
        print(f"FAILED {name} {kind_of(first)} seeds={made.seeds} training={made.training}")
        try:
            less = reduced(made, config, self.trials)
        except Exception as error:  # the reference fails as well: nothing to cut by
            print(f"  not reduced: {error!r}")
            less = made
        text = f"{described(less, config)}\n\nreduced from:\n{made.graph.text()}"
        FOLDER.mkdir(parents=True, exist_ok=True)
        path = FOLDER / f"{name.replace(' ', '-').replace(':', '-')}-{made.seeds[0]}.txt"
        path.write_text(text)
        nodes = [n.op.name for n in less.graph.nodes()]
        print(f"  {' '.join(nodes[:14])}\n  {(first or ['?'])[0]}\n  {path}", flush=True)

    def summary(self, seconds: float) -> str:
        total = sum(self.graphs.values())
        rows = [f"{n:<18}{c:>8} graphs{self.failed[n]:>6} failed" for n, c in self.graphs.items()]
        missing = sorted(set(REGISTRY) - set(self.ops))
        rows.append("ops: " + ", ".join(f"{op} {c}" for op, c in self.ops.most_common()))
        rows.append(f"ops never met: {', '.join(missing) or 'none'}")
        share = self.unknown / max(1, self.compared + self.unknown)
        rows.append(f"{self.compared:,} elements compared, {share:.1%} more not known")
        rows.append(f"{total} graphs in {seconds:.0f} s: {total / seconds:.1f} a second")
        return "\n".join(rows)


def run(campaign: Campaign, seed: int, graphs: int, together: int, minutes: float | None) -> None:
    start, at, turn = time.monotonic(), seed, 0
    while at < seed + graphs:
        if minutes is not None and time.monotonic() - start > 60 * minutes:
            break
        name = campaign.names[turn % len(campaign.names)]
        os.environ["MEGANEURA_POISON"] = str(turn // len(campaign.names) % 2)
        count = 1 if turn % 5 == 4 else together
        campaign.batch(name, tuple(range(at, at + count)), training=turn // 2 % 3 != 2)
        at, turn = at + count, turn + 1
    print(campaign.summary(time.monotonic() - start))


if __name__ == "__main__":
    sys.exit(main())
