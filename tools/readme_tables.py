"""Put the tables of bench/results into README.md.

    python tools/readme_tables.py

A table of the README is that of a result with the same first line.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
TABLE = re.compile(r"(?:^\|.*\|\n)+", re.MULTILINE)


def with_tables(page: str, results: list[str]) -> str:
    """A page with the newest tables."""
    newest = {
        table.partition("\n")[0]: table for result in results for table in TABLE.findall(result)
    }

    def replaced(match: re.Match[str]) -> str:
        table = match.group()
        return newest.get(table.partition("\n")[0], table)

    return TABLE.sub(replaced, page)


def main() -> None:
    """Write the page anew."""
    results = [path.read_text(encoding="utf-8") for path in (ROOT / "bench/results").glob("*.md")]
    readme = ROOT / "README.md"
    readme.write_text(with_tables(readme.read_text(encoding="utf-8"), results), encoding="utf-8")


if __name__ == "__main__":
    main()
