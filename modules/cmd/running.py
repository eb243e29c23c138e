"""`cmd.run` and its variants, which return different parts of the same result.

All accept the same options (`options.py`); the most common ones are also positional.
"""

from __future__ import annotations

from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.modules.cmd.execution import execute
from salt_g.modules.cmd.options import DEFAULT_SHELL, options_of


def run(
    cmd: Any, cwd: str | None = None, stdin: Any = None, runas: str | None = None,
    group: str | None = None, shell: str | None = DEFAULT_SHELL, python_shell: bool | None = None,
    env: Any = None, clean_env: bool = False, template: str | None = None,
    *, redirect_stderr: bool = True, **options: Any,
) -> str:  # fmt: skip
    """Run a command and return what it printed, standard error included.

    The retcode of the command becomes the retcode of the job.

    cmd
        The command: a text, or a list of words.
    cwd
        Directory to run in, absolute; the user's home by default.
    stdin
        Text for the command to read; `\\n` written out is a newline unless `stdin_raw_newlines` is set.
    runas, group
        User and group to run as; `runas` adds the variables of the user's login to the environment.
    shell
        The path of the shell to use if a shell reads the command.
    python_shell
        Whether a shell reads the command. Commands from outside (a command line, a master) go through a
        shell; calls from other modules and templates do not, unless the setting `cmd_safe` is False.
    env, clean_env
        Variables to add, a mapping or a list of mappings; `clean_env` drops salt-g's own environment.
    prepend_path
        Directories to prepend to `PATH`.
    template, saltenv, pillarenv, pillar
        Render command and directory with this engine (`jinja`, `py`) first; the environments of files and of
        pillar for that, and pillar values that override others.
    umask, reset_system_locale
        The umask of the command, octal; whether it runs in the C locale (True).
    rstrip, hide_output, redirect_stderr
        Strip trailing white space from the output (True); return no output; include standard error in the
        output (True).
    output_encoding
        Encoding of the output, UTF-8 by default. Undecodable bytes are replaced.
    output_loglevel, log_callback
        Level at which the output is logged (`debug`; `quiet` logs nothing); a function that takes
        each text to be logged and returns its loggable form.
    timeout, bg
        Kill the command and its children after this many seconds; do not wait for the command.
    ignore_retcode, raise_err
        Do not use the retcode for the job and do not log it as an error; raise if the command fails, instead
        of returning its output.
    success_retcodes, success_stdout, success_stderr
        Exit codes, and texts in the output, that mean success.
    use_vt
        Accepted for compatibility; the output is returned at the end and not streamed to a terminal.

    Example::

        salt-g cmd.run 'ls -l /etc | head -3' cwd=/
    """
    chosen = options_of({**options, **_named(locals())})
    done = execute(cmd, chosen)
    shown = "" if chosen.hide_output else done["stdout"]
    if chosen.raise_err and chosen.level is not None and done["retcode"] and not chosen.ignore_retcode:
        raise CommandExecutionError(chosen.shown(shown))
    return shown


def shell(
    cmd: Any,
    cwd: str | None = None,
    stdin: Any = None,
    runas: str | None = None,
    group: str | None = None,
    shell: str | None = DEFAULT_SHELL,
    env: Any = None,
    clean_env: bool = False,
    template: str | None = None,
    **options: Any,
) -> str:
    """Run a command through a shell and return its output.

    The options are those of `cmd.run`.

    Example::

        salt-g cmd.shell 'ps ax | wc -l'
    """
    if options.get("python_shell") is None:
        options["python_shell"] = True
    return run(cmd, **options, **_named(locals()))


def run_stdout(
    cmd: Any,
    cwd: str | None = None,
    stdin: Any = None,
    runas: str | None = None,
    group: str | None = None,
    shell: str | None = DEFAULT_SHELL,
    python_shell: bool | None = None,
    env: Any = None,
    clean_env: bool = False,
    template: str | None = None,
    **options: Any,
) -> str:
    """Run a command and return only its standard output. The options are those of `cmd.run`.

    Example::

        salt-g cmd.run_stdout 'ls -l /etc/passwd'
    """
    return str(run_all(cmd, **options, **_named(locals()))["stdout"])


def run_stderr(
    cmd: Any,
    cwd: str | None = None,
    stdin: Any = None,
    runas: str | None = None,
    group: str | None = None,
    shell: str | None = DEFAULT_SHELL,
    python_shell: bool | None = None,
    env: Any = None,
    clean_env: bool = False,
    template: str | None = None,
    **options: Any,
) -> str:
    """Run a command and return only its standard error. The options are those of `cmd.run`.

    Example::

        salt-g cmd.run_stderr 'ls /nowhere'
    """
    return str(run_all(cmd, **options, **_named(locals()))["stderr"])


def run_all(
    cmd: Any,
    cwd: str | None = None,
    stdin: Any = None,
    runas: str | None = None,
    group: str | None = None,
    shell: str | None = DEFAULT_SHELL,
    python_shell: bool | None = None,
    env: Any = None,
    clean_env: bool = False,
    template: str | None = None,
    *,
    redirect_stderr: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """Run a command and return `pid`, `retcode`, `stdout` and `stderr`.

    The options are those of `cmd.run`, except that standard error is kept separate.

    Example::

        salt-g cmd.run_all 'ls -l /etc/passwd'
    """
    chosen = options_of({**options, **_named(locals())})
    done = execute(cmd, chosen)
    return {**done, "stdout": "", "stderr": ""} if chosen.hide_output else dict(done)


def retcode(
    cmd: Any,
    cwd: str | None = None,
    stdin: Any = None,
    runas: str | None = None,
    group: str | None = None,
    shell: str | None = DEFAULT_SHELL,
    python_shell: bool | None = None,
    env: Any = None,
    clean_env: bool = False,
    template: str | None = None,
    **options: Any,
) -> int:
    """Run a command and return its exit code. The options are those of `cmd.run`.

    Example::

        salt-g cmd.retcode 'grep -q root /etc/passwd'
    """
    code: int = run_all(cmd, **{**options, "redirect_stderr": True}, **_named(locals()))["retcode"]
    return code


def run_bg(
    cmd: Any,
    cwd: str | None = None,
    runas: str | None = None,
    group: str | None = None,
    shell: str | None = DEFAULT_SHELL,
    python_shell: bool | None = None,
    env: Any = None,
    clean_env: bool = False,
    template: str | None = None,
    **options: Any,
) -> dict[str, int]:
    """Start a command in the background and return its `pid`. The options are those of `cmd.run`.

    Example::

        salt-g cmd.run_bg 'sleep 60'
    """
    return {"pid": run_all(cmd, **{**options, "bg": True}, **_named(locals()))["pid"]}


def _named(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the options among the arguments of a function, given its `locals()`."""
    return {name: value for name, value in arguments.items() if name in _IN_FRONT}


#: Options that functions name in their signatures.
_IN_FRONT = (
    *("cwd", "stdin", "runas", "group", "shell", "python_shell", "env", "clean_env", "template"),
    "redirect_stderr",
)
