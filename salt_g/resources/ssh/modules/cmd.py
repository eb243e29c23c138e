"""Commands and scripts on the host, with the options and returns of a minion's `cmd`."""

from __future__ import annotations

import shlex
from typing import Any

from salt_g.api import current, opts, services
from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh import _remote
from salt_g.resources.ssh._commands import execute, options_of
from salt_g.resources.ssh._files import private_file
from salt_g.resources.ssh._sources import cached_bytes, rendered
from salt_g.shapes import Arguments

#: Mode of a script, which runs directly, or by a shell if it names no interpreter.
_MODE = "0500"


def run(
    cmd: Any, cwd: str | None = None, stdin: Any = None, runas: str | None = None,
    group: str | None = None, shell: str | None = None, python_shell: bool | None = None,
    env: Any = None, clean_env: bool = False, template: str | None = None, **options: Any,
) -> str:  # fmt: skip
    """Run a command on the host and return its output, standard error included.

    The options are those of a minion's `cmd.run`; the exit code becomes that of the job.

    Example::

        salt-g web-01 cmd.run 'ls -l /etc | head -3' cwd=/
    """
    options.setdefault("redirect_stderr", True)
    chosen = options_of({**options, **_given(locals())})
    done = execute(cmd, chosen)
    shown = "" if chosen.hide_output else str(done["stdout"])
    if chosen.raise_err and done["retcode"] and not chosen.ignore_retcode:
        raise CommandExecutionError(shown)
    return shown


def shell(
    cmd: Any, cwd: str | None = None, stdin: Any = None, runas: str | None = None,
    group: str | None = None, shell: str | None = None, env: Any = None, clean_env: bool = False,
    template: str | None = None, **options: Any,
) -> str:  # fmt: skip
    """Run a command through a shell, unless `python_shell` is False, and return its output.

    Example::

        salt-g web-01 cmd.shell 'ps ax | wc -l'
    """
    options.setdefault("python_shell", True)
    return run(cmd, **options, **_given(locals()))


