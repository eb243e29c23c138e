"""Calls of dnf, dnf5, tdnf or yum, their options, lists of packages and directories of repositories."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from salt_g.api import scratch
from salt_g.errors import CommandExecutionError, CommandNotFound, InvocationError
from salt_g.modules import _systemd
from salt_g.modules._booleans import as_list
from salt_g.modules._ini import Document
from salt_g.modules._programs import is_installed, run
from salt_g.modules._rpm_packages import shown_name, split_architecture
from salt_g.shapes import Completed

#: Programs in order of preference.
_PROGRAMS = ("dnf5", "dnf", "tdnf", "yum")
_CONFIG_FILES = ("/etc/yum/yum.conf", "/etc/yum.conf", "/etc/dnf/dnf.conf", "/etc/tdnf/tdnf.conf")
_REPO_DIRECTORIES = ["/etc/yum/repos.d", "/etc/yum.repos.d"]
#: Lines above a list that are not packages.
_HEADLINES = (
    "available packages",
    "available upgrades",
    "installed packages",
    "updated packages",
    "upgraded packages",
)


class AvailablePackage(NamedTuple):
    """Package available in a repository."""

    name: str
    version: str
    repository: str


def program() -> str | None:
    """Return the name of the package manager, or None if none is installed."""
    if "yum_bin" not in scratch:
        scratch["yum_bin"] = next((name for name in _PROGRAMS if is_installed(name)), None)
    found: str | None = scratch["yum_bin"]
    return found


def is_dnf() -> bool:
    """Return whether the package manager is dnf or dnf5."""
    return program() in ("dnf", "dnf5")


def yum(words: list[str], *, scope: bool = True, **options: Any) -> Completed:
    """Run the package manager; `scope` protects it from a restart of the minion's service."""
    name = program()
    if name is None:
        raise CommandNotFound("DNF nor YUM found")
    prefix = _systemd.scope_prefix() if scope else []
    return run([*prefix, name, *words], **options)


def options_of(arguments: Mapping[str, Any]) -> list[str]:
    """Return the program options for arguments of a call (`fromrepo`, `enablerepo`, `setopt`, ...)."""
    fromrepo = arguments.get("fromrepo") or arguments.get("repo")
    if fromrepo:
        words = ["--disablerepo=*", f"--enablerepo={fromrepo}"]
    else:
        words = [
            f"--{key}={repo}"
            for key in ("disablerepo", "enablerepo")
            for repo in _list_or_one(arguments.get(key))
        ]
    words += [f"--{key}={arguments[key]}" for key in ("disableexcludes", "branch") if arguments.get(key)]
    return [*words, *(f"--setopt={item}" for item in as_list(arguments.get("setopt")))]


def further_options(arguments: Mapping[str, Any], known: tuple[str, ...] = ()) -> list[str]:
    """Return `--key=value` for unknown arguments, which the program validates."""
    ours = ("fromrepo", "repo", "disablerepo", "enablerepo", "disableexcludes", "branch", "setopt", *known)
    words = []
    for key in sorted(set(arguments) - set(ours)):
        value = arguments[key]
        if not key.startswith("__") and (isinstance(value, str) or value is True):
            words.append(f"--{key}" if value is True else f"--{key}={value}")
    return words


def parse_list(text: str) -> Iterator[AvailablePackage]:
    """Yield the packages of a list: name and architecture, version, repository.

    A long name pushes the rest into the next line, so words are counted instead of lines.
    """
    words = [
        word for line in text.splitlines() if line.strip().lower() not in _HEADLINES for word in line.split()
    ]
    for at in range(0, len(words) - 2, 3):
        base, arch = split_architecture(words[at])
        name = shown_name(base, arch) if arch else words[at]
        yield AvailablePackage(name, words[at + 1].rstrip("-"), words[at + 2].lstrip("@"))


def repo_directories(basedir: Any = None) -> list[str]:
    """Return the directories of repositories: from the call, the configuration, or the defaults."""
    given = as_list(basedir)
    if given:
        return given
    configured = as_list(_configuration().get("reposdir", ""))
    if not (configured or _REPO_DIRECTORIES):
        raise InvocationError("Could not determine any repo directories")
    return configured or _REPO_DIRECTORIES


def _configuration() -> dict[str, str]:
    path = next((path for path in _CONFIG_FILES if os.path.exists(path)), None)
    if path is None:
        raise CommandExecutionError(f"No suitable yum config file found in: {_CONFIG_FILES}")
    with open(path, encoding="utf-8", errors="replace") as file:
        main = Document(file.read()).plain().get("main")
    return dict(main) if isinstance(main, dict) else {}


def _list_or_one(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value else []
