"""apt's repositories: listing, lookup and removal.

Shapes: a repository is named by its line, `deb http://… suite component…`, and described by a dict
(`_described`). `mod_repo` adds and changes repositories.
"""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import salt_g.modules.aptpkg._deb822 as _deb822
import salt_g.modules.aptpkg._one_line as _one_line
import salt_g.modules.aptpkg._sources as _sources
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._booleans import as_list, is_true
from salt_g.modules.aptpkg._ppa import is_ppa, without_ppa
from salt_g.modules.aptpkg._source import Source, read_bool
from salt_g.modules.aptpkg._sources import SourcesFile, all_sources, read_files
from salt_g.modules.aptpkg.available import refresh_db

#: Arguments that override a repository's line, each a comma-separated text.
_LIST_ARGUMENTS = ("architectures", "comps")


def list_repos(**kwargs: Any) -> dict[str, list[dict[str, Any]]]:
    """Return {uri: [repository, ...]} of all repositories, disabled ones too.

    Example::

        salt-g pkg.list_repos
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for path, source in all_sources():
        for uri, suite, kind in itertools.product(source.uris, source.suites, source.types):
            found.setdefault(uri, []).append(_described(path, source, kind, uri, suite))
    return found


def get_repo(repo: str, **kwargs: Any) -> dict[str, Any]:
    """Return the repository of this line, {} if there is none.

    A name that is not a line of a sources file gives {}: state trees for several systems name repositories of
    other systems.

    Example::

        salt-g pkg.get_repo 'deb http://deb.debian.org/debian bookworm main'
    """
    wanted = _one_line.parse(without_ppa(repo, kwargs.get("ppa_auth")))
    if wanted is None:
        return {}
    for repos in list_repos().values():
        for each in repos:
            is_same = wanted.serves(each["type"], each["uri"], each["dist"])
            if is_same and (not wanted.comps or set(wanted.comps) & set(each["comps"])):
                return each
    return {}


def del_repo(repo: str, **kwargs: Any) -> str:
    """Remove a repository; return a text about the changed files.

    Only the components in the line are removed, or the whole entry if none is left.
    Raises CommandExecutionError if there is no such repository.

    Example::

        salt-g pkg.del_repo 'deb http://example.org/debian bookworm main'
    """
    wanted = parse_line(without_ppa(repo, kwargs.get("ppa_auth")))
    told = [_taken_from(file, wanted, repo) for file in read_files()]
    if not any(told):
        raise CommandExecutionError(f"Repo {repo} doesn't exist in the sources.list(s)")
    refresh_db()
    return "".join(told)


def expand_repo_def(**kwargs: Any) -> dict[str, Any]:
    """Return a repository as `pkg.get_repo` would return it once written; `repo` is its line.

    Example::

        salt-g pkg.expand_repo_def repo='deb http://example.org/debian bookworm main'
    """
    if "repo" not in kwargs:
        raise InvocationError("missing 'repo' argument")
    path = kwargs.get("file") or _sources.MAIN_FILE
    source = with_arguments(parse_line(without_ppa(kwargs["repo"], kwargs.get("ppa_auth"))), kwargs)
    described = _described(path, source)
    described.pop("enabled")
    described["line"] = (_deb822 if path.endswith(".sources") else _one_line).render(source).strip()
    return described


def parse_line(repo: str) -> Source:
    """Parse a repository line; raise InvocationError if it is not one."""
    if is_ppa(repo):
        raise InvocationError(
            f'cannot parse "ppa:" style repo definitions: {repo}; only Ubuntu and its family know these, '
            "here the whole repo entry is needed"
        )
    source = _one_line.parse(repo)
    if source is None:
        raise InvocationError(
            f"Name {repo} is not valid. This must be the complete repo entry as seen in the sources file"
        )
    return source


def with_arguments(source: Source, arguments: dict[str, Any]) -> Source:
    """Return the entry with the overrides of a call or a state applied."""
    changes: dict[str, Any] = {
        name: as_list(arguments[name]) for name in _LIST_ARGUMENTS if arguments.get(name) is not None
    }
    for name in ("types", "uris", "suites"):
        if arguments.get(name):
            changes[name] = as_list(arguments[name])
    if arguments.get("dist"):
        changes["suites"] = [arguments["dist"]]
    if arguments.get("signedby"):
        changes["signedby"] = str(arguments["signedby"])
    if arguments.get("trusted") is not None:
        changes["trusted"] = read_bool(arguments["trusted"])
    if "disabled" in arguments:
        changes["disabled"] = is_true(arguments["disabled"])
    elif "enabled" in arguments:
        changes["disabled"] = not is_true(arguments["enabled"])
    return dataclasses.replace(source, **changes)


def _described(path: str, source: Source, kind: str = "", uri: str = "", suite: str = "") -> dict[str, Any]:
    """Return the description of one type and suite of an entry, by default the first of each."""
    kind, uri, suite = kind or source.types[0], uri or source.uris[0], suite or source.suites[0]
    one = dataclasses.replace(source, types=[kind], uris=[uri], suites=[suite])
    if path.endswith(".sources"):
        one = dataclasses.replace(one, options={}, comment="")
    return {
        "file": path,
        "comps": source.comps,
        "disabled": source.disabled,
        "enabled": not source.disabled,
        "dist": suite,
        "suites": source.suites,
        "type": kind,
        "types": source.types,
        "uri": uri,
        "uris": source.uris,
        "line": _one_line.render(one).strip(),
        "architectures": source.architectures,
        "signedby": source.signedby,
    }


def _taken_from(file: SourcesFile, wanted: Source, repo: str) -> str:
    """Remove a repository from a file; return the result text, '' if the file did not have it."""
    hits = [source for source in file.sources if _is_named(source, wanted)]
    for source in hits:
        file.replace(source, _without(source, wanted))
    if not hits:
        return ""
    file.save()
    if not file.sources and file.path.startswith(_sources.DIRECTORY):
        return f"File {file.path} containing repo '{repo}' has been removed."
    return f"Repo '{repo}' has been removed from {file.path}.\n"


def _is_named(source: Source, wanted: Source) -> bool:
    if not source.serves(wanted.types[0], wanted.uris[0], wanted.suites[0]):
        return False
    if source.architectures != wanted.architectures:
        return False
    return bool(set(source.comps) & set(wanted.comps)) or source.comps == wanted.comps


def _without(source: Source, wanted: Source) -> Source | None:
    """Return the rest of an entry, None if nothing is left."""
    if set(source.comps) != set(wanted.comps):
        comps = [comp for comp in source.comps if comp not in wanted.comps]
        return dataclasses.replace(source, comps=comps) if comps else None
    suites = [suite for suite in source.suites if suite != wanted.suites[0]]
    return dataclasses.replace(source, suites=suites) if suites else None
