"""``python -m tests.browser``: compile all generated WGSL in headless Chromium.

Every module is compiled. Pipelines, which make the browser's GPU in software compile too, are made
of one module for each set of declarations, on which alone limits depend; ``--all`` makes all.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.browser.check import check
from tests.browser.chromium import NAME, find
from tests.browser.modules import collect, one_of_each


def main() -> int:
    """0 if there is no error."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser", description=__doc__)
    parser.add_argument("--all", action="store_true", help="make a pipeline of every module")
    everything = parser.parse_args().all
    if find() is None:
        parser.error(f"there is no {NAME} on PATH")
    start = time.monotonic()
    modules = collect()
    print(f"{len(modules)} modules generated in {time.monotonic() - start:.0f} s", flush=True)
    start = time.monotonic()
    report = check(modules, range(len(modules)) if everything else one_of_each(modules))
    for fault in report.faults:
        print(f"\n{fault}", file=sys.stderr)
    print(f"{report}, {time.monotonic() - start:.0f} s")
    return int(bool(report.faults))


if __name__ == "__main__":
    sys.exit(main())
