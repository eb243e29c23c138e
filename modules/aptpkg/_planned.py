"""Planned repository entries, computed from a repository line and arguments.

`pkg.mod_repo` writes the entry and `pkg.expand_repo_def` shows it, so a state compares with what will be
written.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import salt_g.modules.aptpkg._deb822 as _deb822
import salt_g.modules.aptpkg._one_line as _one_line
import salt_g.modules.aptpkg._sources as _sources
from salt_g.errors import InvocationError
from salt_g.modules._booleans import as_list, is_true
from salt_g.modules.aptpkg._ppa import is_ppa, without_ppa
from salt_g.modules.aptpkg._source import Source, read_bool
from salt_g.modules.aptpkg._sources import SourcesFile, read_files

#: Arguments that override a repository's line, each a list or a comma-separated text.
_LIST_ARGUMENTS = ("architectures", "comps")
#: Arguments with several values each; a line has only one value of each kind.
_PLURAL_ARGUMENTS = ("types", "uris", "suites")


@dataclasses.dataclass
class Planned:
    """Planned change of a file: its present entry (None for a new one) and the wanted entry.

    `asked` is the entry from the line and arguments, before it is merged with the present one.
    """

    file: SourcesFile
    present: Source | None
    wanted: Source
    asked: Source


def plan(repo: str, arguments: Mapping[str, Any]) -> Planned:
    """Return the change that `pkg.mod_repo` makes; raise InvocationError for an invalid line."""
    line = parse_line(without_ppa(repo, arguments.get("ppa_auth")))
    wanted = with_arguments(line, arguments)
    if arguments.get("comments") is not None:
        wanted.comment = _comment(arguments["comments"])
    file, present = _entry_to_change(wanted, line)
    if present is None:
        file = SourcesFile(arguments.get("file") or _sources.MAIN_FILE)
    if file.path.endswith(".sources"):
        wanted.options = _deb822.fields_of(wanted.options)
    else:
        _check_one_line(wanted, file.path)
    merged = _merged(present, wanted, arguments, file.path) if present else wanted
    return Planned(file, present, merged, wanted)


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


def with_arguments(source: Source, arguments: Mapping[str, Any]) -> Source:
    """Return the entry with the overrides of a call or a state applied."""
    changes: dict[str, Any] = {
        name: as_list(arguments[name]) for name in _LIST_ARGUMENTS if arguments.get(name) is not None
    }
    for name in _PLURAL_ARGUMENTS:
        if arguments.get(name):
            changes[name] = [word for item in as_list(arguments[name]) for word in str(item).split()]
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


def _entry_to_change(wanted: Source, line: Source) -> tuple[SourcesFile, Source | None]:
    """Return the file and the entry to update: one like the wanted entry, else one like the line.

    An entry is like another if type, URI and suite are the same and it shares a component with the other, has
    no components, or has other architectures. Without such an entry the result is (main file, None).
    """
    files = read_files()
    for sought in (wanted, line):
        for file in files:
            for source in file.sources:
                if _is_entry_of(source, sought):
                    return file, source
    return SourcesFile(_sources.MAIN_FILE), None


def _is_entry_of(source: Source, sought: Source) -> bool:
    return source.serves(sought.types[0], sought.uris[0], sought.suites[0]) and _shares(source, sought)


def _shares(source: Source, wanted: Source) -> bool:
    if not source.comps or source.architectures != wanted.architectures:
        return True
    return bool(set(source.comps) & set(wanted.comps))


def _merged(source: Source, wanted: Source, arguments: Mapping[str, Any], path: str) -> Source:
    """Return the updated entry; one in a `.sources` file keeps its other suites and fields."""
    comment = wanted.comment or source.comment
    if not path.endswith(".sources"):
        # The line is the whole entry: one without `arch=` is for all architectures.
        return dataclasses.replace(wanted, comment=comment)
    architectures = wanted.architectures or source.architectures
    given = {name: getattr(wanted, name) for name in _PLURAL_ARGUMENTS if arguments.get(name)}
    given.setdefault("uris", [_spelled_as(wanted.uris[0], each) for each in source.uris])
    if arguments.get("dist"):
        given["suites"] = wanted.suites
    merged = dataclasses.replace(
        source,
        comps=wanted.comps,
        architectures=architectures,
        signedby=wanted.signedby or source.signedby,
        comment=comment,
        options={**_without(source.options, wanted.options), **wanted.options},
        **given,
    )
    if "disabled" in arguments or "enabled" in arguments:
        merged.disabled = wanted.disabled
    if wanted.trusted is not None:
        merged.trusted = wanted.trusted
    return merged


def _spelled_as(wanted: str, uri: str) -> str:
    """Return `wanted` if it is the same URI apart from trailing slashes, else `uri`."""
    return wanted if uri.rstrip("/") == wanted.rstrip("/") else uri


def _without(options: Mapping[str, str], others: Mapping[str, str]) -> dict[str, str]:
    """Return the options whose names are not in `others`, ignoring case."""
    named = {name.lower() for name in others}
    return {name: value for name, value in options.items() if name.lower() not in named}


def _check_one_line(wanted: Source, path: str) -> None:
    for name in _PLURAL_ARGUMENTS:
        if len(getattr(wanted, name)) > 1:
            raise InvocationError(f"{path} can have only one of {name!r} per line; use a .sources file")


def _comment(comments: Any) -> str:
    return " ".join(str(each) for each in (comments if isinstance(comments, list) else [comments])).strip()
