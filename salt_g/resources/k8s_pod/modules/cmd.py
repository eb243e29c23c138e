"""Commands in a pod's container, as the user and with the programs of its image."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from salt_g.api import connection_functions, opts, pillar, scratch
from salt_g.errors import CommandExecutionError, CommandTimeout
from salt_g.process.caller_commands import as_typed, check_permitted
from salt_g.process.command import decode

#: Shell that runs commands given as text.
SHELL = "/bin/sh"
#: Options of a minion's `cmd` that make no sense in a container.
_UNFIT = ("runas", "group", "bg", "umask", "template")


def run(cmd: Any, *, redirect_stderr: bool = True, raise_err: bool = False, **options: Any) -> str:
    """Run a command in the pod and return its output, followed by its standard error.

    cwd, env, stdin, timeout, shell, python_shell, rstrip, output_encoding, success_retcodes, ignore_retcode
        As on a minion. `stdin` needs Kubernetes 1.30 or newer.

    Example::

        salt-g shop.web-0 cmd.run 'nginx -t' cwd=/etc/nginx
    """
    done = run_all(cmd, **options)
    texts = [done["stdout"], done["stderr"] if redirect_stderr else ""]
    shown = "\n".join(text for text in texts if text)
    if raise_err and done["retcode"] and not options.get("ignore_retcode"):
        raise CommandExecutionError(shown)
    return shown


def run_all(cmd: Any, **options: Any) -> dict[str, Any]:
    """Run a command in the pod; return `pid` (0), `retcode`, `stdout` and `stderr`. Options as for `run`.

    Example::

        salt-g shop.web-0 cmd.run_all 'cat /etc/os-release'
    """
    unfit = [name for name in _UNFIT if options.get(name)]
    if unfit:
        raise CommandExecutionError(f"cmd on k8s_pod does not support the option {unfit[0]}")
    cmd = as_typed(cmd)
    if options.get("__pub_jid"):
        check_permitted(cmd, _setting("cmd_blacklist_glob"), _setting("cmd_whitelist_glob"))
    stdin, timeout = options.get("stdin"), options.get("timeout")
    given = None if stdin is None else str(stdin).replace("\\n", "\n").encode()
    limit = float(timeout) if timeout else None
    try:
        ended = connection_functions["k8s_pod.run"](_words(cmd, options), stdin=given, timeout=limit)
    except CommandTimeout:
        scratch["retcode"] = 0 if options.get("ignore_retcode") else 1
        text = f"{cmd} : Timed out after {timeout} seconds"
        return {"pid": 0, "retcode": 1, "stdout": text, "stderr": ""}
    return _returned(ended, options)


def run_stdout(cmd: Any, **options: Any) -> str:
    """Run a command in the pod and return only its standard output. Options as for `run`.

    Example::

        salt-g shop.web-0 cmd.run_stdout 'cat /etc/hostname'
    """
    return str(run_all(cmd, **options)["stdout"])


def run_stderr(cmd: Any, **options: Any) -> str:
    """Run a command in the pod and return only its standard error. Options as for `run`.

    Example::

        salt-g shop.web-0 cmd.run_stderr 'ls /nowhere'
    """
    return str(run_all(cmd, **options)["stderr"])


def retcode(cmd: Any, **options: Any) -> int:
    """Run a command in the pod and return its exit code. Options as for `run`.

    Example::

        salt-g shop.web-0 cmd.retcode 'test -e /var/run/ready'
    """
    return int(run_all(cmd, **options)["retcode"])


def shell(cmd: Any, **options: Any) -> str:
    """Run a command in the pod through a shell, whatever the caller's options. Options as for `run`.

    Example::

        salt-g shop.web-0 cmd.shell 'ls /etc | wc -l'
    """
    return run(cmd, **{**options, "python_shell": True})


def _words(cmd: Any, options: Mapping[str, Any]) -> list[str]:
    through_shell = options.get("python_shell")
    if through_shell is None:
        through_shell = bool(options.get("__pub_jid")) or opts.get("cmd_safe", True) is False
    given = [str(word) for word in cmd] if isinstance(cmd, (list, tuple)) else [str(cmd)]
    if through_shell:
        words = [str(options.get("shell") or SHELL), "-c", *given]
    else:
        words = given if isinstance(cmd, (list, tuple)) else shlex.split(given[0])
    if options.get("env"):
        words = ["env", *_variables(options["env"]), *words]
    if options.get("cwd"):
        words = [SHELL, "-c", 'cd "$0" && exec "$@"', str(options["cwd"]), *words]
    return words


def _variables(env: Any) -> list[str]:
    several = env if isinstance(env, list) else [env]
    return [f"{name}={value}" for one in several for name, value in one.items()]


def _returned(ended: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    texts = [decode(data, options.get("output_encoding")) for data in (ended.stdout, ended.stderr)]
    if options.get("rstrip", True):
        texts = [text.rstrip() for text in texts]
    good = options.get("success_retcodes") or ()
    code = 0 if ended.retcode in (good if isinstance(good, list) else [good]) else ended.retcode
    scratch["retcode"] = 0 if options.get("ignore_retcode") else code
    return {"pid": 0, "retcode": code, "stdout": texts[0], "stderr": texts[1]}


def _setting(name: str) -> Any:
    return opts.get(name) or pillar.get(name) or []
