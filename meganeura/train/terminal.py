"""The bar that shows how far a run is, on a terminal."""

from __future__ import annotations

from typing import IO

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn


class Bar:
    """One bar, with the latest numbers beside it; lines go above it."""

    def __init__(self, stream: IO[str]) -> None:
        columns = (
            TextColumn("{task.completed:>6.0f}/{task.total:.0f}"),
            BarColumn(bar_width=None),
            TextColumn("{task.description}"),
        )
        console = Console(file=stream, highlight=False)
        self._progress = Progress(*columns, console=console, expand=True, refresh_per_second=4)
        self._task: TaskID | None = None
        self._progress.start()

    def update(self, done: int, total: int, words: str) -> None:
        """Move the bar."""
        if self._task is None:
            self._task = self._progress.add_task(words, total=total)
        self._progress.update(self._task, completed=done, description=words)

    def line(self, words: str) -> None:
        """Above the bar; words are no markup."""
        self._progress.console.print(words, markup=False)

    def close(self) -> None:
        """Leave the bar as it is."""
        self._progress.stop()
