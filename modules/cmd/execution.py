"""The run of one command with its options, and the interpretation of its exit code.

Shapes: the input is a command (text, or a list of words) and `Options`, the output `Completed`.
Source: stock's `cmd.run_all`; conformance cases `modules/cmd`, `states/cmd-*`.
"""

from __future__ import annotations

import errno
import logging
import os
import shlex
from collections.abc import Sequence
from typing import Any

from salt_g.api import current, opts, pillar, scratch, services
from salt_g.errors import CommandExecutionError, CommandTimeout, RenderError
from salt_g.modules.cmd.environment import environment_of
from salt_g.modules.cmd.options import Options, split_words
from salt_g.process import caller_commands, command
from salt_g.process.redaction import RedactedOutput, redacted
from salt_g.shapes import Completed

log = logging.getLogger(__name__)


def execute(cmd: Any, options: Options) -> Completed:
    """Run a command to its end (or only start it, with `bg`) and return its result.

    A command that exceeds its timeout is killed with its process group and has retcode 1; that code does not
    become the retcode of the job (conformance case `modules/cmd`). Raises CommandExecutionError.
    """
    cmd, cwd = caller_commands.as_typed(cmd), _directory(options)
    if options.shell and not (os.path.isfile(options.shell) and os.access(options.shell, os.X_OK)):
        raise CommandExecutionError(f"The shell {options.shell} is not available")
    cmd, cwd = _rendered(cmd, cwd, options)
    if options.jid:
        _check_permitted(cmd)
    who = command.identity(options.runas, options.group) if options.runas or options.group else None
    _announce(cmd, cwd, who, options)
    env = environment_of(options, who)
    if not os.path.isabs(cwd) or not os.path.isdir(cwd):
        raise CommandExecutionError(f"Specified cwd '{cwd}' either not absolute or does not exist")
    try:
        done = _run(_words(cmd, options), cwd, env, who, options)
    except CommandTimeout as exc:
        return _too_long(cmd, options, exc)
    except CommandExecutionError as exc:
        # A missing permission to switch the user has its own, clearer text.
        if not isinstance(exc.__cause__, OSError) or exc.__cause__.errno == errno.EPERM:
            raise
        raise CommandExecutionError(_cannot_start(cmd, cwd, options, exc.__cause__)) from exc
    scratch["retcode"] = 0 if options.ignore_retcode else done["retcode"]
    _log_output(cmd, done, options)
    return done


def first_word(cmd: Any) -> str:
    """Return the program of a command, for logs, because the arguments may be secret."""
    words = cmd if isinstance(cmd, (list, tuple)) else str(cmd).split()
    # A shell command may begin with the assignment of a secret variable.
    return redacted(str(words[0]).strip()) if words else ""


def _directory(options: Options) -> str:
    """Return the working directory: by default the user's home, or `/` if that cannot be read."""
    if options.cwd:
        return str(options.cwd)
    home = os.path.expanduser(f"~{options.runas or ''}")
    return home if os.path.isdir(home) and os.access(home, os.R_OK) else "/"


def _rendered(cmd: Any, cwd: str, options: Options) -> tuple[Any, str]:
    if not options.template:
        return cmd, cwd
    context: dict[str, Any] = {}
    if options.pillarenv is not None or options.pillar is not None:
        context["pillar"] = services().pillars.compile(pillarenv=options.pillarenv, override=options.pillar)
    saltenv = options.saltenv or opts.get("saltenv") or current().saltenv
    render = services().render.render_template
    try:
        return (
            render(cmd, engine=options.template, saltenv=saltenv, **context),
            render(cwd, engine=options.template, saltenv=saltenv, **context),
        )
    except RenderError as exc:
        raise CommandExecutionError(f"Failed to execute cmd with error: {exc}") from exc


def _check_permitted(cmd: Any) -> None:
    """Raise if `cmd_blacklist_glob` or `cmd_whitelist_glob` forbids a command from outside."""
    caller_commands.check_permitted(cmd, _setting("cmd_blacklist_glob"), _setting("cmd_whitelist_glob"))


def _setting(name: str) -> Sequence[str]:
    """Return a setting that is a list, from pillar if the configuration lacks it.

    Grains are not read: a machine reports them itself, so they must not grant permissions.
    """
    return opts.get(name) or pillar.get(name) or []


