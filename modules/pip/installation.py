"""Installation and removal of Python packages."""

from __future__ import annotations

import contextlib
import os
import pwd
import re
import shutil
import tempfile
from collections.abc import Mapping
from typing import Any

from salt_g import safe_files
from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.modules._booleans import as_list
from salt_g.modules._changes import compare
from salt_g.modules.pip._pip import forget_version, proxy_words, run_pip
from salt_g.modules.pip.query import list_, list_upgrades

#: {argument: option} of flags.
_FLAGS = {
    "use_wheel": "--use-wheel",
    "no_use_wheel": "--no-use-wheel",
    "no_index": "--no-index",
    "disable_version_check": "--disable-pip-version-check",
    "upgrade": "--upgrade",
    "force_reinstall": "--force-reinstall",
    "ignore_installed": "--ignore-installed",
    "no_deps": "--no-deps",
    "no_install": "--no-install",
    "no_download": "--no-download",
    "no_cache_dir": "--no-cache-dir",
    "pre_releases": "--pre",
    "allow_all_external": "--allow-all-external",
    "process_dependency_links": "--process-dependency-links",
}
#: {argument: option} of options with one value.
_VALUES = {
    "log": "--log",
    "timeout": "--timeout",
    "index_url": "--index-url",
    "extra_index_url": "--extra-index-url",
    "build": "--build",
    "target": "--target",
    "download": "--download",
    "download_cache": "--cache-dir",
    "cache_dir": "--cache-dir",
    "source": "--source",
    "exists_action": "--exists-action",
    "cert": "--cert",
    "trusted_host": "--trusted-host",
}
#: {argument: option} of repeatable options.
_LISTS = {
    "find_links": "--find-links",
    "mirrors": "--mirrors",
    "global_options": "--global-option",
    "install_options": "--install-option",
    "allow_external": "--allow-external",
    "allow_unverified": "--allow-unverified",
}
_URLS = ("index_url", "extra_index_url")


def install(
    pkgs: Any = None,
    requirements: Any = None,
    bin_env: str | None = None,
    editable: Any = None,
    user: str | None = None,
    cwd: str | None = None,
    saltenv: str = "base",
    proxy: Any = None,
    no_binary: Any = None,
    extra_args: Any = None,
    env_vars: Any = None,
    use_vt: bool = False,
    **options: Any,
) -> Mapping[str, Any]:
    """Install packages; return the result of `cmd.run_all`.

    Give `pkgs` (list or comma-separated text), `requirements` (files, also URLs), `editable` (directories or
    URLs with `#egg=`) or several of them. `options` are pip's, with underscores: `upgrade`, `index_url`,
    `no_index`, `find_links`, `target`, `force_reinstall`, `no_deps`, `pre_releases` (`--pre`), `timeout`
    (seconds), …; `extra_args` is a list of further arguments for pip.

    Example::

        salt-g pip.install pkgs=requests bin_env=/srv/venv
    """
    _refuse_conflicts(options)
    words = ["install"]
    kept = _RequirementsCopies(user)
    try:
        for path in as_list(requirements):
            local = kept.local(path, saltenv)
            if local is None:
                return {"result": False, "comment": f"pip requirements file '{path}' not found"}
            words += ["--requirement", local]
        names = [str(name).strip().replace(";", ",") for name in as_list(pkgs)]
        if not (names or requirements or editable):
            return {"retcode": 0, "stdout": "No packages to install."}
        words += _option_words(options, proxy)
        words += ["--no-binary", ",".join(as_list(no_binary))] if no_binary else []
        words += names
        words += _editable_words(editable)
        words += _extra_words(extra_args)
        return run_pip(words, bin_env, user=user, cwd=cwd, env_vars=env_vars, use_vt=use_vt)
    finally:
        forget_version(bin_env)
        kept.clean()


def uninstall(
    pkgs: Any = None,
    requirements: Any = None,
    bin_env: str | None = None,
    log: str | None = None,
    proxy: Any = None,
    timeout: int | None = None,
    user: str | None = None,
    cwd: str | None = None,
    saltenv: str = "base",
    use_vt: bool = False,
    extra_args: Any = None,
) -> Mapping[str, Any]:
    """Remove packages; return the result of `cmd.run_all`.

    Example::

        salt-g pip.uninstall requests bin_env=/srv/venv
    """
    words = ["uninstall", "-y"]
    kept = _RequirementsCopies(user)
    try:
        for path in as_list(requirements):
            local = kept.local(path, saltenv)
            if local is None:
                return {"result": False, "comment": f"pip requirements file '{path}' not found"}
            words += ["--requirement", local]
        words += _option_words({"log": log, "timeout": timeout}, proxy)
        words += [*as_list(pkgs), *_extra_words(extra_args)]
        return run_pip(words, bin_env, user=user, cwd=cwd, use_vt=use_vt)
    finally:
        forget_version(bin_env)
        kept.clean()


