"""Commands of git: run as a user, with SSH keys, and with passwords removed from output.

Errors: CommandExecutionError, `Command 'git …' failed: git's output`.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from typing import Any

from salt_g import safe_files
from salt_g.api import call, scratch
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._network_programs import run_online
from salt_g.shapes import Completed

_PASSWORD = re.compile(r"(https?://)[^/\s@]*@")
#: Common arguments of all commands; `identity` and `saltenv` matter only when a remote is contacted.
_HOW = ("user", "password", "identity", "ignore_retcode", "saltenv", "output_encoding")
#: Give up on a server that sends less than a byte per second for two minutes; git itself waits forever.
_PATIENCE = {"GIT_HTTP_LOW_SPEED_LIMIT": "1", "GIT_HTTP_LOW_SPEED_TIME": "120"}
#: ssh must not prompt, neither for a password nor about an unknown host. A new host's key is added to
#: `~/.ssh/known_hosts` of the user that git runs as; a key that differs from the recorded one is refused.
_SSH = (
    "ssh -i {key} -o StrictHostKeyChecking=accept-new -o PasswordAuthentication=no "
    "-o KbdInteractiveAuthentication=no -o IdentitiesOnly=yes"
)


def git(
    words: Sequence[str],
    cwd: str | None = None,
    how: dict[str, Any] | None = None,
    *,
    failhard: bool = True,
    redirect_stderr: bool = False,
) -> Completed:
    """Run git with these arguments; `how` holds the user and the keys.

    Raises CommandExecutionError if it fails; with `failhard` False the call gets git's exit code instead,
    unless `how` has `ignore_retcode`. Raises InvocationError for an unknown argument.
    """
    how = how or {}
    unknown = [key for key in how if key not in _HOW and not key.startswith("__")]
    if unknown:
        raise InvocationError(f"The following keyword arguments are not valid: {', '.join(unknown)}")
    options: dict[str, Any] = {"cwd": cwd, "redirect_stderr": redirect_stderr}
    options["runas"] = how.get("user")
    options["password"] = how.get("password")
    if how.get("output_encoding"):
        options["output_encoding"] = how["output_encoding"]
    if how.get("identity"):
        finished = _with_keys(words, how, options, failhard)
    else:
        finished = run_online(["git", *words], patience=_PATIENCE, **options)
    if finished["retcode"] and failhard:
        said = finished["stdout" if redirect_stderr else "stderr"]
        command = redacted(" ".join(["git", *words]))
        raise CommandExecutionError(f"Command '{command}' failed{': ' if said else ''}{redacted(said)}")
    if not how.get("ignore_retcode"):
        scratch["retcode"] = finished["retcode"]
    return finished


def text(words: Sequence[str], cwd: str | None, how: dict[str, Any], **options: Any) -> str:
    """Return git's output."""
    return git(words, cwd, how, **options)["stdout"]


def version(versioninfo: bool = False) -> Any:
    """Return the version of git, as text or (`versioninfo`) as a list of numbers.

    Example::

        salt-g git.version
    """
    found = git(["--version"], "/")["stdout"].split()[-1]
    return [int(part) if part.isdigit() else part for part in found.split(".")] if versioninfo else found


def words_of(options: Any) -> list[str]:
    """Return the words of `opts` or the like (a list, or text split as by a shell) without a last `--`."""
    if not options:
        return []
    words = shlex.split(options) if isinstance(options, str) else [str(each) for each in options]
    return words[:-1] if words[-1:] == ["--"] else words


def expand(cwd: str, user: str | None) -> str:
    """Return a path as an absolute one; a relative path is below the home of `user`.

    Raises UntrustedPath as `check_place` does.
    """
    path = os.path.join(os.path.expanduser(f"~{user or ''}"), str(cwd))
    check_place(path, user)
    return path


def check_place(path: str, user: str | None) -> None:
    """Raise UntrustedPath when git, run by root, would follow another user's link to `path`."""
    if user in (None, "", "root"):
        safe_files.check(path)


def with_login(url: str, user: str | None, password: str | None) -> str:
    """Return a URL with the login, if any, inserted; raise InvocationError for another scheme than https."""
    if user is None and password is None:
        return url
    scheme, separator, rest = url.partition("://")
    if scheme != "https" or not separator:
        raise InvocationError("Basic Auth is only supported for HTTPS")
    login = f"{user}:{password}" if password else str(user)
    return f"{scheme}://{login}@{rest.rpartition('@')[2] if '@' in rest.split('/')[0] else rest}"


def redacted(said: str) -> str:
    """Return text with the logins in URLs removed."""
    return _PASSWORD.sub(r"\1<redacted>@", said or "")


def _with_keys(
    words: Sequence[str], how: dict[str, Any], options: dict[str, Any], failhard: bool
) -> Completed:
    """Run git with each of the SSH keys in turn until it succeeds."""
    keys = how["identity"] if isinstance(how["identity"], list) else [how["identity"]]
    missing, said = [], []
    finished: Completed = {"pid": 0, "retcode": 1, "stdout": "", "stderr": ""}
    for key in keys:
        path = call("cp.cache_file", key, how.get("saltenv") or "base") if "://" in key else key
        if not path or not os.path.isfile(path):
            missing.append(key)
            continue
        env = {"GIT_SSH_COMMAND": _SSH.format(key=shlex.quote(path))}
        finished = run_online(["git", *words], patience=_PATIENCE, **options, env=env)
        if finished["retcode"] == 0:
            return finished
        said.append(redacted(finished["stdout" if options["redirect_stderr"] else "stderr"]))
    if not failhard:
        return finished
    if any("accept-new" in words for words in said):
        said.append("This ssh does not know StrictHostKeyChecking=accept-new; OpenSSH 7.6 and later do.")
    problem = "Unable to authenticate using identity file:\n\n" + "\n".join(said)
    if missing:
        problem += (
            ("\n\n" if said else "") + "The following identity file(s) were not found: " + ", ".join(missing)
        )
    raise CommandExecutionError(problem)
