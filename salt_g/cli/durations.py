"""Durations as written on the command line (`90s`, `12h`, `7d`) and as printed (`90 s`, `12 h`, `7 d`)."""

from __future__ import annotations

import argparse
import re

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
#: Maximum duration (s).
LONGEST = 400 * 86400


def duration(word: str, longest: float = LONGEST) -> float:
    """Return a duration in seconds; raise ArgumentTypeError unless it is between 1 s and `longest`."""
    found = re.fullmatch(r"(\d{1,9})([smhd]?)", word)
    seconds = int(found[1]) * _UNITS[found[2] or "s"] if found else 0
    if not 1 <= seconds <= longest:
        most = f"{longest / 86400:.0f}d"
        raise argparse.ArgumentTypeError(f"{word!r} is not a duration from 1s to {most} such as 90s, 12h, 7d")
    return float(seconds)


def shown(seconds: float) -> str:
    """Return a duration as text, in the largest unit (d, h, min) that divides it evenly, else in seconds."""
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size and seconds % size == 0:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:,.0f} s"