def upgrade(
    bin_env: str | None = None, user: str | None = None, cwd: str | None = None, use_vt: bool = False
) -> dict[str, Any]:
    """Upgrade all packages; return {"changes", "result", "comment"}.

    Example::

        salt-g pip.upgrade bin_env=/srv/venv
    """
    old = list_(bin_env=bin_env, user=user, cwd=cwd)
    words = ["install", "-U", "--disable-pip-version-check"]
    names = list_upgrades(bin_env=bin_env, user=user, cwd=cwd)
    runs = [run_pip([*words, name], bin_env, user=user, cwd=cwd, use_vt=use_vt) for name in names]
    forget_version(bin_env)
    return {
        "changes": compare(old, list_(bin_env=bin_env, user=user, cwd=cwd)),
        "result": not any(finished["retcode"] for finished in runs),
        "comment": "".join(finished["stderr"] for finished in runs),
    }


class _RequirementsCopies:
    """Copies of requirements files that pip's user can read, kept until `clean`."""

    def __init__(self, user: str | None) -> None:
        self._user = user
        self._directory: str | None = None

    def local(self, path: str, saltenv: str) -> str | None:
        """Return the path of a requirements file readable by the user, or None if there is none."""
        if "://" in path:
            path = call("cp.cache_file", path, saltenv)
        if not path:
            return None
        if not self._user:
            return path
        if self._directory is None:
            self._directory = tempfile.mkdtemp()
            shutil.chown(self._directory, self._user)
        target = os.path.join(self._directory, os.path.basename(path))
        self._copy_for_user(path, target)
        return target

    def _copy_for_user(self, path: str, target: str) -> None:
        """Copy a file into the user's directory, replacing any existing one."""
        with contextlib.suppress(FileNotFoundError):
            safe_files.remove_file(target)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with (
            open(path, "rb") as source,
            os.fdopen(safe_files.open_file(target, flags, follow=False), "wb") as copy,
        ):
            shutil.copyfileobj(source, copy)
            os.fchown(copy.fileno(), pwd.getpwnam(str(self._user)).pw_uid, -1)

    def clean(self) -> None:
        """Remove the copies."""
        if self._directory is not None:
            shutil.rmtree(self._directory, ignore_errors=True)


def _refuse_conflicts(options: Mapping[str, Any]) -> None:
    if options.get("no_index") and any(options.get(key) for key in _URLS):
        raise CommandExecutionError(
            "'no_index' and ('index_url' or 'extra_index_url') are mutually exclusive."
        )
    for key in _URLS:
        if options.get(key) and not re.match(r"(https?|file|ftp)://", str(options[key])):
            raise CommandExecutionError(f"'{options[key]}' is not a valid URL")
    if options.get("timeout") and not str(options["timeout"]).isdigit():
        raise ValueError(f"'{options['timeout']}' is not a valid timeout, must be an integer")
    action = options.get("exists_action")
    if action and action.lower() not in ("s", "i", "w", "b"):
        raise CommandExecutionError(
            f"The exists_action pip option only supports the values s, i, w, and b. '{action}' is not valid."
        )


def _option_words(options: Mapping[str, Any], proxy: Any) -> list[str]:
    words = proxy_words(proxy, opts)
    words += [option for key, option in _FLAGS.items() if options.get(key)]
    for key, option in _VALUES.items():
        words += [option, str(options[key])] if options.get(key) else []
    for key, option in _LISTS.items():
        words += [word for value in as_list(options.get(key)) for word in (option, str(value))]
    return words


def _editable_words(editable: Any) -> list[str]:
    words = []
    for entry in as_list(editable):
        is_local = entry == "." or entry.startswith(("file://", "/"))
        if not is_local and not re.search(r"(?:#|#.*?&)egg=[^&]+", entry):
            raise CommandExecutionError("You must specify an egg for this editable")
        words += ["--editable", entry]
    return words


def _extra_words(extra_args: Any) -> list[str]:
    words: list[str] = []
    for argument in extra_args or []:
        words += (
            [str(word) for item in argument.items() for word in item]
            if isinstance(argument, Mapping)
            else [argument]
        )
    return words
