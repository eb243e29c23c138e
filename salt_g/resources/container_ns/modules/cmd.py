"""Commands inside a namespace or root.

The managing minion's own `cmd` runs `nsenter`, so that environment, time limits, output and exit codes are as
on a minion; `shell`, `cwd`, `runas` and `group` refer to the namespace or root.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from salt_g.api import connection_functions, current, minion_functions, opts, pillar, scratch, services
from salt_g.errors import CommandExecutionError
from salt_g.process.caller_commands import as_typed, check_permitted
from salt_g.shapes import Arguments

#: Default shell, because it is the one most likely to exist in a root.
SHELL = "/bin/sh"


def run(cmd: Any, *, redirect_stderr: bool = True, raise_err: bool = False, **options: Any) -> str:
    """Run a command in the resource and return its output, standard error included.

    The options are those of `cmd.run` on a minion: `cwd`, `stdin`, `runas`, `group`, `shell`,
    `python_shell`, `env`, `clean_env`, `template`, `umask`, `timeout`, `bg`, `success_retcodes`, ….

    Example::

        salt-g edge cmd.run 'ip route' cwd=/
    """
    done = run_all(cmd, redirect_stderr=redirect_stderr, **options)
    if raise_err and done["retcode"] and not options.get("ignore_retcode"):
        raise CommandExecutionError(str(done["stdout"]))
    return str(done["stdout"])


def run_all(cmd: Any, **options: Any) -> dict[str, Any]:
    """Run a command in the resource; return `pid`, `retcode`, `stdout` and `stderr`. Options as for `run`.

    Example::

        salt-g edge cmd.run_all 'ping -c 1 192.0.2.1'
    """
    cmd, options = _rendered(as_typed(cmd), options)
    if options.get("__pub_jid"):
        check_permitted(cmd, _setting("cmd_blacklist_glob"), _setting("cmd_whitelist_glob"))
    who = _account(options)
    words = _connection("words")(_words(cmd, options), str(options.get("cwd") or "/"), who)
    done: dict[str, Any] = minion_functions["cmd.run_all"](
        words, **_for_minion(options, who), cwd="/", python_shell=False, ignore_retcode=True
    )
    scratch["retcode"] = 0 if options.get("ignore_retcode") else done["retcode"] or 0
    return done


def run_stdout(cmd: Any, **options: Any) -> str:
    """Run a command in the resource and return only its standard output. Options as for `run`.

    Example::

        salt-g edge cmd.run_stdout 'cat /etc/hostname'
    """
    return str(run_all(cmd, **options)["stdout"])


def run_stderr(cmd: Any, **options: Any) -> str:
    """Run a command in the resource and return only its standard error. Options as for `run`.

    Example::

        salt-g edge cmd.run_stderr 'ls /nowhere'
    """
    return str(run_all(cmd, **options)["stderr"])


def retcode(cmd: Any, **options: Any) -> int:
    """Run a command in the resource and return its exit code. Options as for `run`.

    Example::

        salt-g edge cmd.retcode 'grep -q root /etc/passwd'
    """
    return int(run_all(cmd, **options)["retcode"])


def shell(cmd: Any, **options: Any) -> str:
    """Run a command in the resource through a shell, whatever the caller's options. Options as for `run`.

    Example::

        salt-g edge cmd.shell 'ip -o addr | wc -l'
    """
    return run(cmd, **{**options, "python_shell": True})


def run_bg(cmd: Any, **options: Any) -> dict[str, int]:
    """Start a command in the resource without waiting for it; return its `pid`. Options as for `run`.

    Example::

        salt-g edge cmd.run_bg 'sleep 60'
    """
    return {"pid": run_all(cmd, **{**options, "bg": True})["pid"]}


def has_exec(cmd: str) -> bool:
    """Return whether a program is in the PATH of the resource.

    Example::

        salt-g edge cmd.has_exec ip
    """
    asked = f"command -v {shlex.quote(cmd)}"
    return bool(run_all(asked, python_shell=True, ignore_retcode=True)["retcode"] == 0)


def _connection(name: str) -> Any:
    return connection_functions[f"container_ns.{name}"]


def _rendered(cmd: Any, options: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return command and options; `template` renders `cmd` and `cwd` in the resource's context."""
    left = dict(options)
    engine = left.pop("template", None)
    if not engine:
        return cmd, left
    saltenv = left.get("saltenv") or opts.get("saltenv") or current().saltenv
    render = services().render.render_template
    if left.get("cwd"):
        left["cwd"] = render(left["cwd"], engine=engine, saltenv=saltenv)
    return render(cmd, engine=engine, saltenv=saltenv), left


def _words(cmd: Any, options: Mapping[str, Any]) -> list[str]:
    through_shell = options.get("python_shell")
    if through_shell is None:
        through_shell = bool(options.get("__pub_jid")) or opts.get("cmd_safe", True) is False
    given = [str(word) for word in cmd] if isinstance(cmd, (list, tuple)) else [str(cmd)]
    if through_shell:
        return [str(options.get("shell") or SHELL), "-c", *given]
    return given if isinstance(cmd, (list, tuple)) else shlex.split(given[0])


def _account(options: Mapping[str, Any]) -> Any:
    user, group = options.get("runas") or current().run_as.user, options.get("group")
    return _connection("named_account")(user, group) if user or group else None


#: Options handled here and not passed to the minion's function.
_OURS = frozenset(("cwd", "runas", "group", "shell", "python_shell", "ignore_retcode", "raise_err"))


def _for_minion(options: Mapping[str, Any], who: Any) -> Arguments:
    left = {name: value for name, value in options.items() if name not in _OURS and name[:2] != "__"}
    if who is not None:
        of_user = {"USER": who.name, "LOGNAME": who.name, "HOME": who.home}
        given = left.get("env") or {}
        left["env"] = [of_user, *given] if isinstance(given, list) else {**of_user, **given}
    return left


def _setting(name: str) -> Any:
    return opts.get(name) or pillar.get(name) or []
