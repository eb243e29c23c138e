"""Scripts run from a URL (`cmd.script`) or from code given as text (`cmd.exec_code`).

Both write a private file, run it and remove it. The options are those of
`cmd.run` (`options.py`).
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import stat
import tempfile
from collections.abc import Iterator
from typing import Any

from salt_g import safe_files
from salt_g.api import call, current, opts
from salt_g.modules.cmd.execution import execute
from salt_g.modules.cmd.options import DEFAULT_SHELL, Options, options_of
from salt_g.modules.cmd.running import run_all
from salt_g.process import command

#: Only for the owner: scripts may hold secrets.
SCRIPT_MODE = 0o500
#: Prefix of the temporary file names of scripts, as in stock.
_PREFIX = "__salt.tmp."


def script(
    source: str,
    args: Any = None,
    cwd: str | None = None,
    stdin: Any = None,
    runas: str | None = None,
    group: str | None = None,
    shell: str | None = DEFAULT_SHELL,
    python_shell: bool | None = None,
    env: Any = None,
    template: str | None = None,
    saltenv: str | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Fetch a script, run it, and return `pid`, `retcode`, `stdout` and `stderr`.

    source
        URL of the script: `salt://`, `http(s)://`, `file://` or an absolute path.
    args
        Arguments: text with shell quoting, or a list.
    template
        Render the script with this engine first; further keywords are template variables.

    The other options are those of `cmd.run`. If the script cannot be fetched, the
    result has the retcode 1 and `cache_error`.

    Example::

        salt-g cmd.script salt://scripts/runme.sh 'arg1 arg2'
    """
    options.pop("__env__", None)
    saltenv = saltenv or opts.get("saltenv") or current().saltenv
    given = {"cwd": cwd, "stdin": stdin, "runas": runas, "group": group, "shell": shell, "env": env}
    chosen = options_of({**options, **given, "python_shell": python_shell, "saltenv": saltenv})
    suffix = os.path.splitext(source.partition("?")[0])[1]
    with _private_file(suffix) as path:
        if not _fetch(source, path, saltenv, template, options):
            return {"pid": 0, "retcode": 1, "stdout": "", "stderr": "", "cache_error": True}
        if cwd is None or not _is_protected(cwd, chosen.runas):
            _give_to_user(path, chosen.runas)
            return _run_script(path, args, chosen)
        with _copy_in(cwd, path, suffix, chosen.runas) as copy:
            return _run_script(copy, args, chosen)


def script_retcode(source: str, args: Any = None, template: str | None = "jinja", **options: Any) -> int:
    """Fetch a script, run it, and return its exit code.

    The options are those of `cmd.script`, but `template` is `jinja` by default.

    Example::

        salt-g cmd.script_retcode salt://scripts/check.sh
    """
    code: int = script(source, args, template=template, **options)["retcode"]
    return code


def exec_code(lang: str, code: str, cwd: str | None = None, args: Any = None, **options: Any) -> str:
    """Run code with an interpreter and return its standard output.

    lang
        The interpreter: a program that takes the path of a file with the code.
    code
        The code.
    args
        One argument as text, or a list of arguments.

    The other options are those of `cmd.run`.

    Example::

        salt-g cmd.exec_code python3 'print(6 * 7)'
    """
    return str(exec_code_all(lang, code, cwd, args, **options)["stdout"])


def exec_code_all(
    lang: str, code: str, cwd: str | None = None, args: Any = None, **options: Any
) -> dict[str, Any]:
    """Run code with an interpreter and return `pid`, `retcode`, `stdout` and `stderr`.

    The arguments are those of `cmd.exec_code`.

    Example::

        salt-g cmd.exec_code_all sh 'echo x; exit 3'
    """
    with _private_file("") as path:
        with open(path, "w", encoding="utf-8") as file:
            file.write(str(code))
        if options.get("runas") is not None:
            os.chown(path, command.identity(options["runas"]).uid, -1)
        words = args if isinstance(args, list) else [args] if isinstance(args, str) else []
        return run_all([lang, path, *words], cwd=cwd, **{**options, "python_shell": False})


def _is_protected(directory: str, runas: str | None) -> bool:
    """Return whether only root and the script's user can change the content of a directory.

    In any other directory the script could be replaced before it runs. Without root's rights, salt-g does not
    check this and returns True.
    """
    if os.geteuid() != 0:
        return True
    safe_files.check(directory)
    found = os.stat(directory)
    users = {0, command.identity(runas).uid} if runas else {0}
    return found.st_uid in users and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


@contextlib.contextmanager
def _copy_in(directory: str, source: str, suffix: str, runas: str | None) -> Iterator[str]:
    """Copy a script into a directory by descriptors, because `runas` could change the directory meanwhile."""
    name = f"{_PREFIX}{os.urandom(8).hex()}{suffix}"
    path = os.path.join(directory, name)
    with safe_files.located(path, follow=False) as place:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(name, flags, 0o600, dir_fd=place.parent)
        try:
            with open(source, "rb") as fetched, os.fdopen(descriptor, "wb") as copy:
                shutil.copyfileobj(fetched, copy)
                copy.flush()
                os.fchmod(copy.fileno(), SCRIPT_MODE)
                if runas:
                    os.fchown(copy.fileno(), command.identity(runas).uid, -1)
            yield path
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name, dir_fd=place.parent)


@contextlib.contextmanager
def _private_file(suffix: str) -> Iterator[str]:
    handle, path = tempfile.mkstemp(prefix=_PREFIX, suffix=suffix)
    os.close(handle)
    try:
        yield path
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)


def _fetch(source: str, path: str, saltenv: str, template: str | None, context: dict[str, Any]) -> bool:
    """Fetch the script to `path`; return whether it was found."""
    if template:
        return bool(call("cp.get_template", source, path, template, saltenv, **context))
    cached = call("cp.cache_file", source, saltenv)
    if not cached or not os.path.isfile(cached):
        return False
    shutil.copyfile(cached, path)
    return True


def _give_to_user(path: str, runas: str | None) -> None:
    os.chmod(path, SCRIPT_MODE)
    if runas:
        os.chown(path, command.identity(runas).uid, -1)


def _run_script(path: str, args: Any, options: Options) -> dict[str, Any]:
    words = shlex.split(args) if isinstance(args, str) else list(args or [])
    if words:
        options = options._replace(python_shell=False)
    done = execute([path, *words], options)
    return {**done, "stdout": "", "stderr": ""} if options.hide_output else dict(done)
