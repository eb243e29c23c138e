"""Order of rpm versions: `[epoch:]version[-release]`.

A comparison in Python costs microseconds and needs no rpm on the machine.

Source: rpm's documentation "Version comparison"; property test against `rpm --eval` (%{lua:rpm.vercmp}).
"""

from __future__ import annotations

import re

#: Significant segment: a number, a word, `~` (sorts before everything, even the end) or `^` (sorts after the
#: end, but before any word or number).
_PIECE = re.compile(r"[0-9]+|[A-Za-z]+|~|\^")


def compare(first: str, second: str, ignore_epoch: bool = False) -> int:
    """Return -1, 0 or 1 as `first` is older than, the same as, or newer than `second`.

    Releases are compared only if both have one.
    """
    ours, theirs = _split(first, ignore_epoch), _split(second, ignore_epoch)
    if ours[0] != theirs[0]:
        return 1 if ours[0] > theirs[0] else -1
    by_version = compare_part(ours[1], theirs[1])
    if by_version or not (ours[2] and theirs[2]):
        return by_version
    return compare_part(ours[2], theirs[2])


def compare_part(first: str, second: str) -> int:
    """Compare two versions, or two releases, segment by segment."""
    if first == second:
        return 0
    ours, theirs = _PIECE.findall(first), _PIECE.findall(second)
    for our, their in zip(ours, theirs, strict=False):
        if _key(our) != _key(their):
            return 1 if _key(our) > _key(their) else -1
    if len(ours) == len(theirs):
        return 0
    longer, sign = (ours, 1) if len(ours) > len(theirs) else (theirs, -1)
    return -sign if longer[min(len(ours), len(theirs))] == "~" else sign


def split(version: str) -> tuple[str | None, str, str | None]:
    """Return (epoch, version, release), None for missing parts."""
    epoch, colon, rest = version.partition(":")
    if not colon:
        epoch, rest = "", version
    upstream, _, release = rest.partition("-")
    return epoch or None, upstream, release or None


def _split(version: str, ignore_epoch: bool) -> tuple[int, str, str]:
    epoch, upstream, release = split(version)
    is_number = epoch is not None and epoch.isdigit() and not ignore_epoch
    return int(epoch) if is_number and epoch else 0, upstream, release or ""


def _key(piece: str) -> tuple[int, int, str]:
    """Return the sort key of a segment: `~`, then `^`, then words, then numbers."""
    if piece.isdigit():
        return 3, int(piece), ""
    return {"~": 0, "^": 1}.get(piece, 2), 0, piece
