"""States of package repositories.

The platform's `pkg` module reads and writes repositories; the state compares the current configuration with
the wanted one.
Source: stock docs of `pkgrepo`.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from typing import Any

from salt_g import safe_files
from salt_g.api import advise, call, current, functions, grains, opts
from salt_g.errors import CommandExecutionError, FileServerError, InvocationError
from salt_g.shapes import StateReturn
from salt_g.states._extra_keywords import takes
from salt_g.states._outcome import as_wanted, changed, failed, outcome, would_change

#: Mutually exclusive ways to give a key, and their names in the comment. A
#: `keyserver` without `keyid` selects no key: formulas give it beside `key_url`, without effect.
_EXCLUSIVE = (
    ("keyid", "key_url", '"keyid"/"keyserver" and "key_url"'),
    ("keyid", "key_text", '"keyid"/"keyserver" and "key_text"'),
    ("key_text", "key_url", '"key_url" and "key_text"'),
)
_MAY_DIFFER = (
    "This may cause pkg states to behave differently than stated if this action is repeated "
    "without test=True, due to the differences in the configured repositories."
)


def __virtual__() -> bool | tuple[bool, str]:
    if "pkg.mod_repo" in functions:
        return True
    return False, "pkgrepo: the pkg module of this platform does not manage repositories"


@takes("pkg.mod_repo")
def managed(
    name: str, ppa: str | None = None, copr: str | None = None, aptkey: bool = True, **kwargs: Any
) -> StateReturn:
    """Ensure that a repository is configured.

    name, file, humanname, baseurl, mirrorlist, gpgkey
        On Debian, `name` is the whole line (`deb http://… suite component…`), and `file` the file to write it
        to; elsewhere `name` is the id of the repository, and the others are its properties.
    ppa, copr
        The archive to configure, instead of `name`.
    enabled, disabled
        Whether the repository is enabled (True by default), or disabled; only one of them.
    key_url, key_text, keyid, keyserver
        The key: its URL, its text, or its id and the server to fetch it from.
    aptkey
        Whether to import the key with apt-key, where that exists.
    clean_file
        Empty the file first.
    refresh
        Refresh the package lists afterwards (default: True); its earlier name is `refresh_db`.

    All other arguments are passed to `pkg.mod_repo`.

    Example::

        salt-g state.single pkgrepo.managed 'deb http://example.org/debian bookworm main'
    """
    problem = _problem(kwargs)
    if problem:
        return failed(name, problem)
    repo, wanted = _wanted(name, ppa, copr, kwargs)
    try:
        before = call("pkg.get_repo", repo=repo, **wanted)
        # As in stock, test mode only reports that a missing repository would be created; its
        # validity is checked when it is written.
        target = _target(repo, wanted) if before or not opts["test"] else {}
    except CommandExecutionError as exc:
        return failed(name, f"Failed to examine repo '{name}': {exc}")
    except InvocationError as exc:
        return failed(name, f"Failed to configure repo '{name}': {exc}")
    if before and not _has_other_lines(name, kwargs) and _is_as_wanted(before, target):
        return as_wanted(name, f"Package repo '{name}' already configured")
    if opts["test"]:
        differing = _differences(before, target, target) if before else {"repo": name}
        return would_change(name, f"Package repo '{name}' would be configured. {_MAY_DIFFER}", differing)
    return _configure(name, repo, aptkey, wanted, before, target)


@takes("pkg.mod_repo")
def absent(name: str, **kwargs: Any) -> StateReturn:
    """Ensure that a repository is not configured; `keyid` or `keyid_ppa` also removes its key.

    Example::

        salt-g state.single pkgrepo.absent 'deb http://example.org/debian bookworm main'
    """
    name = _archive_name(name, kwargs)
    takes_key = any(kwargs.get(key) is not None for key in ("keyid", "keyid_ppa"))
    if takes_key and "pkg.del_repo_key" not in functions:
        return failed(name, "Repo key management is not implemented for this platform")
    repo = re.sub(r"((?:https?|ftp)://\S*?)/+(?=\s|$)", r"\1", name) if _is_debian() else name
    try:
        there = call("pkg.get_repo", repo, **kwargs)
        if there and _is_debian() and not repo.startswith("ppa:"):
            # Raises an error for a text that is not a line of a sources file.
            call("pkg.expand_repo_def", repo=repo)
            there = there if _architectures_of(repo) == {*there["architectures"]} else {}
    except (CommandExecutionError, InvocationError) as exc:
        return failed(name, f"Failed to configure repo '{name}': {exc}")
    if not there:
        return as_wanted(name, f"Package repo {name} is absent")
    if opts["test"]:
        return would_change(name, f"Package repo '{name}' will be removed. {_MAY_DIFFER}")
    return _remove(name, repo, takes_key, kwargs)


def _problem(arguments: Mapping[str, Any]) -> str:
    """Return the problem with the arguments, or '' if there is none."""
    if "pkg.get_repo" not in functions:
        return "Repo management not implemented on this platform"
    for one, other, shown in _EXCLUSIVE:
        if one in arguments and other in arguments:
            return f"You may not use both {shown} argument."
    if "repo" in arguments:
        return (
            "'repo' is not a supported argument for this state. The 'name' argument is probably what "
            "was intended."
        )
    if arguments.get("enabled") is not None and arguments.get("disabled") is not None:
        return "Only one of enabled/disabled is allowed"
    is_open = str(arguments.get("key_url", "")).strip().startswith("http:")
    if is_open and not arguments.get("allow_insecure_key", True):
        return "Cannot have 'key_url' using http with 'allow_insecure_key' set to True"
    return ""


def _wanted(
    name: str, ppa: str | None, copr: str | None, arguments: Mapping[str, Any]
) -> tuple[str, dict[str, Any]]:
    """Return the repository's name for the platform's module, and the module's arguments."""
    dropped = ("enabled", "disabled", "allow_insecure_key")
    wanted = {key: value for key, value in arguments.items() if key not in dropped}
    wanted["name"] = name
    if arguments.get("enabled") is not None:
        is_enabled = _is_true(arguments["enabled"])
    else:
        is_enabled = not _is_true(arguments.get("disabled", False))
    if _is_debian():
        wanted["disabled"] = not is_enabled
        return (f"ppa:{ppa}" if ppa is not None else name), wanted
    wanted["enabled"] = is_enabled
    if "humanname" in wanted:
        wanted["name"] = wanted.pop("humanname")
    return (f"copr:{copr}" if copr is not None else name), wanted


