"""npm: JavaScript packages, for one directory or for the whole machine.

Tested with recorded transcripts of npm 9, because npm itself depends on hundreds of packages.
Shapes: {package: {"version": ..., ...}}, npm's own tree of `dependencies`.
"""

from __future__ import annotations

import json
import logging
import os
import re
import tempfile
from collections.abc import Mapping
from typing import Any

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._network_programs import run_online
from salt_g.modules._programs import is_installed
from salt_g.modules._required import hint
from salt_g.process.redaction import RedactedOutput
from salt_g.shapes import Completed

__func_alias__ = {"list_": "list"}

log = logging.getLogger(__name__)

#: npm's time limits (ms) and retries; by default it waits for minutes. `env`, or the environment of salt-g,
#: overrides them.
_PATIENCE = {"npm_config_fetch_timeout": "30000", "npm_config_fetch_retries": "0"}


def __virtual__() -> bool | tuple[bool, str]:
    if is_installed("npm"):
        return True
    why = "npm execution module could not be loaded because the npm binary could not be located."
    return False, why + hint("npm")


def install(
    pkg: str | None = None,
    pkgs: Any = None,
    dir: str | None = None,
    runas: str | None = None,
    registry: str | None = None,
    env: Any = None,
    dry_run: bool = False,
    silent: bool = True,
) -> Any:
    """Install a package, several, or the dependencies in a directory's `package.json`; return npm's output.

    The output is parsed if it is JSON. `dir` is the directory to install into (None: globally), `registry`
    the URL of a registry; `dry_run` changes nothing.

    Example::

        salt-g npm.install coffee-script@1.0.1
    """
    words = ["install", "--json", *(["--silent"] if silent else []), *([] if dir else ["--global"])]
    words += [f"--registry={registry}"] if registry else []
    words += ["--dry-run"] if dry_run else []
    names = [pkg] if pkg else list(pkgs or [])
    finished = _npm([*words, *names], runas, env, cwd=dir or tempfile.gettempdir(), url=registry or "")
    if finished["retcode"] != 0:
        raise CommandExecutionError(finished["stderr"])
    return _answer(finished["stdout"] or finished["stderr"])


def uninstall(pkg: str, dir: str | None = None, runas: str | None = None, env: Any = None) -> bool:
    """Remove a package; return whether that succeeded.

    Example::

        salt-g npm.uninstall coffee-script
    """
    finished = _npm(["uninstall", pkg, *([] if dir else ["--global"])], runas, env, cwd=dir)
    return _is_good(finished)


def list_(
    pkg: str | None = None,
    dir: str | None = None,
    runas: str | None = None,
    env: Any = None,
    depth: Any = None,
) -> dict[str, Any]:
    """Return the installed packages, or only `pkg`; `depth` limits the depth of dependencies.

    Example::

        salt-g npm.list
    """
    words = ["list", "--json", "--silent", *([] if dir else ["--global"])]
    if depth is not None:
        if not isinstance(depth, (int, float)):
            raise InvocationError(f"Error: depth {depth} must be a number")
        words.append(f"--depth={int(depth)}")
    finished = _npm([*words, *([pkg] if pkg else [])], runas, env, cwd=dir)
    # npm fails for a missing dependency, but still lists the rest.
    if finished["retcode"] != 0 and finished["stderr"]:
        raise CommandExecutionError(finished["stderr"])
    found: dict[str, Any] = json.loads(finished["stdout"] or "{}").get("dependencies", {})
    return found


def cache_clean(
    path: str | None = None, runas: str | None = None, env: Any = None, force: bool = False
) -> bool:
    """Clean npm's cache, or remove only `path` from it; return whether that succeeded.

    npm 5 and later require `force`.

    Example::

        salt-g npm.cache_clean force=True
    """
    words = ["cache", "clean", *([path] if path else []), *(["--force"] if force is True else [])]
    return _is_good(_npm(words, runas, env))


def cache_list(path: str | None = None, runas: str | None = None, env: Any = None) -> str:
    """Return npm's listing of its cache, or only of the packages that `path` names.

    Example::

        salt-g npm.cache_list
    """
    finished = _npm(["cache", "ls", *([path] if path else [])], runas, env)
    if finished["retcode"] != 0 and finished["stderr"]:
        raise CommandExecutionError(finished["stderr"])
    return finished["stdout"]


def cache_path(runas: str | None = None, env: Any = None) -> str:
    """Return the directory of npm's cache.

    Example::

        salt-g npm.cache_path
    """
    finished = _npm(["config", "get", "cache"], runas, env)
    return finished["stdout"] or finished["stderr"]


def _npm(words: list[str], runas: str | None, env: Any, cwd: str | None = None, url: str = "") -> Completed:
    variables = dict(env) if isinstance(env, Mapping) else {}
    if runas and os.geteuid() == 0:
        from pwd import getpwnam  # Imported lazily: used only here.

        # npm run by root changes file ownership to the user that it assumes called sudo.
        variables.update({"SUDO_UID": str(getpwnam(runas).pw_uid), "SUDO_USER": ""})
    return run_online(["npm", *words], url=url, patience=_PATIENCE, cwd=cwd, runas=runas, env=variables)


def _is_good(finished: Completed) -> bool:
    if finished["retcode"] != 0:
        log.error("%s", RedactedOutput(finished["stderr"]))
    return finished["retcode"] == 0


def _answer(text: str) -> Any:
    """Return the JSON in npm's output, which can follow lines of scripts, or the text if it has none."""
    for found in re.finditer(r"^[\[{]", text, re.M):
        try:
            return json.JSONDecoder().raw_decode(text[found.start() :])[0]
        except ValueError:
            continue
    return text
