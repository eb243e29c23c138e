"""Attributes of ext file systems: `lsattr` and `chattr`.

Errors: without these programs `lsattr` returns None and requested attributes are ignored, as on file systems
without attributes.
"""

from __future__ import annotations

import os
import re
import shutil
from typing import Any

from salt_g import safe_files
from salt_g.api import call, opts
from salt_g.errors import InvocationError

_ATTRIBUTES = "aAcCdDeijPsStTu"


def lsattr(path: str) -> dict[str, list[str]] | None:
    """Return {path: [attribute letters]}, or None where `lsattr` is not installed.

    Example::

        salt-g file.lsattr /etc/hosts
    """
    if not shutil.which("lsattr"):
        return None
    if not os.path.exists(path):
        raise InvocationError("File or directory does not exist: " + path)
    found: dict[str, list[str]] = {}
    for line in call("cmd.run", ["lsattr", path], ignore_retcode=True, python_shell=False).splitlines():
        if not line.startswith("lsattr: "):
            letters, name = line.split(None, 1)
            found[name] = re.findall(f"[{_ATTRIBUTES}]", letters)
    return found


def chattr(*files: str, **kwargs: Any) -> bool:
    """Add or remove attributes: `operator` is add or remove, `attributes` are letters.

    `flags` and `version` are passed to the program. Returns whether it printed nothing.

    Example::

        salt-g file.chattr /etc/hosts operator=add attributes=i
    """
    operator, attributes = kwargs.get("operator"), kwargs.get("attributes")
    if operator not in ("add", "remove"):
        raise InvocationError("Need an operator: 'add' or 'remove' to modify attributes.")
    if attributes is None:
        raise InvocationError(f"Need attributes: [{_ATTRIBUTES}]")
    for path in files:
        safe_files.check_for_program(path)
    command = ["chattr", f"{'+' if operator == 'add' else '-'}{attributes}"]
    if kwargs.get("flags") is not None:
        command.append(f"-{kwargs['flags']}")
    if kwargs.get("version") is not None:
        command += ["-v", str(kwargs["version"])]
    return not call("cmd.run", [*command, *files], python_shell=False)


def differing_attributes(path: str, attrs: str) -> tuple[str, str]:
    """Return the letters to add and those to remove; ('', '') if attributes are unsupported."""
    found = (lsattr(path) or {}).get(path)
    if found is None:
        return "", ""
    # The file system manages extents (e); they stay unchanged.
    wanted = set(attrs) | (set(found) & {"e"})
    return "".join(sorted(wanted - set(found))), "".join(sorted(set(found) - wanted))


def check_attributes(path: str, attrs: str, ret: dict[str, Any], problems: list[str]) -> None:
    """Set a file's attributes to `attrs`; add changes to `ret` and failures to `problems`."""
    add, remove = differing_attributes(path, attrs)
    if not add and not remove:
        return
    old = _letters(path)
    new = attrs
    if not opts["test"]:
        if add:
            chattr(path, operator="add", attributes=add)
        if remove:
            chattr(path, operator="remove", attributes=remove)
        if any(differing_attributes(path, attrs)):
            ret["result"] = False
            problems.append(f"Failed to change attributes to {attrs}")
            new = _letters(path)
    if old != new:
        ret["changes"]["attrs"] = {"old": old, "new": new}


def _letters(path: str) -> str:
    return "".join((lsattr(path) or {}).get(path, []))
