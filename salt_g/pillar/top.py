"""Pillar top files: the SLS of each environment for this minion.

Shapes: a top file is {saltenv: {target: [sls | {"match": type} | {"order": n} |
{"ignore_missing": True}, ...]}}, and `include: [sls]` adds further top files.
Errors: collected as texts for `_errors`, never raised.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from salt_g.errors import TargetError
from salt_g.formats import salturl
from salt_g.match.matchers import Member, matches
from salt_g.match.top import target_type
from salt_g.shapes import TopFile, TopMatches

if TYPE_CHECKING:
    from salt_g.services.protocols import FileAccess

log = logging.getLogger(__name__)

#: Function that renders a file to data: (path, sls, saltenv).
Render = Callable[[str, str, str], Any]
#: Function that returns the place of an error: (error, path, sls, saltenv, variables).
Locate = Callable[[BaseException, str, str, str, Mapping[str, Any]], str]


class TopTarget(NamedTuple):
    """One target of a top file with its SLS; targets with a lower `order` come first."""

    tgt: str
    tgt_type: str
    names: tuple[str, ...]
    order: int
    ignore_missing: bool


#: {saltenv: {target: TopTarget}}
Tops = dict[str, dict[str, TopTarget]]


class PillarTopReader:
    """Reader of the top files of some environments; collects `errors`, and the `paths` of the files."""

    def __init__(
        self, files: FileAccess, render: Render, state_top: str, locate: Locate = lambda exc, path, *_: path
    ) -> None:
        self._locate = locate
        self._files = files
        self._render = render
        self._url = state_top if salturl.is_salt_url(state_top) else salturl.create(state_top.lstrip("/"))
        self.errors: list[str] = []
        #: Paths of the files that were read.
        self.paths: list[str] = []

    def read(self, envs: Sequence[str]) -> Tops:
        """Return the merged targets of all top files; a later file replaces the target of an earlier one."""
        tops: Tops = {}
        try:
            for data in self._rendered(envs):
                for saltenv, targets in data.items():
                    merged = tops.setdefault(saltenv, {})
                    merged.update((tgt, _target(tgt, items)) for tgt, items in targets.items())
        except (AttributeError, TypeError):
            self.errors.append("Error encountered while rendering pillar top file.")
            return {}
        return tops

    def _rendered(self, envs: Sequence[str]) -> Iterator[TopFile]:
        included: list[tuple[str, str]] = []
        for data, saltenv in self._primary(envs):
            included += [(sls, saltenv) for sls in data.pop("include", [])]
            yield data
        yield from self._included(included)

    def _primary(self, envs: Sequence[str]) -> Iterator[tuple[TopFile, str]]:
        for saltenv in envs:
            path = self._files.cache_file(self._url, saltenv)
            if not path:
                continue
            self.paths.append(path)
            try:
                data = self._render(path, "", saltenv)
            except (Exception, SystemExit) as exc:  # a renderer is a plugin, and calls plugins
                self._report("Rendering Primary Top file failed, render error:", exc, path, saltenv)
                return
            yield _as_mapping(data), saltenv

    def _report(self, text: str, exc: BaseException, path: str, saltenv: str) -> None:
        """Record stock's text as an error, and log it with its place."""
        self.errors.append(f"{text}\n{exc}")
        log.critical("top file (%s): %s\n%s", self._locate(exc, path, "", saltenv, {}), text, exc)

    def _included(self, waiting: list[tuple[str, str]]) -> Iterator[TopFile]:
        done: set[tuple[str, str]] = set()
        while waiting:
            sls, saltenv = waiting.pop(0)
            if (sls, saltenv) in done:
                continue
            done.add((sls, saltenv))
            _, path = self._files.cache_sls(sls, saltenv)
            self.paths += [path] if path else []
            try:
                data = self._render(path, sls, saltenv) if path else {}
            except (Exception, SystemExit) as exc:  # a renderer is a plugin, and calls plugins
                self._report(f"Rendering Top file {sls} failed, render error:", exc, path, saltenv)
                continue
            data = _as_mapping(data)
            waiting += [(name, saltenv) for name in data.pop("include", [])]
            yield data


def matched_sls(tops: Tops, member: Member, errors: list[str], *, pillarenv: str | None) -> TopMatches:
    """Return {saltenv: [sls, ...]} for a minion or a resource, in order and without duplicates.

    `pillarenv` limits it to one environment.
    """
    found: TopMatches = {}
    for saltenv, targets in tops.items():
        if pillarenv and saltenv != pillarenv:
            continue
        for target in sorted(targets.values(), key=lambda target: target.order):
            if _matches(target, member, errors):
                names = found.setdefault(saltenv, [])
                names += [name for name in dict.fromkeys(target.names) if name not in names]
    return found


def ignored_sls(tops: Tops) -> dict[str, set[str]]:
    """Return {saltenv: {sls, ...}} of the SLS that may be missing."""
    return {
        saltenv: {name for target in targets.values() if target.ignore_missing for name in target.names}
        for saltenv, targets in tops.items()
    }


def _matches(target: TopTarget, member: Member, errors: list[str]) -> bool:
    try:
        return matches(target.tgt, target.tgt_type, member)
    except TargetError as exc:
        errors.append(f"target {target.tgt!r} of the pillar top file: {exc}")
        return False


def _as_mapping(data: Any) -> TopFile:
    if not data:
        return {}
    if not isinstance(data, Mapping):
        raise TypeError("a top file must be a mapping")
    return dict(data)


def _target(tgt: str, items: Any) -> TopTarget:
    if not isinstance(items, list):
        raise TypeError("the SLS of a target must be a list")
    options: dict[str, Any] = {}
    for item in items:
        if isinstance(item, Mapping):
            options.update(item)
    return TopTarget(
        tgt=tgt,
        tgt_type=target_type(items),
        names=tuple(item for item in items if isinstance(item, str)),
        order=_order(options.get("order", 0)),
        ignore_missing=bool(options.get("ignore_missing", False)),
    )


def _order(value: Any) -> int:
    try:
        return int(value)
    except (ValueError, TypeError, OverflowError):
        return 0
