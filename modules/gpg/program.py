"""Commands of gpg on a keyring: its location and user, input, and parsed output.

gpg works on another user's keyring as that user, so that file ownership stays intact. salt-g opens the files
and passes descriptors; passphrases go through a pipe, never on the command line.

Source: doc/DETAILS of GnuPG, for status lines.
"""

from __future__ import annotations

import contextlib
import os
import pwd
from collections.abc import Iterator
from typing import IO, Any, NamedTuple

from salt_g import safe_files
from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError, CommandTimeout, InvocationError
from salt_g.process import command

#: Time limit of one run, in seconds.
TIME_LIMIT = 120.0
#: Time limit of a run that creates a key or contacts a server, in seconds.
LONG_TIME_LIMIT = 600.0
_STATUS = "[GNUPG:] "
#: Text that gpg adds when it must start no agent and none runs.
_NO_AGENT = "gpg: no gpg-agent running in this session"


class Keychain(NamedTuple):
    """GnuPG directory, a file that replaces its public keys (`keyring`) and the user who runs gpg (`who`)."""

    home: str
    keyring: str | None = None
    who: command.Identity | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the keyring has no files."""
        if self.keyring:
            # A name without a slash is a file in the directory.
            return not os.path.exists(
                os.path.join(self.home if "/" not in self.keyring else "", self.keyring)
            )
        return not os.path.isdir(self.home)

    @property
    def has_secret_keys(self) -> bool:
        """Whether files of secret keys exist, in the current format or one that gpg has yet to convert."""
        try:
            today = os.listdir(os.path.join(self.home, "private-keys-v1.d"))
        except OSError:
            today = []
        return bool(today) or os.path.exists(os.path.join(self.home, "secring.gpg"))


class GpgOutput(NamedTuple):
    """Output of one run: status lines as (keyword, arguments), and the data written."""

    retcode: int
    out: bytes
    statuses: list[tuple[str, list[str]]]
    words: str

    def of(self, *keywords: str) -> list[list[str]]:
        """Return the arguments of the status lines with one of these keywords."""
        return [arguments for keyword, arguments in self.statuses if keyword in keywords]

    def has(self, *keywords: str) -> bool:
        """Return whether a status line has one of these keywords."""
        return bool(self.of(*keywords))


def keychain(user: str | None, gnupghome: str | None, keyring: str | None = None) -> Keychain:
    """Return a keyring: the given directory, or that of a user (None: the current user).

    `salt` means the directory `gpgkeys` in the configuration directory. gpg runs as the owner of the
    directory or, if it does not exist, as the user. Raises InvocationError for an unknown user.
    """
    if keyring and not isinstance(keyring, str):
        raise InvocationError("Please pass keyring as a string. Multiple keyrings are not allowed")
    home = os.path.expanduser(gnupghome) if gnupghome else _home(user)
    return Keychain(home, keyring or None, _owner(home) if os.path.isdir(home) else _identity(user))


def prepared(user: str | None, gnupghome: str | None, keyring: str | None = None) -> Keychain:
    """Return a keyring whose directory exists, created private to its user if missing."""
    chain = keychain(user, gnupghome, keyring)
    if not os.path.isdir(chain.home):
        who = chain.who
        owner = {} if who is None else {"user": who.uid, "group": who.gid}
        call("file.mkdir", chain.home, mode="0700", **owner)
    return chain


def run(
    chain: Keychain,
    *words: str,
    stdin: bytes = b"",
    files: tuple[IO[Any], ...] = (),
    passphrase: str | None = None,
    limit: float = TIME_LIMIT,
    agent: bool = True,
) -> GpgOutput:
    """Run gpg; arguments refer to the open `files` by `handed`; `limit` is in seconds.

    Runs that need no secret key set `agent` to False, so that gpg starts no gpg-agent, which would outlive
    it. Raises CommandExecutionError on a timeout.
    """
    with _piped(passphrase) as pipe:
        words_of_pipe = () if pipe is None else ("--pinentry-mode", "loopback", "--passphrase-fd", str(pipe))
        try:
            finished = command.run(
                [*_beginning(chain), *([] if agent else ["--no-autostart"]), *words_of_pipe, *words],
                cwd="/",
                env=_environment(chain.who),
                stdin=stdin,
                timeout=limit,
                who=chain.who,
                pass_fds=[file.fileno() for file in files] + ([] if pipe is None else [pipe]),
            )
        except CommandTimeout as exc:
            raise CommandExecutionError(f"gpg, {chain.home}: not finished after {limit:.0f} s") from exc
    return _parsed_output(finished)


def handed(file: IO[Any]) -> str:
    """Return the command argument for an open file."""
    return f"-&{file.fileno()}"


def passphrase_of_pillar() -> str | None:
    """Return the passphrase in pillar, or None if there is none."""
    found = call("pillar.get", "gpg_passphrase", unmask=True)
    return str(found) if found else None


def needed_passphrase(is_needed: bool) -> str | None:
    """Return the passphrase in pillar if one is needed; raise InvocationError if it is missing."""
    found = passphrase_of_pillar() if is_needed else None
    if is_needed and found is None:
        raise InvocationError("gpg_passphrase not available in pillar.")
    return found


def _home(user: str | None) -> str:
    if user == "salt":
        return os.path.join(str(opts.get("config_dir") or os.path.dirname(str(opts["conf_file"]))), "gpgkeys")
    who = _account(user)
    if who.is_ours():
        return os.environ.get("GNUPGHOME") or os.path.join(who.home, ".gnupg")
    home = ""
    if os.geteuid() == 0:
        shell = pwd.getpwuid(who.uid).pw_shell or "/bin/sh"
        home = command.login_environment(who, shell).get("GNUPGHOME", "")
    return home if home.startswith("/") else os.path.join(who.home, ".gnupg")


def _identity(user: str | None) -> command.Identity | None:
    """Return the user to run gpg as; None for the current user, or if salt-g does not run as root."""
    try:
        found = _account(user)
    except InvocationError:
        # Not every machine has an account of this name, and here it means a directory.
        if user == "salt":
            return None
        raise
    return None if found.is_ours() or os.geteuid() != 0 else found


def _account(user: str | None) -> command.Identity:
    try:
        return command.identity(user)
    except CommandExecutionError as exc:
        raise InvocationError(f"User {user} does not exist") from exc


def _owner(home: str) -> command.Identity | None:
    """Return the owner of a directory; None if unknown, root, or if salt-g does not run as root."""
    uid = os.stat(home).st_uid
    if os.geteuid() != 0 or uid == 0:
        return None
    try:
        return command.identity(pwd.getpwuid(uid).pw_name)
    except KeyError:
        return None


def _beginning(chain: Keychain) -> list[str]:
    ring = ["--no-default-keyring", "--keyring", chain.keyring] if chain.keyring else []
    return [
        *("gpg", "--homedir", chain.home, *ring, "--status-fd", "2", "--no-tty", "--quiet"),
        *("--batch", "--yes"),
        *("--with-colons", "--fixed-list-mode", "--enable-special-filenames"),
    ]


def _environment(who: command.Identity | None) -> dict[str, str]:
    """Return the environment: English messages, no terminal or display for prompts, the user's home."""
    asking = ("DISPLAY", "WAYLAND_DISPLAY", "GPG_TTY", "GNUPGHOME", "LANGUAGE")
    ours = {name: value for name, value in os.environ.items() if name not in asking}
    theirs = {} if who is None else {"HOME": who.home, "USER": who.name, "LOGNAME": who.name}
    return {**ours, **theirs, "LC_ALL": "C.UTF-8"}


@contextlib.contextmanager
def _piped(passphrase: str | None) -> Iterator[int | None]:
    """Open a pipe from which a passphrase can be read; None without a passphrase."""
    if passphrase is None:
        yield None
        return
    if "\n" in passphrase:
        raise InvocationError("gpg_passphrase in pillar has several lines; gpg accepts only one")
    reading, writing = os.pipe()
    try:
        with open(writing, "wb", opener=safe_files.opener) as file:
            file.write(passphrase.encode() + b"\n")
        yield reading
    finally:
        os.close(reading)


def _parsed_output(finished: command.Finished) -> GpgOutput:
    lines = finished.err.splitlines()
    statuses = [line.removeprefix(_STATUS).split() for line in lines if line.startswith(_STATUS)]
    words = "\n".join(line for line in lines if line not in ("", _NO_AGENT) and not line.startswith(_STATUS))
    named = [(keyword, arguments) for keyword, *arguments in statuses]
    return GpgOutput(finished.retcode, finished.stdout, named, words)
