"""Stock's `salt.utils.kinds`: kinds of programs and their numbers."""

from collections import namedtuple

_NAMES = ("master", "minion", "syndic", "caller")
APPL_KINDS = {name: number for number, name in enumerate(_NAMES)}
APPL_KIND_NAMES = dict(enumerate(_NAMES))
ApplKind = namedtuple("ApplKind", _NAMES)
applKinds = ApplKind(**APPL_KINDS)

__all__ = ["APPL_KINDS", "APPL_KIND_NAMES", "ApplKind", "applKinds"]