def _words(cmd: Any, options: Options) -> list[str]:
    """Return the arguments to execute: a shell with the command as text, or the words of the command."""
    given = [str(word) for word in cmd] if isinstance(cmd, (list, tuple)) else [str(cmd)]
    if options.python_shell:
        return [options.shell or "/bin/sh", "-c", *given]
    if options.shell is None or isinstance(cmd, (list, tuple)):
        return given
    return shlex.split(given[0])


def _run(
    words: list[str], cwd: str, env: dict[str, str], who: command.Identity | None, options: Options
) -> Completed:
    umask = options.umask_number
    if options.bg:
        pid = command.start(words, cwd=cwd, env=env, umask=umask, who=who, is_logged=False)
        # The exit code is not known yet.
        return {"pid": pid, "retcode": None, "stdout": "", "stderr": ""}  # type: ignore[typeddict-item]
    done = command.run(
        words,
        cwd=cwd,
        env=env,
        stdin=options.input,
        timeout=_time_limit(options),
        merge_stderr=options.redirect_stderr,
        umask=umask,
        who=who,
        is_logged=False,
        is_shown=options.level is not None and not callable(options.log_callback),
    )
    return _with_success_criteria(done, options)


def _time_limit(options: Options) -> float | None:
    if not options.timeout:
        return None
    if not isinstance(options.timeout, (int, float)):
        raise CommandExecutionError(f"Error: timeout {options.timeout} must be a number")
    return options.timeout


def _with_success_criteria(done: command.Finished, options: Options) -> Completed:
    """Return the output as text and the retcode adjusted to the caller's success criteria."""
    stdout = command.decode(done.stdout, options.output_encoding)
    stderr = command.decode(done.stderr, options.output_encoding)
    if options.rstrip:
        stdout, stderr = stdout.rstrip(), stderr.rstrip()
    succeeded = (
        done.retcode in options.retcodes_of_success
        or any(text in stdout for text in split_words(options.success_stdout))
        or any(text in stderr for text in split_words(options.success_stderr))
    )
    return {"pid": done.pid, "retcode": 0 if succeeded else done.retcode, "stdout": stdout, "stderr": stderr}


def _too_long(cmd: Any, options: Options, exc: CommandTimeout) -> Completed:
    shown = cmd if options.python_shell or isinstance(cmd, list) else _words(cmd, options)
    text = f"{shown} : Timed out after {options.timeout} seconds"
    return {"pid": exc.pid, "retcode": 1, "stdout": text, "stderr": ""}


def _cannot_start(cmd: Any, cwd: str, options: Options, reason: OSError) -> str:
    """Return stock's error text, which includes a dict, for a program that cannot be started."""
    words = _words(cmd, options)
    context = {
        "cwd": cwd,
        "shell": bool(options.python_shell),
        "stdout": -1,
        "stderr": -2 if options.redirect_stderr else -1,
        "with_communicate": not options.bg,
        "timeout": options.timeout,
        "bg": options.bg,
        "close_fds": True,
    }
    shown = words if options.level is not None else "REDACTED"
    return f"Unable to run command '{shown}' with the context '{context}', reason: {reason}"


def _announce(cmd: Any, cwd: str, who: command.Identity | None, options: Options) -> None:
    """Log the program; its arguments, which may be secret, at `debug` only and redacted."""
    if options.level is None:
        return
    shown = first_word(cmd) if isinstance(cmd, list) else f"'{first_word(cmd)}'"
    whom = f"as user '{options.runas}' " if options.runas else ""
    whom += f"in group '{options.group}' " if options.group else ""
    log.info("%s", options.shown(f"Executing command {shown} {whom}in directory '{cwd}'"))
    # A `log_callback` means that there may be secrets that redaction cannot recognize: do not log the
    # arguments.
    if not callable(options.log_callback):
        command.log_command(cmd, cwd, who)


def _log_output(cmd: Any, done: Completed, options: Options) -> None:
    """Log the output at the level chosen by the caller; a failure at least as an error."""
    level = options.level
    if level is None:
        return
    say = options.shown
    if not options.ignore_retcode and done["retcode"]:
        level = max(level, logging.ERROR)
        log.error("%s", say(f"Command '{first_word(cmd)}' failed with return code: {done['retcode']}"))
    for name in ("stdout", "stderr"):
        if done[name]:
            log.log(level, "%s: %s", name, RedactedOutput(say(done[name])))
    if done["retcode"]:
        log.log(level, "retcode: %s", done["retcode"])
