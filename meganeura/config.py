"""All settings from the environment, read in one place into one frozen value.

| variable           | meaning                                             | default |
|--------------------|-----------------------------------------------------|---------|
| `MEGANEURA_DEVICE` | the device that `"auto"` stands for                 | `auto`  |
"""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    """What the environment asks for."""

    device: str = "auto"


def read_config() -> Config:
    """The settings as they are in the environment now."""
    return Config(device=os.environ.get("MEGANEURA_DEVICE") or "auto")
