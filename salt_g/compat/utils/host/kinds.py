"""Stock's `salt.utils.kinds`: kinds of programs and their numbers."""

from typing import NamedTuple

APPL_KINDS = {"master": 0, "minion": 1, "syndic": 2, "caller": 3}
APPL_KIND_NAMES = {number: name for name, number in APPL_KINDS.items()}


class ApplKind(NamedTuple):
    """The numbers of the kinds of programs, as attributes."""

    master: int
    minion: int
    syndic: int
    caller: int


applKinds = ApplKind(**APPL_KINDS)

__all__ = ["APPL_KINDS", "APPL_KIND_NAMES", "ApplKind", "applKinds"]
