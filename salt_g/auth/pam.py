"""Authentication `pam` of users of this machine, by PAM in a separate process.

PAM's modules block, delay on purpose after a failure, and load system libraries, which a daemon must not do.
The password is passed through a pipe, never in arguments or the environment.
Settings: `auth.pam.service` (login), `auth.pam.python` (interpreter to use).
Errors: AuthModuleError when PAM cannot be used.
"""

from __future__ import annotations

import grp
import json
import os
import pwd
import subprocess
from collections.abc import Mapping
from typing import Any

from salt_g.auth import pam_process
from salt_g.errors import AuthModuleError
from salt_g.process.command import as_python
from salt_g.process.offload import offload_in_daemon
from salt_g.shapes import Opts

#: Time limit for one login (s).
_TIMEOUT = 30.0


class Checker:
    """Checker of passwords with PAM."""

    def __init__(self, opts: Opts, options: Mapping[str, Any]) -> None:
        self._service = str(opts.get("auth.pam.service") or "login")
        python = opts.get("auth.pam.python")
        self._python = [str(python)] if python else as_python()

    def is_right(self, username: str, password: str) -> bool:
        """Return whether PAM accepts this password for the user."""
        question = json.dumps([self._service, username, password]).encode()
        # -I: neither the environment nor the working directory influences its imports.
        command = [*self._python, "-I", os.path.abspath(pam_process.__file__)]
        try:
            process = subprocess.run(
                command, input=question, capture_output=True, timeout=_TIMEOUT, check=False, env={}
            )
        except subprocess.TimeoutExpired:
            raise AuthModuleError("pam", f"PAM did not answer within {_TIMEOUT:g} s") from None
        if process.returncode == pam_process.UNUSABLE:
            raise AuthModuleError("pam", process.stderr.decode(errors="replace").strip())
        return process.returncode == pam_process.RIGHT

    def groups(self, username: str) -> list[str]:
        """Return the names of the user's groups on this machine."""
        # Groups may be in a remote directory, which the C library queries without yielding.
        return offload_in_daemon(_groups_of, username)

    def permissions(self, username: str, password: str) -> list[Any] | None:
        """Return None, so that the settings decide."""
        return None


def _groups_of(username: str) -> list[str]:
    try:
        entry = pwd.getpwnam(username)
    except KeyError:
        return []
    numbers = set(os.getgrouplist(username, entry.pw_gid))
    return sorted(group.gr_name for group in grp.getgrall() if group.gr_gid in numbers)
