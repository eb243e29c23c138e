"""Access control lists in the form of `acl.getfacl`, and their changes.

Shapes: permissions are numbers from 0 to 7, or letters of `rwxX-`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from salt_g.api import call
from salt_g.errors import CommandExecutionError

_BITS = {"r": 4, "w": 2, "x": 1, "X": 1, "-": 0}


class Kind(NamedTuple):
    """Kind of entry: `user`, `group` or `mask`; `is_default` entries apply to new files in a directory."""

    name: str
    is_default: bool

    def entries(self, about: dict[str, Any]) -> dict[str, int] | None:
        """Return {user or group: number} of a file; if there are none, {} for defaults, else None."""
        place = about.get("defaults", {}) if self.is_default else about
        if self.name not in place and not self.is_default:
            return None
        listed = place.get(self.name, [])
        return {name: entry["octal"] for each in listed for name, entry in each.items()}

    def own_name(self, about: dict[str, Any]) -> str:
        """Return the name represented by an empty name: the owner, or the group."""
        return str(about["comment"].get({"user": "owner"}.get(self.name, self.name), ""))


def kind_of(acl_type: str) -> Kind:
    """Parse the kind of an entry: `user`, `default:user` or `d:user`."""
    is_default = acl_type.startswith(("d:", "default:"))
    return Kind(acl_type.partition(":")[2] if is_default else acl_type, is_default)


def number(perms: str) -> int:
    """Return permission letters as a number."""
    return sum(_BITS.get(letter, 0) for letter in perms)


def letters(octal: int) -> str:
    """Return permissions as three letters."""
    return "".join(letter if octal & _BITS[letter] else "-" for letter in "rwx")


def is_granted(octal: int | None, perms: str) -> bool:
    """Return whether permissions are the wanted ones; a final `X` also accepts a missing execute bit."""
    if octal is None:
        return False
    wanted = number(perms)
    return octal == wanted or (perms.endswith("X") and not octal & 1 and octal == wanted - 1)


def apply(
    path: str, acl_type: str, names: Sequence[str], perms: str, recurse: bool, force: bool
) -> str | None:
    """Set permissions for each name (`force`: remove all entries first); return the error, or None."""
    try:
        if force:
            call("acl.wipefacls", path, recursive=recurse, raise_err=True)
        for name in names:
            call("acl.modfacl", acl_type, name, perms, path, recursive=recurse, raise_err=True)
    except CommandExecutionError as exc:
        return str(exc)
    return None
