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

    Only the components in the line are removed, only from its suite and its URI; an entry of a `.sources`
    file is split for that where necessary. Its types are not told apart, as in stock: a line of type `deb`
    also removes `deb-src` of the same entry.
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
        file.replace(source, *_without(source, wanted))
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


def _without(source: Source, wanted: Source) -> list[Source]:
    """Return what is left of an entry: its other URIs, other suites, and other components of the suite."""
    uri, suite = wanted.uris[0].rstrip("/"), wanted.suites[0]
    uris = [each for each in source.uris if each.rstrip("/") == uri]
    other_uris = [each for each in source.uris if each.rstrip("/") != uri]
    other_suites = [each for each in source.suites if each != suite]
    other_comps = [each for each in source.comps if each not in wanted.comps]
    left = []
    if other_uris:
        left.append(dataclasses.replace(source, uris=other_uris))
    if other_suites:
        left.append(dataclasses.replace(source, uris=uris, suites=other_suites))
    if other_comps:
        left.append(dataclasses.replace(source, uris=uris, suites=[suite], comps=other_comps))
    # The comment stands once.
    return left[:1] + [dataclasses.replace(part, comment="") for part in left[1:]]