def _target(repo: str, wanted: dict[str, Any]) -> dict[str, Any]:
    """Return the wanted repository in the form of `pkg.get_repo`."""
    if "pkg.expand_repo_def" in functions:
        found: dict[str, Any] = call("pkg.expand_repo_def", repo=repo, **wanted)
        return found
    return dict(wanted)


def _has_other_lines(name: str, arguments: Mapping[str, Any]) -> bool:
    """Return whether a file reserved for this repository contains other repositories."""
    path = arguments.get("file")
    if not (arguments.get("clean_file") and path and os.path.isfile(path)):
        return False
    with open(path, encoding="utf-8") as file:
        lines = (line.strip() for line in file)
        return any(line and not line.startswith("#") and line != name.strip() for line in lines)


def _is_as_wanted(before: Mapping[str, Any], target: Mapping[str, Any]) -> bool:
    return all(_agrees(key, before, target) for key in target if key != "file")


def _agrees(key: str, before: Mapping[str, Any], target: Mapping[str, Any]) -> bool:
    """Return whether one property is as wanted; each has its own comparison."""
    if key not in before:
        if _is_debian() and key in ("options", "comments"):
            return False
        return key not in ("enabled", "comps", "key_url") or (
            key == "enabled" and grains["os_family"] == "RedHat" and _is_true(target[key])
        )
    old, new = before[key], target[key]
    if key in ("comps", "key_url"):
        return sorted(old) == sorted(new)
    if key == "line" and _is_debian():
        return bool(target["disabled"]) or _is_same_line(old, new)
    if key == "architectures" and new:
        return {*old} == {*new}
    if not _is_debian() and (isinstance(old, bool) or isinstance(new, bool)):
        return _is_true(old) == _is_true(new)
    return str(old) == str(new)


