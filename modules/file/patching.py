"""Patches applied with the program `patch`."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence
from typing import Any

from salt_g import safe_files
from salt_g.api import call
from salt_g.errors import CommandExecutionError


def patch(
    originalfile: str, patchfile: str, options: str | Sequence[str] = "", dry_run: bool = False
) -> dict[str, Any]:
    """Apply a patch to a file or directory; return the result of `cmd.run_all`.

    A patch that was applied before is not reversed; rejects are discarded unless `options` name a file.

    Example::

        salt-g file.patch /opt/file.txt /tmp/file.txt.patch
    """
    safe_files.check(originalfile)
    program = shutil.which("patch")
    if not program:
        raise CommandExecutionError(
            "patch executable not found. Is the distribution's patch package installed?"
        )
    words = shlex.split(options) if isinstance(options, str) else [str(word) for word in options]
    command = [program, *words]
    if dry_run:
        command.append("--dry-run")
    if not {"-N", "--forward"} & set(words):
        command.append("--forward")
    if not any(word == "-r" or word.startswith(("-r ", "--reject-file")) for word in words):
        command.append("--reject-file=-")
    command += ["-i", patchfile]
    if os.path.isdir(originalfile):
        command += ["-d", originalfile]
        if not any(word.startswith(("-p", "--strip=")) for word in words):
            command.append("--strip=0")
    else:
        command.append(originalfile)
    if not dry_run:
        safe_files.announce_change(originalfile)
    answer: dict[str, Any] = call("cmd.run_all", command, python_shell=False)
    return answer
