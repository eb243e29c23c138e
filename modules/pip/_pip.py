"""Runs of pip: its command for a `bin_env`, its environment, options for a proxy, and its version."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.api import scratch
from salt_g.errors import CommandExecutionError, CommandNotFound
from salt_g.modules._booleans import one_mapping
from salt_g.modules._network_programs import run_online
from salt_g.net.web_proxy import WebProxy
from salt_g.process.command import host_python
from salt_g.shapes import Completed

_PYTHON = re.compile(r"python(\d+(\.\d+)?)?")

#: By default pip makes six attempts of 15 s each. The same variables in the environment take precedence.
_PATIENCE = {"PIP_RETRIES": "2"}


def pip_words(bin_env: str | None) -> list[str]:
    """Return the command of pip: `bin_env` is a virtualenv, a Python or a pip; None means our own Python."""
    if not bin_env:
        return [os.path.normpath(host_python()), "-m", "pip"]
    if os.path.isdir(bin_env):
        return [_python_in(bin_env), "-m", "pip"]
    if not os.access(bin_env, os.X_OK):
        raise CommandNotFound(f"Access denied to {bin_env}, could not find a pip binary")
    path = os.path.normpath(bin_env)
    return [path, "-m", "pip"] if "python" in os.path.basename(path) else [path]


def run_pip(
    words: Sequence[str],
    bin_env: str | None,
    *,
    user: str | None = None,
    cwd: str | None = None,
    env_vars: Any = None,
    **options: Any,
) -> Completed:
    """Run pip with these arguments."""
    env = {key: str(value) for key, value in one_mapping(env_vars).items()}
    if bin_env and os.path.isdir(bin_env):
        env["VIRTUAL_ENV"] = bin_env
    known = {key: options[key] for key in ("redirect_stderr", "use_vt", "timeout") if key in options}
    return run_online(
        [*pip_words(bin_env), *words], patience=_PATIENCE, runas=user, cwd=cwd, env=env, **known
    )


def run_checked(words: Sequence[str], bin_env: str | None, **options: Any) -> Completed:
    """Run pip; raise CommandExecutionError with its message if it fails."""
    finished = run_pip(words, bin_env, **options)
    if finished["retcode"]:
        raise CommandExecutionError(finished["stderr"], info=finished)
    return finished


def version(bin_env: str | None = None, cwd: str | None = None, user: str | None = None) -> str | None:
    """Return the version of pip; queried once per run.

    Example::

        salt-g pip.version
    """
    key = _key(bin_env)
    if key not in scratch:
        finished = run_pip(["--version"], bin_env, cwd=cwd, user=user)
        if finished["retcode"]:
            raise CommandNotFound("Could not find a `pip` binary")
        found = re.match(r"pip (\S+)", finished["stdout"])
        scratch[key] = found.group(1) if found else None
    known: str | None = scratch[key]
    return known


def forget_version(bin_env: str | None) -> None:
    """Drop the cached version of pip, because pip may have upgraded itself."""
    scratch.pop(_key(bin_env), None)


def proxy_words(proxy: str | bool | None, settings: Mapping[str, Any]) -> list[str]:
    """Return the options for a proxy: the given one, or that of the settings; none for `proxy=False`."""
    if proxy:
        return ["--proxy", str(proxy)]
    settled = WebProxy.of(settings).url
    return ["--proxy", settled] if settled and proxy is not False else []


def _python_in(directory: str) -> str:
    for path in (os.path.join(directory, "python"), os.path.join(directory, "bin", "python")):
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return os.path.normpath(path)
    programs = os.path.join(directory, "bin")
    names = sorted(os.listdir(programs)) if os.path.isdir(programs) else []
    for name in names:
        if _PYTHON.fullmatch(name) and os.access(os.path.join(programs, name), os.X_OK):
            return os.path.normpath(os.path.join(programs, name))
    raise CommandNotFound(f"Could not find a pip binary in virtualenv {directory}")


def _key(bin_env: str | None) -> str:
    return "pip.version" if bin_env is None else f"pip.version.{bin_env}"
