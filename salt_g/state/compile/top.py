"""Top files, which assign SLS to minions by environment.

Top files are read, merged (in one of three ways) and matched before any SLS; only {saltenv: [sls, ...]}
remains afterwards.

Shapes: a top is {saltenv: {target: [sls, {saltenv: sls}, {"match": type}, {"subfilter": {...}}]}}.
Errors: RenderError if an environment has no targets, or if a required `default_top` is not set. A top file
that cannot be rendered is logged; malformed entries are findings.
Source: stock docs "The Top File"; conformance area `top`.
"""

from __future__ import annotations

import fnmatch
import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from salt_g import api
from salt_g.errors import RenderError, TargetError
from salt_g.match.top import target_type
from salt_g.shapes import Opts, SlsUsage, TopFile, TopMatches
from salt_g.state.compile.diagnostics import Problem, about_fault
from salt_g.state.compile.source_locations import SourceLocations, top_name

if TYPE_CHECKING:
    from salt_g.services.protocols import FileAccess, Matching, Rendering

log = logging.getLogger(__name__)

Top = TopFile
#: Tops by environment: the environment's top file, then the included ones.
Tops = dict[str, list[Top]]


class StateTopReader:
    """Reader of top files with the settings of one run (`opts`)."""

    def __init__(
        self, files: FileAccess, rendering: Rendering, opts: Opts, places: SourceLocations | None = None
    ) -> None:
        self._places = places
        #: Name and path of the last file that was read.
        self._current = ("", "")
        self._files = files
        self._rendering = rendering
        self._opts = opts

    def read(self) -> Top:
        """Return the merged top; if a top file cannot be rendered, log the error and return {}."""
        try:
            tops = {saltenv: self._tops_of(saltenv) for saltenv in self._envs()}
        except RenderError as exc:
            self._report(exc)
            return {}
        return self._merge(tops)

    def _report(self, exc: RenderError) -> None:
        """Log why a top file cannot be rendered, with the location, and send the location with the return."""
        text, sls = f"cannot render the top file: {exc}", self._current
        problem = Problem(text, sls=sls[0], **about_fault(exc, sls[1]))
        log.error("%s", self._places.describe(problem) if self._places else text)
        if self._places and (place := self._places.location_of(problem)):
            api.current().scratch.setdefault("places", []).append(f"{place}: the top file cannot be rendered")

    def _envs(self) -> list[str]:
        """Return the environments whose top files are used, in order."""
        if self._opts.get("saltenv"):
            return [str(self._opts["saltenv"])]
        if self._opts.get("state_top_saltenv"):
            return [str(self._opts["state_top_saltenv"])]
        known = self._files.envs()
        wanted = self._opts.get("env_order") or ["base", *known]
        return [env for env in dict.fromkeys(wanted) if env in known or env == "base"]

    def _tops_of(self, saltenv: str) -> list[Top]:
        name = str(self._opts.get("state_top") or "top.sls")
        path = self._files.cache_file(name if "://" in name else f"salt://{name}", saltenv)
        tops = [self._render(path, saltenv, name)] if path else [{}]
        done: set[str] = set()
        for top in tops:
            # `tops` grows during the loop: included tops may include further ones.
            for sls in self._included(top, saltenv):
                if sls not in done:
                    done.add(sls)
                    url, included = self._files.cache_sls(sls, saltenv)
                    tops.append(self._render(included, saltenv, url))
        return tops

    def _included(self, top: Top, saltenv: str) -> list[str]:
        patterns = top.pop("include", None) or []
        if not isinstance(patterns, list) or not all(isinstance(pattern, str) for pattern in patterns):
            raise RenderError(f"The include of the top file of {saltenv} is not formed as a list of names")
        return [
            sls for pattern in patterns for sls in fnmatch.filter(self._files.list_states(saltenv), pattern)
        ]

    def _render(self, path: str, saltenv: str, name: str) -> Top:
        url = name if "://" in name else f"salt://{name}"
        self._current = (top_name(saltenv), path)
        if self._places is not None:
            self._places.add(self._current[0], url=url, path=path, saltenv=saltenv)
        try:
            data = self._rendering.render_sls(path, sls="", saltenv=saltenv, tmplpath=path) or {}
        except RenderError:
            raise
        except (Exception, SystemExit) as exc:  # A renderer is a plugin and calls plugins.
            raise RenderError(f"{path}: {exc}", path=path) from exc
        if not isinstance(data, dict):
            raise RenderError(f"{path}: Top data was not formed as a dict")
        return data

    def _merge(self, tops: Tops) -> Top:
        strategy = self._opts.get("top_file_merging_strategy") or "merge"
        if strategy == "same":
            return merge_same(tops, default_top=self._default_top())
        if strategy == "merge_all":
            return merge_all(tops)
        if strategy != "merge":
            log.warning("top_file_merging_strategy %r is unknown, 'merge' is used", strategy)
        return merge(tops)

    def _default_top(self) -> str:
        default = self._opts.get("default_top")
        if not default and not self._opts.get("saltenv"):
            raise RenderError(
                "top_file_merging_strategy set to 'same', but no default_top configuration option was set"
            )
        return str(default)


def merge(tops: Tops) -> Top:
    """Merge tops; each environment other than base adds its own section only if base has none for it."""
    merged: Top = {}
    for top in tops.get("base", []):
        for saltenv, targets in top.items():
            merged.setdefault(saltenv, {}).update(_targets(targets))
    from_base = set(merged)
    for env, others in tops.items():
        for top in others:
            if env != "base" and env in top and env not in from_base:
                merged.setdefault(env, {}).update(_targets(top[env]))
    return merged


