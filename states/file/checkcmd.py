"""Validation of new files by a command (`check_cmd`)."""

from __future__ import annotations

import logging
import os
import tempfile
from typing import Any

from salt_g import safe_files
from salt_g.api import call, grains

log = logging.getLogger(__name__)


def file_to_check(suffix: str, directory: str | None) -> str:
    """Create a file for the new content in a directory, and return the path of the file.

    If another user could replace the file in this directory after the check, it is created in the directory
    for temporary files.
    """
    if directory and not safe_files.keeps_files(directory):
        log.warning("tmp_dir %s is writable by other users; the file is checked elsewhere", directory)
        directory = None
    descriptor, path = tempfile.mkstemp(suffix=suffix, dir=directory)
    os.close(descriptor)
    return path


def mod_run_check_cmd(cmd: str, filename: str, **check_cmd_opts: Any) -> dict[str, Any] | bool:
    """Return True if a command accepts a file (its last argument), else the parts of a failed result.

    The state engine leaves `check_cmd` of file states to this function.
    """
    options = {**({"shell": grains["shell"]} if "shell" in grains else {}), **check_cmd_opts}
    done = call("cmd.run_all", f"{cmd} {filename}", **options)
    if done["retcode"] == 0:
        return True
    said = [text for text in (done.get("stdout"), done.get("stderr")) if text]
    return {
        "comment": "\n".join(["check_cmd execution failed", *said]),
        "skip_watch": True,
        "result": False,
    }
