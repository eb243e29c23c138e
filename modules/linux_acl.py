"""Access control lists of files, read and set with getfacl and setfacl (`acl.*`).

Shapes: {path: {"comment": {"file", "owner", "group", "flags"}, "user": [{name: entry}, ...],
"group": [...], "mask": [{"": entry}], "other": [...], "defaults": the same for new files inside}}, with
"suid", "sgid" and "sticky" True for flags that are set; an entry is {"octal": 0 to 7, "permissions": {"read",
"write", "execute"}}.
Source: acl(5).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from salt_g import safe_files
from salt_g.errors import CommandExecutionError
from salt_g.modules._programs import act, output
from salt_g.modules._required import hint
from salt_g.process.command import which

__virtualname__ = "acl"

_LETTERS = {"user": "u", "u": "u", "group": "g", "g": "g", "mask": "m", "m": "m"}
_BITS = (("r", "read", 4), ("w", "write", 2), ("x", "execute", 1))
#: (meaning, letter) of each position in the line of flags.
_FLAGS = (("suid", "s"), ("sgid", "s"), ("sticky", "t"))


def __virtual__() -> str | tuple[bool, str]:
    if which("getfacl"):
        return __virtualname__
    why = "The linux_acl execution module cannot be loaded: the getfacl binary is not in the path."
    return False, why + hint("getfacl")


def version() -> str:
    """Return the version of getfacl.

    Example::

        salt-g acl.version
    """
    return output(["getfacl", "--version"]).split()[1]


def getfacl(*args: str, **kwargs: Any) -> dict[str, Any]:
    """Return the access control lists of files and directories; `recursive=True` descends into them.

    The result is {path: {"comment": {"file", "owner", "group"}, "user": [{name: entry}], "group": […], …}};
    an entry is {"octal": 0 to 7, "permissions": {"read", "write", "execute"}}.

    Example::

        salt-g acl.getfacl /tmp/house/kitchen /tmp/house/livingroom recursive=True
    """
    _need_files(args)
    printed = output(["getfacl", "--absolute-names", *_recursion(kwargs), *args])
    found: dict[str, Any] = {}
    entry: dict[str, Any] = {}
    for line in filter(None, printed.splitlines()):
        if not line.startswith("#"):
            _add(entry, line)
            continue
        name, _, value = line.removeprefix("# ").partition(": ")
        if name == "file":
            entry = found[value] = {"comment": {}, "user": [], "group": []}
        entry["comment"][name] = value
        if name == "flags":
            set_flags = zip(_FLAGS, value, strict=False)
            entry.update({flag: True for (flag, letter), given in set_flags if given == letter})
    return found


def wipefacls(*args: str, **kwargs: Any) -> bool:
    """Remove all access control lists of files, leaving owner, group and others; return True.

    `recursive=True` descends into directories; `raise_err=True` raises errors.

    Example::

        salt-g acl.wipefacls /tmp/house/kitchen recursive=True
    """
    _need_files(args)
    return _setfacl([*_recursion(kwargs), "-b", *args], args, kwargs)


def modfacl(acl_type: str, acl_name: str = "", perms: str = "", *args: str, **kwargs: Any) -> bool:
    """Set the permissions of a user or group on files; return True.

    acl_type
        `user`, `group` or `mask`, prefixed with `default:` for new files in a directory.
    acl_name
        The user or group; '' for the owner, the owning group, or a mask.
    perms
        Some of `rwxX-`.
    args
        The files and directories.

    `recursive=True` descends into directories; `raise_err=True` raises errors.

    Example::

        salt-g acl.modfacl default:user myuser rwx /tmp/house/kitchen
    """
    _need_files(args)
    entry = f"{_prefix(acl_type)}:{acl_name}:{perms}"
    return _setfacl([*_recursion(kwargs), "-m", entry, *args], args, kwargs)


def delfacl(acl_type: str, acl_name: str = "", *args: str, **kwargs: Any) -> bool:
    """Remove the permissions of a user or group; return True.

    The arguments are those of `acl.modfacl`, without `perms`.

    Example::

        salt-g acl.delfacl user myuser /tmp/house/kitchen
    """
    _need_files(args)
    return _setfacl([*_recursion(kwargs), "-x", f"{_prefix(acl_type)}:{acl_name}", *args], args, kwargs)


def _need_files(files: tuple[str, ...]) -> None:
    if not files:
        raise CommandExecutionError("You need to specify at least one file or directory to work with!")


def _recursion(kwargs: dict[str, Any]) -> list[str]:
    return ["-R"] if kwargs.get("recursive") else []


def _setfacl(words: list[str], files: Iterable[str], kwargs: dict[str, Any]) -> bool:
    for path in files:
        _check(path, is_recursive=bool(kwargs.get("recursive")))
    finished = act(["setfacl", *words])
    if finished["retcode"] and kwargs.get("raise_err"):
        raise CommandExecutionError(finished["stderr"] or finished["stdout"])
    return True


def _check(path: str, *, is_recursive: bool) -> None:
    """Raise UntrustedPath if root must not change a file or, with `is_recursive`, a file in the tree."""
    safe_files.check_for_program(path)
    if is_recursive:
        for folder, _, names in safe_files.walk(path):
            for name in names:
                if not os.path.islink(found := os.path.join(folder, name)):
                    safe_files.check_for_program(found)


def _prefix(acl_type: str) -> str:
    kind = acl_type.removeprefix("default:").removeprefix("d:")
    return ("d:" if acl_type.startswith("d") else "") + _LETTERS.get(kind, "")


def _add(entry: dict[str, Any], line: str) -> None:
    """Add one line of an access control list; the entries of owner and group get their names."""
    fields = line.split()[0].split(":")
    place = entry
    if fields[0] == "default":
        place = entry.setdefault("defaults", {})
        fields = fields[1:]
    kind, name, letters = fields
    own = {"user": "owner", "group": "group"}
    granted = {word: letter in letters for letter, word, _ in _BITS}
    made = {"permissions": granted, "octal": sum(bit for _, word, bit in _BITS if granted[word])}
    if kind in own:
        place.setdefault(kind, []).append({name or entry["comment"][own[kind]]: made})
    else:
        place[kind] = [{"": made}]