def merge_same(tops: Tops, *, default_top: str) -> Top:
    """Use each environment's own top; without one, use that of `default_top`."""
    merged: Top = {}
    for env, own in tops.items():
        deciding = own if any(own) else tops.get(default_top, [])
        for top in deciding:
            if env in top:
                merged.setdefault(env, {}).update(_targets(top[env]))
        if env not in merged:
            log.error(
                "saltenv %r has no section in its own or in the default top file (%s)", env, default_top
            )
    return merged


def merge_all(tops: Tops) -> Top:
    """Merge the sections of all top files; the SLS lists of a target are concatenated."""
    merged: Top = {}
    for top in (top for own in tops.values() for top in own):
        for saltenv, targets in top.items():
            section = merged.setdefault(saltenv, {})
            for target, items in _targets(targets).items():
                section[target] = _joined(section[target], items) if target in section else items
    return merged


def verify_top(top: Top) -> Iterator[Problem]:
    """Yield a finding for each malformed entry of a merged top."""
    for saltenv, targets in top.items():
        if not isinstance(saltenv, str):
            yield Problem(f"Environment {saltenv} in top file is not formed as a string")
        if saltenv == "":
            yield Problem("Empty saltenv statement in top file")
        for target, items in targets.items():
            if not isinstance(items, list):
                yield Problem(
                    f"Malformed topfile: state declarations for matcher {target!r} in saltenv {saltenv!r} "
                    f"are not formed as a list (got {type(items).__name__})"
                )
                continue
            yield from _verify_items(items)


def top_matches(top: Top, *, matching: Matching, envs: list[str], saltenv: str | None = None) -> TopMatches:
    """Return {saltenv: [sls, ...]} for this minion; with `saltenv` only from that section."""
    matches: TopMatches = {}
    for env, targets in top.items():
        if not saltenv or env == saltenv:
            for target, items in targets.items():
                _add_matches(matches, env, target, items, matching, envs)
    return matches


def joined_tops(matches: TopMatches, tops: TopMatches, *, masters_first: bool) -> TopMatches:
    """Add the SLS of the master's tops before or after those of the top file."""
    joined = dict(matches)
    for saltenv, names in tops.items():
        own = matches.get(saltenv, [])
        first, second = (names, own) if masters_first else (own, names)
        joined[saltenv] = list(dict.fromkeys([*first, *second]))
    return joined


def only_listed(matches: TopMatches, whitelist: Any) -> TopMatches:
    """Return the matches in a whitelist (list or comma-separated text); all if it is empty."""
    if not whitelist:
        return matches
    wanted = whitelist if isinstance(whitelist, list) else str(whitelist).split(",")
    kept = {env: [sls for sls in names if sls in wanted] for env, names in matches.items()}
    return {env: names for env, names in kept.items() if names}


def _targets(targets: Any) -> dict[Any, Any]:
    if not isinstance(targets, dict):
        raise RenderError("Unable to render top file. No targets found.")
    return targets


def _joined(first: Any, second: Any) -> Any:
    """Merge the items of one target in two tops; the later match type is used."""
    if not isinstance(first, list) or not isinstance(second, list):
        return second
    options = [item for item in [*first, *second] if isinstance(item, dict)][-1:]
    return options + list(dict.fromkeys(item for item in [*first, *second] if isinstance(item, str)))


def _verify_items(items: list[Any]) -> Iterator[Problem]:
    for item in items:
        if isinstance(item, dict):
            for value in item.values():
                if not value:
                    yield Problem(f"Improperly formatted top file matcher in saltenv {item}: {value} file")
            yield from _verify_subfilter(item.get("subfilter") or {})
        elif item == "":
            yield Problem(f"Environment {item} contains an empty sls index")


def _verify_subfilter(subfilter: Any) -> Iterator[Problem]:
    if not isinstance(subfilter, dict):
        yield Problem(f"Malformed topfile: subfilter {subfilter!r} is not formed as a mapping of targets")
        return
    for target, items in subfilter.items():
        if isinstance(items, list):
            yield from _verify_items(items)
        elif not isinstance(items, str):
            yield Problem(f"Malformed topfile: the value of subfilter {target!r} is not formed as a list")


def _add_matches(
    matches: TopMatches, env: str, target: Any, items: Any, matching: Matching, envs: list[str]
) -> None:
    items = [items] if isinstance(items, str) else items or []
    if not _matches(target, items, matching):
        return
    own = matches.setdefault(env, [])
    for item in items:
        if isinstance(item, str):
            own.append(item)
        elif isinstance(item, dict):
            for inner, inner_items in (item.get("subfilter") or {}).items():
                _add_matches(matches, env, inner, inner_items, matching, envs)
            for key, sls in item.items():
                if key in envs:
                    matches.setdefault(key, []).append(sls)


def _matches(target: Any, items: list[Any], matching: Matching) -> bool:
    try:
        return matching.matches(str(target), target_type(items))
    except TargetError as exc:
        log.error("top file target %r cannot be matched: %s", target, exc)
        return False


def usage_of(names: Sequence[str], wanted: Sequence[str]) -> SlsUsage:
    """Return which SLS of an environment a top file uses, and which it does not."""
    used = [name for name in names if name in wanted]
    unused = [name for name in names if name not in wanted]
    return {
        "used": used,
        "unused": unused,
        "count_all": len(names),
        "count_used": len(used),
        "count_unused": len(unused),
    }
