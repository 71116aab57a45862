"""Chromium without a window: opens a page of ours, and hands back what the page reports.

The page is served from this machine, because WebGPU is for pages of a safe origin, and it reports
by posting to where it came from.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

NAME = "chromium"
FLAGS = (
    "--headless",
    "--no-sandbox",  # which root cannot have; the only page is ours
    "--no-first-run",
    "--disable-dev-shm-usage",
    "--enable-unsafe-webgpu",
    "--enable-features=Vulkan",
    "--use-vulkan=swiftshader",  # a GPU in software, which comes with it
)
PATIENCE_SECONDS = 600


class BrowserError(Exception):
    """The browser did not do what it was asked for."""


def find() -> str | None:
    """The browser's path."""
    return shutil.which(NAME)


def report_of(page: str) -> str:
    """What a page posts once it is opened."""
    browser = find()
    if browser is None:
        raise BrowserError(f"there is no {NAME} on PATH")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        site = folder / "site"
        site.mkdir()
        (site / "index.html").write_text(page, encoding="utf-8")
        with _served(site) as (address, reports), _opened(browser, address, folder) as process:
            return _awaited(reports, process, folder)


@contextmanager
def _served(site: Path) -> Iterator[tuple[str, SimpleQueue[str]]]:
    """The site's address, and what is posted to it."""
    reports: SimpleQueue[str] = SimpleQueue()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, reports, site)) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/", reports
        finally:
            server.shutdown()
            thread.join()


class _Handler(SimpleHTTPRequestHandler):
    """Serves files, and keeps what is posted."""

    def __init__(self, reports: SimpleQueue[str], site: Path, *request) -> None:
        self.reports = reports
        super().__init__(*request, directory=str(site))

    def do_POST(self) -> None:
        self.reports.put(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.send_response(204)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Requests are nobody's concern."""


@contextmanager
def _opened(browser: str, address: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The browser with a profile of its own, ended with all processes it started."""
    command = [browser, *FLAGS, f"--user-data-dir={folder / 'profile'}", address]
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _awaited(reports: SimpleQueue[str], process: subprocess.Popen[bytes], folder: Path) -> str:
    """The report, unless the browser ends or takes too long."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            return reports.get(timeout=1)
        except Empty:
            continue
    reason = f"in {PATIENCE_SECONDS} seconds" if process.poll() is None else "before it ended"
    log = (folder / "log").read_text(encoding="utf-8", errors="replace")
    raise BrowserError(f"{process.args[0]} reported nothing {reason}:\n{log[-2000:]}")
