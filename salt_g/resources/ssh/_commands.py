"""Execution of commands on the host, with the options of `cmd.run`.

Each function of `cmd` returns part of the result of `execute`.
Shapes: a command is text or a list of words; a result is {"pid", "retcode", "stdout", "stderr"}.
Units: seconds; `umask` octal.
"""

from __future__ import annotations

import logging
import posixpath
import re
import shlex
from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.api import current, grains, opts, pillar, scratch, services
from salt_g.errors import CommandExecutionError, CommandTimeout, InvocationError
from salt_g.process.caller_commands import as_typed, check_permitted
from salt_g.process.command import Finished, decode
from salt_g.process.redaction import redacted
from salt_g.resources.ssh import _remote
from salt_g.resources.ssh._remote_shell import octal

log = logging.getLogger(__name__)

#: Message on standard error of a script that failed before the command started.
_NOWHERE = "salt-g: no such directory"
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LOCALE = ("LANG", "LC_ALL")


class Options(NamedTuple):
    """Options of a command, as given by the caller."""

    cwd: str | None = None
    stdin: Any = None
    runas: str | None = None
    group: str | None = None
    shell: str | None = None
    python_shell: bool | None = None
    env: Any = None
    clean_env: bool = False
    prepend_path: str | None = None
    template: str | None = None
    rstrip: bool = True
    umask: Any = None
    output_encoding: str | None = None
    output_loglevel: str = "debug"
    hide_output: bool = False
    timeout: Any = None
    reset_system_locale: bool = True
    ignore_retcode: bool = False
    saltenv: str | None = None
    redirect_stderr: bool = False
    bg: bool = False
    raise_err: bool = False
    success_retcodes: Any = None
    success_stdout: Any = None
    success_stderr: Any = None
    stdin_raw_newlines: bool = False
    jid: str = ""

    @property
    def uses_shell(self) -> bool:
        """Whether a shell runs the command, by default only for external callers or if `cmd_safe` is off."""
        if self.python_shell is not None:
            return self.python_shell
        return bool(self.jid) or opts.get("cmd_safe", True) is False

    @property
    def input(self) -> bytes:
        """Standard input of the command; `\\n` becomes a newline, unless `stdin_raw_newlines` is set."""
        text = "" if self.stdin is None else str(self.stdin)
        return (text if self.stdin_raw_newlines else text.replace("\\n", "\n")).encode()

    @property
    def seconds(self) -> float | None:
        """Time limit, None if unlimited."""
        if not self.timeout:
            return None
        try:
            return float(self.timeout)
        except (TypeError, ValueError):
            raise CommandExecutionError(f"Error: timeout {self.timeout} must be a number") from None


#: Sets the variables that the first line of standard input exports. The shell's `read` consumes only that
#: line.
_TAKE = 'IFS= read -r given; eval "$(printf %b "$given")"; unset given'
_NAMES = frozenset(Options._fields) - {"jid"}


def options_of(given: Mapping[str, Any]) -> Options:
    """Return the options among keyword arguments; other arguments are ignored, as in stock."""
    known = {name: value for name, value in given.items() if name in _NAMES}
    options = Options(**known, jid=str(given.get("__pub_jid", "")))
    return options._replace(runas=options.runas or current().run_as.user)


def execute(cmd: Any, options: Options) -> dict[str, Any]:
    """Run a command and make its exit code the job's, unless `ignore_retcode`; with `bg` only start it."""
    cmd = _rendered(as_typed(cmd), options)
    if options.jid:
        _check_permitted(cmd)
    log.debug("ssh host %s: running %r", _remote.host().id, _program(cmd))
    argv = _as_user(_script(_words(cmd, options), options), options)
    try:
        done = _remote.execute(
            argv,
            stdin=_given_variables(options) + options.input,
            timeout=options.seconds,
            tty=_is_on_terminal(options),
            merge=options.redirect_stderr,
        )
    except CommandTimeout as exc:
        text = f"{cmd} : Timed out after {options.timeout} seconds"
        return {"pid": exc.pid, "retcode": 1, "stdout": text, "stderr": ""}
    found = _decoded(done, options)
    scratch["retcode"] = 0 if options.ignore_retcode or options.bg else found["retcode"]
    if found["retcode"] and not options.ignore_retcode:
        log.error("Command '%s' failed with return code: %s", _program(cmd), found["retcode"])
    return found


def _rendered(cmd: Any, options: Options) -> Any:
    if not options.template or not isinstance(cmd, str):
        return cmd
    saltenv = options.saltenv or opts.get("saltenv") or current().saltenv
    return services().render.render_template(cmd, engine=options.template, saltenv=saltenv)


def _check_permitted(cmd: Any) -> None:
    """Reject commands of external callers that `cmd_blacklist_glob` or `cmd_whitelist_glob` forbid."""
    refused, allowed = (opts.get(name) or pillar.get(name) or () for name in _PERMISSIONS)
    check_permitted(cmd, refused, allowed)


_PERMISSIONS = ("cmd_blacklist_glob", "cmd_whitelist_glob")


def _words(cmd: Any, options: Options) -> list[str]:
    is_list = isinstance(cmd, (list, tuple))
    words = [str(word) for word in cmd] if is_list else [str(cmd)]
    if options.uses_shell:
        shell = options.shell or str(grains.get("shell") or "/bin/sh")
        # A bash started by sshd reads ~/.bashrc, which the login shell has already read.
        return [shell, *(["--norc"] if posixpath.basename(shell) == "bash" else []), "-c", *words]
    return words if is_list else shlex.split(words[0])


