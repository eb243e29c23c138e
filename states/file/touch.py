"""Empty files and file times.

Source: stock docs of `file.touch`; conformance case `file/touch-copy-rename`.
"""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import changed, failed, outcome, would_change
from salt_g.states.file.checks import path_problem


def touch(name: str, atime: Any = None, mtime: Any = None, makedirs: bool = False) -> StateReturn:
    """Create a file if it is missing, and set its times (seconds since the epoch; default: now).

    Example::

        /var/log/httpd/logrotate.empty:
          file.touch
    """
    name = os.path.expanduser(name)
    if problem := path_problem(name, "touch"):
        return failed(name, problem)
    if opts["test"]:
        return _planned(name, atime, mtime)
    parent = os.path.dirname(name)
    if makedirs:
        call("file.makedirs", path=name)
    if not os.path.isdir(parent):
        return failed(name, f"Directory not present to touch file {name}")
    present = os.path.exists(name)
    call("file.touch", name, atime, mtime)
    if not present:
        return changed(name, f"Created empty file {name}", {"new": name})
    kind = "directory" if os.path.isdir(name) else "file"
    return changed(name, f"Updated times on {kind} {name}", {"touched": name})


def _planned(name: str, atime: Any, mtime: Any) -> StateReturn:
    if not os.path.exists(name):
        return would_change(name, f"File {name} is set to be created", {"new": name})
    found = os.lstat(name)
    wanted = ((atime, found.st_atime), (mtime, found.st_mtime))
    if any(time is not None and str(time) != str(current) for time, current in wanted):
        return would_change(name, f"Times set to be updated on file {name}", {"touched": name})
    # Stock lists the file as a change here although nothing would change.
    return outcome(name, True, f"File {name} exists and has the correct times", {"new": name})
