"""Command-line options from a dataclass of settings: a setting is declared once."""

from __future__ import annotations

import argparse
from dataclasses import MISSING, fields
from typing import Any, TypeVar

from ..arguments import field_types

T = TypeVar("T")


def add_options(parser: argparse.ArgumentParser, kind: type) -> None:
    """An option for each field: ``batch_size`` becomes ``--batch-size``. Those that are not given
    are left to the dataclass."""
    for field in fields(kind):
        flag = f"--{field.name.replace('_', '-')}"
        words = field.metadata.get("help", "")
        if field_types(kind)[field.name] is bool:
            parser.add_argument(flag, action="store_true", default=argparse.SUPPRESS, help=words)
            continue
        default = "" if field.default in (None, MISSING) else f" (default: {field.default})"
        kinds = {int: int, float: float}
        parser.add_argument(
            flag,
            type=kinds.get(field_types(kind)[field.name], str),
            metavar=field.name.rpartition("_")[2].upper(),
            default=argparse.SUPPRESS,
            help=words + default,
        )


def given(arguments: argparse.Namespace, kind: type) -> dict[str, Any]:
    """What was given of a dataclass's fields."""
    return {f.name: getattr(arguments, f.name) for f in fields(kind) if f.name in arguments}
