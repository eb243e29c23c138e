"""Answers to `ssh`'s prompts for passwords and passphrases; other users cannot read them.

Other users can read command lines and environments, and files persist. The helper that `ssh` runs
(`SSH_ASKPASS`) is a script in a private directory; it reads the secret from a named pipe, once, and the pipe
is removed when the connection is up.
Errors: CommandExecutionError for a secret that is too long.
"""

from __future__ import annotations

import os
import pwd
import shlex

from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh._settings import Host

#: Maximum size of a secret (bytes): what a pipe holds without a reader (PIPE_BUF).
_LONGEST = 4096
#: Script that gives a secret only to its exact prompt, as OpenSSH writes it, and only to the `ssh` that we
#: started. An `ssh` started by that one, for example for a jump host, has the same environment but another
#: parent. The pid of our `ssh` is written when it starts, before it can prompt.
_SCRIPT = """#!/bin/sh
tries=0
until [ -s {directory}/holder ]; do
    tries=$((tries + 1))
    [ $tries -le 100 ] || exit 1
    sleep 0.1
done
read -r holder < {directory}/holder
[ "$PPID" = "$holder" ] || exit 1
case $1 in
{passphrase}) from=passphrase ;;
{password}) from=password ;;
*) exit 1 ;;
esac
mv {directory}/$from {directory}/$from.$$ || exit 1
IFS= read -r secret < {directory}/$from.$$
rm -f {directory}/$from.$$
printf '%s\\n' "$secret"
"""
#: Prompts of servers for the user's password with `keyboard-interactive`: those of PAM on Linux and of the
#: BSDs. `ssh` puts the user and the host before them (since 8.5; earlier releases put nothing).
_ASKED_INTERACTIVELY = ("Password: ", "Password:", "password: ", "Password for {place}:")
#: Number of characters of a path that a prompt shows in releases that truncate it.
_CUT = 100


def password_questions(host: Host) -> list[str]:
    """Return the exact prompts for the user's password on the host."""
    # `ssh` converts host names to lower case.
    places = dict.fromkeys((f"{host.user}@{host.host.lower()}", f"{host.user}@{_alias(host)}"))
    found = [f"{place}'s password: " for place in places]
    for place in places:
        found += [f"({place}) {words.format(place=place)}" for words in _ASKED_INTERACTIVELY]
    return found


def passphrase_questions(host: Host) -> list[str]:
    """Return the exact prompts for the passphrase of the host's key."""
    path = host.priv
    if path.startswith("~/"):
        # `ssh` expands `~` without regard to HOME, and so do we.
        path = os.path.join(pwd.getpwuid(os.getuid()).pw_dir, path[2:])
    return [f"Enter passphrase for key '{one}': " for one in dict.fromkeys((path, path[:_CUT]))]


def _alias(host: Host) -> str:
    """Return the host name in prompts: the operator's option `HostKeyAlias`, or the address."""
    for option in host.ssh_options:
        name, _, value = option.replace("=", " ", 1).partition(" ")
        if name.lower() == "hostkeyalias":
            return value.strip().strip('"')
    return host.host.lower()


def _pattern(questions: list[str]) -> str:
    return "|".join(map(shlex.quote, questions))


class Askpass:
    """Askpass helper of one connection attempt, in the private `directory`."""

    def __init__(self, directory: str, host: Host) -> None:
        self._directory = directory
        self._host = host
        self._pipes: list[int] = []

    def __enter__(self) -> dict[str, str]:
        """Install the helper; return its environment variables for `ssh`."""
        if not (self._host.passwd or self._host.priv_passwd):
            return {}
        path = os.path.join(self._directory, "ask")
        script = _SCRIPT.format(
            directory=shlex.quote(self._directory),
            passphrase=_pattern(passphrase_questions(self._host)),
            password=_pattern(password_questions(self._host)),
        )
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o700), "w") as file:
            file.write(script)
        self._offer("password", self._host.passwd)
        self._offer("passphrase", self._host.priv_passwd)
        return {"SSH_ASKPASS": path, "SSH_ASKPASS_REQUIRE": "force"}

    def answer(self, pid: int) -> None:
        """Permit the helper to answer the prompts of `ssh`, the process `pid`."""
        path = os.path.join(self._directory, "holder")
        with open(os.open(f"{path}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(f"{pid}\n")
        os.rename(f"{path}.new", path)

    def __exit__(self, *exc: object) -> None:
        """Remove the helper and the pipes, including unread secrets."""
        for pipe in self._pipes:
            os.close(pipe)
        self._pipes.clear()
        for name in ("ask", "holder", "password", "passphrase"):
            try:
                os.unlink(os.path.join(self._directory, name))
            except FileNotFoundError:
                continue

    def _offer(self, name: str, secret: str) -> None:
        if not secret:
            return
        data = secret.encode() + b"\n"
        if len(data) > _LONGEST:
            raise CommandExecutionError(
                f"a secret of ssh host {self._host.id} is longer than {_LONGEST - 1} bytes"
            )
        path = os.path.join(self._directory, name)
        os.mkfifo(path, 0o600)
        # Read-write, so that opening does not wait for a reader and the written data is kept.
        pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self._pipes.append(pipe)
        os.write(pipe, data)
