"""Password files of web servers, managed with htpasswd."""

from __future__ import annotations

import os
from typing import Any

from salt_g.modules._programs import run, succeeds
from salt_g.modules._required import hint
from salt_g.process.command import which


def __virtual__() -> bool | tuple[bool, str]:
    if which("htpasswd"):
        return True
    why = "The htpasswd execution mdule cannot be loaded: htpasswd binary not in path."
    return False, why + hint("htpasswd")


def useradd(pwfile: str, user: str, password: str, opts: str = "", runas: str | None = None) -> Any:
    """Add a user to a password file, or change the password; return the result of `cmd.run_all`.

    `opts` are flags of htpasswd(1): `m` for MD5, `B` for bcrypt, `s` for SHA. A missing file is created.

    Example::

        salt-g webutil.useradd /etc/httpd/htpasswd larry badpassword
    """
    flags = f"-b{opts}" if os.path.exists(pwfile) else f"-b{opts}c"
    # The password is part of the command line, so it is not logged.
    return run(["htpasswd", flags, pwfile, user, password], runas=runas, output_loglevel="quiet")


def userdel(pwfile: str, user: str, runas: str | None = None, all_results: bool = False) -> Any:
    """Remove a user from a password file; return the output lines, or an error message without the file.

    `all_results` returns the result of `cmd.run_all` instead of the lines.

    Example::

        salt-g webutil.userdel /etc/httpd/htpasswd larry
    """
    if not os.path.exists(pwfile):
        return "Error: The specified htpasswd file does not exist"
    finished = run(["htpasswd", "-D", pwfile, user], runas=runas)
    return finished if all_results else [*finished["stdout"].splitlines(), *finished["stderr"].splitlines()]


def verify(pwfile: str, user: str, password: str, opts: str = "", runas: str | None = None) -> bool:
    """Return whether a password file contains a user with this password; `opts` is as in `webutil.useradd`.

    Example::

        salt-g webutil.verify /etc/httpd/htpasswd larry badpassword
    """
    words = ["htpasswd", f"-bv{opts}", pwfile, user, password]
    return os.path.exists(pwfile) and succeeds(words, runas=runas, output_loglevel="quiet")
