"""States for the existence of paths (absent, exists, missing), and `touch`.

Source: stock docs of these states, including their comments and changes.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh import _files
from salt_g.resources.ssh.states.file._outcome import Refused, absolute, result
from salt_g.shapes import StateReturn


def absent(name: str, **kwargs: Any) -> StateReturn:
    """Ensure that a path of the host does not exist.

    Example::

        /etc/motd.old:
          file.absent
    """
    try:
        absolute(name, "absent")
        if name == "/":
            raise Refused('Refusing to make "/" absent')
        seen = _files.path_state(name, follow=False)
        if not seen.lexists:
            return result(name, True, f"File {name} is not present")
        kind = "directory" if seen.is_directory else "file"
        if opts["test"]:
            return result(name, None, f"{kind.title()} {name} is set for removal", {"removed": name})
        call("file.remove", name)
    except (Refused, CommandExecutionError) as exc:
        return result(name, False, str(exc))
    return result(name, True, f"Removed {kind} {name}", {"removed": name})


def exists(name: str, **kwargs: Any) -> StateReturn:
    """Verify that a path of the host exists; never create it.

    Example::

        /etc/app.conf:
          file.exists
    """
    if not name:
        return result(name, False, "Must provide name to file.exists")
    if not _files.path_state(name).exists:
        return result(name, False, f"Specified path {name} does not exist")
    return result(name, True, f"Path {name} exists")


def missing(name: str, **kwargs: Any) -> StateReturn:
    """Verify that a path of the host does not exist; never remove it.

    Example::

        /etc/nologin:
          file.missing
    """
    if not name:
        return result(name, False, "Must provide name to file.missing")
    if _files.path_state(name).exists:
        return result(name, False, f"Specified path {name} exists")
    return result(name, True, f"Path {name} is missing")


def touch(name: str, atime: Any = None, mtime: Any = None, makedirs: bool = False) -> StateReturn:
    """Ensure that a file exists at a path of the host, with new times.

    Example::

        /var/log/httpd/logrotate.empty:
          file.touch
    """
    try:
        absolute(name, "touch")
        seen = _files.path_state(name)
        if opts["test"]:
            words = "is set to be touched" if seen.exists else "is set to be created"
            return result(name, None, f"File {name} {words}")
        if not seen.exists and not seen.has_parent and makedirs:
            call("file.makedirs", name)
        call("file.touch", name, atime, mtime)
    except (Refused, CommandExecutionError) as exc:
        return result(name, False, str(exc))
    if seen.exists:
        kind = "directory" if seen.is_directory else "file"
        return result(name, True, f"Updated times on {kind} {name}", {"touched": name})
    return result(name, True, f"Created empty file {name}", {"new": name})