def run_all(
    cmd: Any, cwd: str | None = None, stdin: Any = None, runas: str | None = None,
    group: str | None = None, shell: str | None = None, python_shell: bool | None = None,
    env: Any = None, clean_env: bool = False, template: str | None = None, **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Run a command on the host and return `pid`, `retcode`, `stdout` and `stderr`.

    Example::

        salt-g web-01 cmd.run_all 'ls -l /etc/passwd'
    """
    chosen = options_of({**options, **_given(locals())})
    done = execute(cmd, chosen)
    return {**done, "stdout": "", "stderr": ""} if chosen.hide_output else done


def run_stdout(cmd: Any, cwd: str | None = None, **options: Any) -> str:
    """Run a command and return only its standard output.

    Example::

        salt-g web-01 cmd.run_stdout 'ls -l /etc/passwd'
    """
    return str(run_all(cmd, cwd, **options)["stdout"])


def run_stderr(cmd: Any, cwd: str | None = None, **options: Any) -> str:
    """Run a command and return only its standard error.

    Example::

        salt-g web-01 cmd.run_stderr 'ls /nowhere'
    """
    return str(run_all(cmd, cwd, **options)["stderr"])


def retcode(cmd: Any, cwd: str | None = None, **options: Any) -> int:
    """Run a command and return its exit code.

    Example::

        salt-g web-01 cmd.retcode 'grep -q root /etc/passwd'
    """
    code: int = run_all(cmd, cwd, **{**options, "redirect_stderr": True})["retcode"]
    return code


def run_bg(cmd: Any, cwd: str | None = None, **options: Any) -> dict[str, int]:
    """Start a command without waiting for it; return its `pid`.

    Example::

        salt-g web-01 cmd.run_bg 'sleep 60'
    """
    return {"pid": run_all(cmd, cwd, **{**options, "bg": True})["pid"]}


def script(
    source: str, args: Any = None, cwd: str | None = None, stdin: Any = None, runas: str | None = None,
    shell: str | None = None, env: Any = None, template: str | None = None, saltenv: str | None = None,
    **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Copy a script to the host, run it, and return `pid`, `retcode`, `stdout` and `stderr`.

    `source` is a URL (`salt://`, `http(s)://`, a path on the managing minion), `args` text with shell quoting
    or a list. A script that cannot be fetched gives the retcode 1 and `cache_error`. With `template` (an
    engine), the script is rendered with the variables in `context`, and with `pillar` merged over the pillar.

    Example::

        salt-g web-01 cmd.script salt://scripts/runme.sh 'arg1 arg2'
    """
    saltenv = saltenv or opts.get("saltenv") or current().saltenv
    content = cached_bytes(source, saltenv)
    if content is None:
        return {"pid": 0, "retcode": 1, "stdout": "", "stderr": "", "cache_error": True}
    if template:
        content = rendered(content.decode(), template, saltenv, _variables(options)).encode()
    words = [str(word) for word in args] if isinstance(args, list) else shlex.split(str(args or ""))
    run_by = ["/bin/sh"] if not content.startswith(b"#!") else []
    chosen = options_of(
        {**options, "cwd": cwd, "stdin": stdin, "runas": runas, "env": env, "python_shell": False}
    )
    with private_file(content, _MODE, runas) as path:
        return execute([*run_by, path, *words], chosen)


def _variables(options: Arguments) -> dict[str, Any]:
    """Return the variables of a script's template: `context`, and the pillar with `pillar` merged over it."""
    variables = dict(options.get("context") or {})
    if options.get("pillar") or options.get("pillarenv"):
        override, env = options.get("pillar"), options.get("pillarenv")
        variables["pillar"] = services().pillars.compile(override=override, pillarenv=env)
    return variables


def script_retcode(source: str, args: Any = None, **options: Any) -> int:
    """Copy a script to the host, run it, and return its exit code.

    Example::

        salt-g web-01 cmd.script_retcode salt://scripts/check.sh
    """
    code: int = script(source, args, **options)["retcode"]
    return code


def exec_code(lang: str, code: str, cwd: str | None = None, args: Any = None, **options: Any) -> str:
    """Run code with an interpreter of the host and return its standard output.

    Example::

        salt-g web-01 cmd.exec_code sh 'echo x'
    """
    return str(exec_code_all(lang, code, cwd, args, **options)["stdout"])


def exec_code_all(
    lang: str, code: str, cwd: str | None = None, args: Any = None, **options: Any
) -> dict[str, Any]:
    """Run code with an interpreter of the host and return `pid`, `retcode`, `stdout` and `stderr`.

    Example::

        salt-g web-01 cmd.exec_code_all sh 'echo x; exit 3'
    """
    words = args if isinstance(args, list) else [args] if isinstance(args, str) else []
    with private_file(str(code).encode(), "0400", options.get("runas")) as path:
        return run_all([lang, path, *words], cwd, **{**options, "python_shell": False})


def which(cmd: str) -> str | None:
    """Return the path of a program of the host, or None if there is none.

    Example::

        salt-g web-01 cmd.which systemctl
    """
    done = _remote.sh('command -v -- "$1"', str(cmd))
    found = done.out.strip()
    return found if done.retcode == 0 and found.startswith("/") else None


def which_bin(cmds: list[str]) -> str | None:
    """Return the path of the first of these programs that the host has.

    Example::

        salt-g web-01 cmd.which_bin '[apt-get, dnf]'
    """
    return next(filter(None, map(which, cmds)), None)


def has_exec(cmd: str) -> bool:
    """Return whether the host has a program.

    Example::

        salt-g web-01 cmd.has_exec rsync
    """
    return which(cmd) is not None


def _given(arguments: Arguments) -> Arguments:
    """Return the options in a function's `locals()`."""
    return {name: value for name, value in arguments.items() if name in _IN_FRONT}


_IN_FRONT = ("cwd", "stdin", "runas", "group", "shell", "python_shell", "env", "clean_env", "template")