def _script(words: list[str], options: Options) -> str:
    """Return the script that sets directory, umask and environment, and runs the command."""
    lines = [f"umask {_umask(options.umask)}"] if options.umask is not None else []
    lines.append(_into(options.cwd))
    command = shlex.join(words)
    setting = _TAKE if _given_variables(options) else _exports(options)
    if options.clean_env:
        kept = ["HOME", "PATH", "SHELL", "LOGNAME", "USER"]
        had = " ".join(f'{name}="${name}"' for name in kept)
        shell = shlex.join(["/bin/sh", "-c", f'{setting}\nexec "$@"', "sh"])
        command = f"env -i {had} {shell} {command}"
    elif setting:
        lines.append(setting)
    if options.prepend_path:
        lines.append(f'export PATH={shlex.quote(options.prepend_path)}:"$PATH"')
    if options.bg:
        return "\n".join([*lines, f"{command} </dev/null >/dev/null 2>&1 & echo $!"])
    return "\n".join([*lines, f"exec {command}"])


def _exports(options: Options) -> str:
    return "\n".join(f"export {name}={shlex.quote(value)}" for name, value in _variables(options).items())


def _given_variables(options: Options) -> bytes:
    """Return the line of standard input from which _TAKE sets `env`, since all users can see command lines.

    It is empty without `env`, and at a terminal, which would show the line.
    """
    if not options.env or _is_on_terminal(options):
        return b""
    return f"{octal(_exports(options).encode())}\n".encode()


def _is_on_terminal(options: Options) -> bool:
    return bool(_remote.host().tty) and options.stdin is None


def _into(cwd: str | None) -> str:
    if not cwd:
        return "cd 2>/dev/null || cd /"
    if not cwd.startswith("/"):
        raise CommandExecutionError(f"Specified cwd '{cwd}' either not absolute or does not exist")
    return f"cd -- {shlex.quote(cwd)} 2>/dev/null || {{ echo {shlex.quote(_NOWHERE)} >&2; exit 1; }}"


def _umask(value: Any) -> str:
    digits = str(value).lstrip("0")
    if not digits:
        raise CommandExecutionError("Zero umask is not allowed.")
    if not re.fullmatch("[0-7]{1,3}", digits):
        raise CommandExecutionError(f"Invalid umask: '{value}'")
    return digits.zfill(4)


def _variables(options: Options) -> dict[str, str]:
    given = options.env or {}
    parts = given if isinstance(given, list) else [given]
    found: dict[str, str] = dict.fromkeys(_LOCALE, "C") if options.reset_system_locale else {}
    for part in parts:
        if not isinstance(part, Mapping):
            raise CommandExecutionError("Invalidly-formatted 'env' parameter. See documentation.")
        found.update({str(name): "" if value is None else str(value) for name, value in part.items()})
    for name in found:
        if not _VARIABLE.fullmatch(name):
            raise CommandExecutionError(f"{name!r} is not a valid name of an environment variable")
    return found


def _as_user(script: str, options: Options) -> list[str]:
    """Return the command line that runs a script as the wanted user."""
    words = ["/bin/sh", "-c", script]
    host = _remote.host()
    user = options.runas
    for name in (user, options.group):
        if name and name.startswith("-"):
            raise CommandExecutionError(f"{name!r} is not a valid name of a user or group")
    if options.group:
        return ["sudo", "-n", "-H", "-u", user or host.user, "-g", options.group, "--", *words]
    if not user or user == ("root" if host.sudo else host.user):
        return words
    if host.sudo or host.user == "root":
        return ["su", "-s", "/bin/sh", user, "-c", shlex.join(words)]
    return ["sudo", "-n", "-H", "-u", user, "--", *words]


def _decoded(done: Finished, options: Options) -> dict[str, Any]:
    """Return decoded output, and the exit code adjusted to the caller's success criteria."""
    stdout, stderr = (decode(data, options.output_encoding) for data in (done.stdout, done.stderr))
    if _NOWHERE in (stderr.strip(), stdout.strip()):
        raise CommandExecutionError(f"Specified cwd '{options.cwd}' either not absolute or does not exist")
    if options.bg:
        number = stdout.strip()
        return {
            "pid": int(number) if number.isdigit() else 0,
            "retcode": None,
            "stdout": "",
            "stderr": stderr,
        }
    if options.rstrip:
        stdout, stderr = stdout.rstrip(), stderr.rstrip()
    succeeded = (
        done.retcode in _retcodes(options.success_retcodes)
        or any(text in stdout for text in _texts(options.success_stdout))
        or any(text in stderr for text in _texts(options.success_stderr))
    )
    return {"pid": done.pid, "retcode": 0 if succeeded else done.retcode, "stdout": stdout, "stderr": stderr}


def _retcodes(given: Any) -> list[int]:
    try:
        return [0, *(int(code) for code in _texts(given))]
    except ValueError:
        raise InvocationError("success_retcodes must be a list of integers") from None


def _texts(given: Any) -> list[str]:
    if given is None:
        return []
    return (
        [str(one) for one in given] if isinstance(given, list) else [w.strip() for w in str(given).split(",")]
    )


def _program(cmd: Any) -> str:
    """Return the program of a command, for logs, without arguments, which may contain secrets."""
    words = cmd if isinstance(cmd, (list, tuple)) else str(cmd).split()
    return redacted(str(words[0])) if words else ""
