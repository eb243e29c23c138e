"""apt's repositories: listing, lookup and removal.

Shapes: a repository is named by its line, `deb http://… suite component…`, and described by a dict
(`_described`). `mod_repo` adds and changes repositories.
"""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import salt_g.modules.aptpkg._one_line as _one_line
import salt_g.modules.aptpkg._sources as _sources
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules.aptpkg._planned import parse_line, plan, with_arguments
from salt_g.modules.aptpkg._ppa import without_ppa
from salt_g.modules.aptpkg._source import Source
from salt_g.modules.aptpkg._sources import SourcesFile, all_sources, read_files
from salt_g.modules.aptpkg.available import refresh_db


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
    """Return the repository of this line, or {} if there is none; keywords are those of `pkg.mod_repo`.

    A name that is not a line of a sources file gives {}, because state trees for several systems name
    repositories of other systems.

    Example::

        salt-g pkg.get_repo 'deb http://deb.debian.org/debian bookworm main'
    """
    line = _one_line.parse(without_ppa(repo, kwargs.get("ppa_auth")))
    if line is None:
        return {}
    known = [each for repos in list_repos().values() for each in repos]
    # An entry that matches the arguments comes before one that matches only the line.
    sought = (with_arguments(line, kwargs), line)
    return next((each for wanted in sought for each in known if _is_of(each, wanted)), {})


def _is_of(described: dict[str, Any], wanted: Source) -> bool:
    if not wanted.serves(described["type"], described["uri"], described["dist"]):
        return False
    return not wanted.comps or bool(set(wanted.comps) & set(described["comps"]))


def del_repo(repo: str, **kwargs: Any) -> str:
    """Remove a repository and refresh the package lists; return a text about the changed files.

    Only the components in the line are removed from the entry or, if it has exactly these, the suite. The
    entry itself is removed when no component or no suite is left.
    Raises CommandExecutionError if there is no such repository.

    Example::

        salt-g pkg.del_repo 'deb http://example.org/debian bookworm main'
    """
    wanted = parse_line(without_ppa(repo, kwargs.get("ppa_auth")))
    messages = [_taken_from(file, wanted, repo) for file in read_files()]
    if not any(messages):
        raise CommandExecutionError(f"Repo {repo} doesn't exist in the sources.list(s)")
    refresh_db()
    return "".join(messages)


def expand_repo_def(**kwargs: Any) -> dict[str, Any]:
    """Return a repository as `pkg.get_repo` would return it once written, but without `enabled`.

    `repo` is its line, the other keywords are those of `pkg.mod_repo`.

    Example::

        salt-g pkg.expand_repo_def repo='deb http://example.org/debian bookworm main'
    """
    if "repo" not in kwargs:
        raise InvocationError("missing 'repo' argument")
    planned = plan(kwargs["repo"], {name: value for name, value in kwargs.items() if name != "repo"})
    kind, uri, suite = (words[0] for words in (planned.asked.types, planned.asked.uris, planned.asked.suites))
    uri = next(each for each in planned.wanted.uris if each.rstrip("/") == uri.rstrip("/"))
    described = _described(planned.file.path, planned.wanted, kind, uri, suite)
    described.pop("enabled")
    return described


def _described(path: str, source: Source, kind: str, uri: str, suite: str) -> dict[str, Any]:
    """Return the description of one type, URI and suite of an entry.

    A line cannot show comments and other fields of a `.sources` file; those are in `comments` and `options`.
    """
    comments = [line.lstrip("# ") for line in source.comment.splitlines()]
    beside = {"options": source.options, "comments": comments} if path.endswith(".sources") else {}
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
        **{name: value for name, value in beside.items() if value},
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
    """Return an entry without the components or the suite to remove, or None if nothing is left."""
    if set(source.comps) != set(wanted.comps):
        comps = [comp for comp in source.comps if comp not in wanted.comps]
        return dataclasses.replace(source, comps=comps) if comps else None
    suites = [suite for suite in source.suites if suite != wanted.suites[0]]
    return dataclasses.replace(source, suites=suites) if suites else None
