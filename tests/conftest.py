"""One seed for all random tests: printed at the start, and taken from MEGANEURA_TEST_SEED to
repeat a run."""

from __future__ import annotations

import os
import secrets
import signal
import tempfile

import hypothesis

from tests.helpers.devices import device  # noqa: F401  (a fixture)

SEED = "MEGANEURA_TEST_SEED"


def pytest_configure(config):
    # Set before xdist starts its workers, so that they inherit it.
    # Code is compiled once in a run of the tests, and never taken from an earlier one.
    os.environ.setdefault("MEGANEURA_CACHE", tempfile.mkdtemp(prefix="meganeura-tests-"))
    # The key by which it is signed is not the user's.
    os.environ.setdefault("XDG_CONFIG_HOME", tempfile.mkdtemp(prefix="meganeura-tests-"))
    os.environ.setdefault(SEED, str(secrets.randbelow(2**32)))
    # A shell that runs the tests in the background has Ctrl-C ignored, which processes inherit.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    hypothesis.settings.register_profile(
        "bounded", deadline=None, database=None, print_blob=True, max_examples=40
    )
    hypothesis.settings.load_profile("bounded")


def pytest_terminal_summary(terminalreporter):
    seed = os.environ[SEED]
    terminalreporter.write_line(f"random seed {seed}; repeat with {SEED}={seed}")


def pytest_collection_modifyitems(items):
    for item in items:
        inner = getattr(item, "obj", None)
        if getattr(inner, "is_hypothesis_test", False):
            hypothesis.seed(int(os.environ[SEED]))(inner)


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="record golden files anew")
