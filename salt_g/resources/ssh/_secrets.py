"""Answer `ssh` when it asks for a password or a passphrase, without leaving it anywhere.

Why its own file: command lines and environments can be read by others, and files stay. The helper that
`ssh` asks (`SSH_ASKPASS`) is a script in a private directory; it takes the secret out of a pipe with a name,
once, and the pipe is gone when the connection stands.
Errors: CommandExecutionError for a secret that does not fit.
"""

from __future__ import annotations

import os
import shlex

from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh._settings import Host

#: What a pipe keeps without a reader (PIPE_BUF).
_LONGEST = 4096
#: A secret is given to the question that it is for: a jump host must not be told the host's password.
_SCRIPT = """#!/bin/sh
case $1 in
*"passphrase for key"*{key}*) from=passphrase ;;
*{place}*) from=password ;;
*) exit 1 ;;
esac
mv {directory}/$from {directory}/$from.$$ || exit 1
IFS= read -r secret < {directory}/$from.$$
rm -f {directory}/$from.$$
printf '%s\\n' "$secret"
"""


class Asked:
    """The helper of one attempt to connect, in `directory`, which is ours alone."""

    def __init__(self, directory: str, host: Host) -> None:
        self._directory = directory
        self._host = host
        self._pipes: list[int] = []

    def __enter__(self) -> dict[str, str]:
        """Put the helper in place; return what the environment of `ssh` says of it."""
        if not (self._host.passwd or self._host.priv_passwd):
            return {}
        path = os.path.join(self._directory, "ask")
        script = _SCRIPT.format(
            directory=shlex.quote(self._directory),
            key=shlex.quote(self._host.priv),
            place=shlex.quote(f"{self._host.user}@{self._host.host}"),
        )
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o700), "w") as file:
            file.write(script)
        self._offer("password", self._host.passwd)
        self._offer("passphrase", self._host.priv_passwd)
        return {"SSH_ASKPASS": path, "SSH_ASKPASS_REQUIRE": "force"}

    def __exit__(self, *exc: object) -> None:
        """Take the helper away, and with the pipes what nobody asked for."""
        for pipe in self._pipes:
            os.close(pipe)
        self._pipes.clear()
        for name in ("ask", "password", "passphrase"):
            try:
                os.unlink(os.path.join(self._directory, name))
            except FileNotFoundError:
                continue

    def _offer(self, name: str, secret: str) -> None:
        if not secret:
            return
        data = secret.encode() + b"\n"
        if len(data) > _LONGEST:
            raise CommandExecutionError(f"a secret of ssh host {self._host.id} is too long")
        path = os.path.join(self._directory, name)
        os.mkfifo(path, 0o600)
        # For reading and writing: opening waits for nobody then, and what is written is kept.
        pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self._pipes.append(pipe)
        os.write(pipe, data)
