"""Order of Debian versions: `[epoch:]upstream[-revision]`.

A comparison in Python costs microseconds, one with `dpkg` starts a process; a state with hundreds of pinned
packages compares often.

Source: Debian Policy 5.6.12; property test against `dpkg --compare-versions`.
"""

from __future__ import annotations

import re

_PARTS = re.compile(r"(\D*)(\d*)")


def compare(first: str, second: str) -> int:
    """Return -1, 0 or 1 as `first` is older than, the same as, or newer than `second`."""
    ours, theirs = _split(first), _split(second)
    if ours[0] != theirs[0]:
        return 1 if ours[0] > theirs[0] else -1
    return _compare_part(ours[1], theirs[1]) or _compare_part(ours[2], theirs[2])


def without_epoch(version: str) -> str:
    """Return the version without its epoch."""
    return version.split(":", 1)[-1]


def _split(version: str) -> tuple[int, str, str]:
    epoch, colon, rest = version.partition(":")
    if not colon or not epoch.isdigit():
        epoch, rest = "0", version
    upstream, _, revision = rest.rpartition("-") if "-" in rest else (rest, "", "")
    return int(epoch), upstream, revision


def _compare_part(first: str, second: str) -> int:
    """Compare alternating text and number parts from the left, up to the first difference."""
    while first or second:
        first_text, first_number = _PARTS.match(first).groups()  # type: ignore[union-attr]
        second_text, second_number = _PARTS.match(second).groups()  # type: ignore[union-attr]
        ours = (_weights(first_text), int(first_number or 0))
        theirs = (_weights(second_text), int(second_number or 0))
        if ours != theirs:
            return 1 if ours > theirs else -1
        first = first[len(first_text) + len(first_number) :]
        second = second[len(second_text) + len(second_number) :]
    return 0


def _weights(text: str) -> list[int]:
    """Return the sort key of a text: `~` before the end, the end before letters, letters before the rest."""
    return [_weight(character) for character in text] + [0]


def _weight(character: str) -> int:
    if character == "~":
        return -1
    return ord(character) if character.isalpha() else ord(character) + 0x110000
