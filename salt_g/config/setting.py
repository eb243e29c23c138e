"""Declaration of one setting, shared by parser, check and docs page.

A declaration is a tuple, because hundreds of them are created at each start.
"""

from __future__ import annotations

from types import UnionType
from typing import Any, NamedTuple

#: Default of a setting that the role reads, but that is missing from `opts` unless set explicitly.
UNSET: Any = type("Unset", (), {"__repr__": lambda self: "UNSET"})()
#: Default of a setting that the role does not read.
FOREIGN: Any = type("Foreign", (), {"__repr__": lambda self: "FOREIGN"})()


class Setting(NamedTuple):
    """Declaration of a setting.

    `kind` is a type, or several joined by `|`. `text` is one sentence. `minion` and `master` are the
    defaults of the two roles, or UNSET or FOREIGN. `unit` is "" where none applies.
    """

    name: str
    kind: type | UnionType
    text: str
    minion: Any = FOREIGN
    master: Any = FOREIGN
    unit: str = ""

    def default(self, role: str) -> Any:
        """Return the default for a role (`minion` or `master`), or UNSET or FOREIGN."""
        return self.master if role == "master" else self.minion

    @property
    def roles(self) -> list[str]:
        """Roles that read this setting."""
        return [role for role in ("minion", "master") if self.default(role) is not FOREIGN]


def minion(name: str, kind: type | UnionType, default: Any, text: str, unit: str = "") -> Setting:
    """Declare a setting read by minions."""
    return Setting(name, kind, text, default, FOREIGN, unit)


def master(name: str, kind: type | UnionType, default: Any, text: str, unit: str = "") -> Setting:
    """Declare a setting read by masters."""
    return Setting(name, kind, text, FOREIGN, default, unit)


def both(name: str, kind: type | UnionType, default: Any, text: str, unit: str = "") -> Setting:
    """Declare a setting read by both roles, with one default."""
    return Setting(name, kind, text, default, default, unit)


def each(name: str, kind: type | UnionType, defaults: tuple[Any, Any], text: str, unit: str = "") -> Setting:
    """Declare a setting read by both roles, with a default for the minion and one for the master."""
    return Setting(name, kind, text, *defaults, unit)
