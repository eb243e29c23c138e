"""Commands of LVM, and parsing of their tables.

Shapes: a table is {name: {column: text}}, with the columns of lvdisplay(8) `--colon`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from salt_g.modules._programs import act, run


def table(program: str, name: str, columns: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the output of a display program, for one item or all; {} if the name is unknown."""
    finished = run([program, "-c", *([name] if name else [])])
    if finished["retcode"] != 0:
        return {}
    lines = (line.strip() for line in finished["stdout"].splitlines())
    rows = (line.split(":") for line in lines if ":" in line and "is a new physical volume" not in line)
    return {row[0]: dict(zip(columns, row, strict=False)) for row in rows}


def names(devices: str | Sequence[str]) -> list[str]:
    """Return devices as a list, split at commas."""
    return devices.split(",") if isinstance(devices, str) else list(devices)


def consent(force: bool, yes: str = "--yes") -> str:
    """Return the option that avoids prompts: yes with `force`, no without."""
    return yes if force else "-qq"


def options(given: Mapping[str, Any], valued: Iterable[str], bare: Iterable[str] = ()) -> list[str]:
    """Return the supported options as arguments; `bare` ones take no value."""
    words: list[str] = []
    for name, value in given.items():
        if value and name in bare:
            words.append(f"--{name}")
        elif value and name in valued:
            words += [f"--{name}", str(value)]
    return words


def run_lvm(argv: Sequence[str], success: str) -> str:
    """Run a program; return `success`, or the program's error output."""
    finished = act(argv)
    return finished["stderr"].strip() if finished["retcode"] else success