def _is_same_line(old: str, new: str) -> bool:
    """Compare lines, ignoring the order of components."""
    old_words, new_words = (_sorted_words(line.partition("#")[0]) for line in (old, new))
    return old_words == new_words and old.partition("#")[2].strip() == new.partition("#")[2].strip()


def _sorted_words(line: str) -> list[str]:
    words = line.split()
    return [*words[:3], *sorted(words[3:])]


def _differences(
    before: Mapping[str, Any], after: Mapping[str, Any], keys: Mapping[str, Any]
) -> dict[str, Any]:
    return {
        key: {"new": after.get(key), "old": before.get(key)}
        for key in keys
        if key != "file" and after.get(key) != before.get(key)
    }


def _configure(
    name: str,
    repo: str,
    aptkey: bool,
    wanted: dict[str, Any],
    before: Mapping[str, Any],
    target: Mapping[str, Any],
) -> StateReturn:
    options = dict(wanted)
    if _is_debian():
        options["saltenv"] = current().saltenv
        options["aptkey"] = aptkey and shutil.which("apt-key") is not None
    if options.get("clean_file"):
        open(options["file"], "w", encoding="utf-8", opener=safe_files.opener).close()
    try:
        call("pkg.mod_repo", repo, **options)
    except (CommandExecutionError, InvocationError, FileServerError, NameError) as exc:
        comment = f"Failed to configure repo '{name}': {exc}"
        return failed(name, comment, _written_changes(repo, wanted, before, target))
    after = call("pkg.get_repo", repo=repo, **wanted)
    return changed(name, f"Configured package repo '{name}'", _changes(repo, before, after, target))


def _written_changes(
    repo: str, wanted: dict[str, Any], before: Mapping[str, Any], target: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the changes of a failed configuration: a failed refresh leaves the repository written."""
    try:
        after = call("pkg.get_repo", repo=repo, **wanted)
    except (CommandExecutionError, InvocationError) as exc:
        advise(f"whether repo {repo!r} was written is unknown: {exc}")
        return {}
    if not after or (before and not _differences(before, after, target)):
        return {}
    place = f" in {after['file']}" if after.get("file") else ""
    advise(
        f"repo {repo!r} is written{place} and stays there; only the package lists are not refreshed: "
        "repair what the package manager names, then run pkg.refresh_db"
    )
    return _changes(repo, before, after, target)


def _changes(
    repo: str, before: Mapping[str, Any], after: Mapping[str, Any], target: Mapping[str, Any]
) -> dict[str, Any]:
    return _differences(before, after, target) if before else {"repo": repo}


def _remove(name: str, repo: str, takes_key: bool, arguments: dict[str, Any]) -> StateReturn:
    try:
        call("pkg.del_repo", repo=repo, **arguments)
    except (CommandExecutionError, InvocationError) as exc:
        return failed(name, str(exc))
    if repo in call("pkg.list_repos"):
        return failed(name, f"Failed to remove repo {name}")
    comment, changes = f"Removed repo {name}", {"repo": name}
    if not takes_key:
        return changed(name, comment, changes)
    try:
        key = call("pkg.del_repo_key", repo, **arguments)
    except (CommandExecutionError, InvocationError) as exc:
        return outcome(name, False, f"{comment}, but failed to remove key: {exc}", changes)
    return changed(name, f"{comment}, and keyid {key}", {**changes, "keyid": key})


def _archive_name(name: str, arguments: dict[str, Any]) -> str:
    """Return the name of the repository, or of the archive given instead (`ppa`, `copr`)."""
    kind = "ppa" if grains["os"] in ("Ubuntu", "Mint") else "copr" if grains["os_family"] == "RedHat" else ""
    if kind not in arguments:
        return name
    archive = str(arguments.pop(kind))
    return archive if archive.startswith(f"{kind}:") else f"{kind}:{archive}"


def _architectures_of(line: str) -> set[str]:
    """Return the architectures to which a line of a sources file is limited."""
    found = re.search(r"^\s*\S+\s+\[[^\]]*?\barch(?:itectures)?=([^\s\]]+)", line)
    return set(found.group(1).split(",")) if found else set()


def _is_debian() -> bool:
    return bool(grains["os_family"] == "Debian")


def _is_true(value: Any) -> bool:
    return value.lower() in ("true", "1") if isinstance(value, str) else bool(value)
