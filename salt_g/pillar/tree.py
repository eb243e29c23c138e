"""Rendering of the pillar SLS of one environment, with their includes.

Shapes: an SLS is a mapping; its `include` is a list of names (wildcards, `.relative`) or {name: {"key":
"a:b", "defaults": {...}}}, which stores the included data under `a:b` and passes variables to its template.
Errors: collected in `errors` with stock's texts; successfully rendered data is kept.
Source: conformance cases `pillar/include*`, `pillar/errors*`.
"""

from __future__ import annotations

import fnmatch
import functools
import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from salt_g.errors import RenderError
from salt_g.formats.ordered import Ordered
from salt_g.pillar.error_places import place_of_name
from salt_g.pillar.merging import Merging
from salt_g.shapes import PillarDict

if TYPE_CHECKING:
    from salt_g.services.protocols import FileAccess

log = logging.getLogger(__name__)

#: Function that renders a file with template variables: (path, sls, saltenv, variables).
Render = Callable[[str, str, str, Mapping[str, Any]], Any]
#: Function that returns the place of an error: (error, path, sls, saltenv, variables).
Locate = Callable[[BaseException, str, str, str, Mapping[str, Any]], str]

#: Maximum depth of includes.
MAX_DEPTH = 100


class PillarRules(NamedTuple):
    """Rules for combining SLS.

    `includes_win`: included data overrides the including file. `safe_errors`: the text of a render error is
    only logged, not added to the pillar.
    """

    merging: Merging
    includes_win: bool = False
    safe_errors: bool = True

    @classmethod
    def from_opts(cls, opts: Mapping[str, Any]) -> PillarRules:
        """Return the rules defined by the settings."""
        return cls(
            Merging.from_opts(opts),
            includes_win=bool(opts.get("pillar_includes_override_sls", False)),
            safe_errors=bool(opts.get("pillar_safe_render_error", True)),
        )


class _Include(NamedTuple):
    """One entry of an `include` list."""

    name: str
    key: str = ""


class Tree:
    """SLS of one environment; an SLS that was already rendered is not rendered again when it is included.

    `tops` are the paths of the top files that may name these SLS.
    """

    def __init__(
        self,
        saltenv: str,
        *,
        files: FileAccess,
        render: Render,
        locate: Locate,
        rules: PillarRules,
        may_miss: Collection[str],
        errors: list[str],
        tops: Sequence[str] = (),
    ) -> None:
        self._tops = tops
        #: Paths of the files being compiled, innermost last.
        self._paths: list[str] = []
        self._saltenv = saltenv
        self._files = files
        self._render = render
        self._locate = locate
        self._rules = rules
        self._may_miss = may_miss
        self._errors = errors
        self._rendered: PillarDict = {}

    def compile(self, names: Sequence[str], pillar: PillarDict) -> PillarDict:
        """Return `pillar` with the data of these SLS (wildcards expanded) merged into it."""
        for name in (match for pattern in names for match in self._expand(pattern)):
            parts = self._compile_sls(name, {}, depth=0)
            if parts:
                data = functools.reduce(self._rules.merging.merge, parts)
                # Data from YAML can be merged without a copy; other renderers may keep a reference to what
                # they return.
                pillar = self._rules.merging.merge(pillar, data, copies=type(data) is not Ordered)
        return pillar

    def _expand(self, name: str) -> list[str]:
        """Return the SLS that match a name with wildcards; the name itself if none does."""
        if not any(sign in name for sign in "*?["):
            return [name]
        return fnmatch.filter(self._files.list_states(self._saltenv), name) or [name]

    def _compile_sls(self, sls: str, variables: Mapping[str, Any], *, depth: int) -> list[PillarDict]:
        """Return the data of an SLS and of all its includes, in the order in which they are merged."""
        url, path = self._files.cache_sls(sls, self._saltenv)
        if not path:
            self._report_missing(sls)
            return []
        self._paths.append(path)
        try:
            return self._compile_file(url, path, sls, variables, depth)
        finally:
            self._paths.pop()

    def _compile_file(
        self, url: str, path: str, sls: str, variables: Mapping[str, Any], depth: int
    ) -> list[PillarDict]:
        data = self._render_file(path, sls, variables)
        self._rendered[sls] = data
        if not data:
            return []
        if not isinstance(data, Mapping):
            self._errors.append(f"SLS '{sls}' does not render to a dictionary")
            return []
        data = data.copy() if isinstance(data, Ordered) else dict(data)
        return self._with_includes(sls, data, variables, is_init=url.endswith("/init.sls"), depth=depth)

    def _report_missing(self, sls: str) -> None:
        if sls in self._may_miss:
            log.debug("pillar SLS %r is missing in %r, ignored (ignore_missing)", sls, self._saltenv)
            return
        self._log_nearest(sls)
        self._errors.append(
            f"Specified SLS '{sls}' in environment '{self._saltenv}' is not available on the salt master"
        )

    def _log_nearest(self, sls: str) -> None:
        """Log names similar to that of a missing SLS; the minion gets stock's text."""
        import difflib  # Imported lazily: only needed after a failure.

        known = self._files.list_states(self._saltenv)
        near = difflib.get_close_matches(sls, known, n=3)
        advice = f"nearest: {', '.join(map(repr, near))}" if near else "check its name and pillar_roots"
        named = self._paths[-1:] or self._tops
        place = place_of_name(named, sls)
        at = f"{place}: " if place else ""
        log.critical("%spillar SLS %r is missing in %r; %s", at, sls, self._saltenv, advice)

    def _render_file(self, path: str, sls: str, variables: Mapping[str, Any]) -> Any:
        try:
            return self._render(path, sls, self._saltenv, variables)
        # A renderer is a plugin and calls plugins; an exception affects one file only.
        except (Exception, SystemExit) as exc:
            text = f"Rendering SLS '{sls}' failed, render error:\n{exc}"
            place = self._locate(exc, path, sls, self._saltenv, variables)
            advice = f"{exc.advice}\n" if isinstance(exc, RenderError) and exc.advice else ""
            log.critical("%s (%s): %s%s", sls, place, advice, text)
            if self._rules.safe_errors:
                text = f"Rendering SLS '{sls}' failed. Please see master log for details."
            self._errors.append(text)
            return None

    def _with_includes(
        self, sls: str, data: PillarDict, variables: Mapping[str, Any], *, is_init: bool, depth: int
    ) -> list[PillarDict]:
        if "include" not in data:
            return [data]
        if not isinstance(data["include"], list):
            self._errors.append(f"Include Declaration in SLS '{sls}' is not formed as a list")
            return [data]
        includes = data.pop("include")
        self._rendered[sls] = data
        if depth >= MAX_DEPTH:
            self._errors.append(f"SLS '{sls}' is included more than {MAX_DEPTH} levels deep")
            return [data]
        parent = sls if is_init else sls.rpartition(".")[0]
        included = [dict(part) for part in self._included(includes, parent, variables, depth)]
        return [data, *included] if self._rules.includes_win else [*included, data]

    def _included(
        self, includes: list[Any], parent: str, variables: Mapping[str, Any], depth: int
    ) -> Iterator[Mapping[str, Any]]:
        """Yield the data of each include; `defaults` also apply to the plain includes after it."""
        for item in includes:
            include = _Include(str(item))
            problem = _odd_include(item)
            if problem:
                self._errors.append(f"Include Declaration {item!r:.200} below {parent or '.'!r} {problem}")
                continue
            if isinstance(item, Mapping):
                name, options = next(iter(item.items()))
                variables = (options or {}).get("defaults") or {}
                include = _Include(str(name), str((options or {}).get("key") or ""))
            for name in self._included_names(include.name, parent):
                known = name in self._rendered
                # Files that an included file includes go below the same key, and are merged as separate
                # parts.
                parts = (
                    [self._rendered[name]] if known else self._compile_sls(name, variables, depth=depth + 1)
                )
                for data in parts:
                    if data and isinstance(data, Mapping):
                        yield _below(include.key, data)

    def _included_names(self, name: str, parent: str) -> list[str]:
        """Return the SLS that an include matches.

        `.x` without a sibling of that name is `x` at the top of the tree, as in stock.
        """
        absolute = _absolute(name, parent)
        if not name.startswith("."):
            return self._expand(absolute)
        return self._there(absolute) or self._there(name.lstrip(".").replace("/", ".")) or [absolute]

    def _there(self, name: str) -> list[str]:
        """Return the existing SLS for a name or pattern."""
        return [sls for sls in self._expand(name) if self._files.cache_sls(sls, self._saltenv)[1]]


def _odd_include(item: Any) -> str:
    """Return the error in an include, or '' if it is valid."""
    if isinstance(item, list):
        return "is a list in the list: write its names one below the other"
    if not isinstance(item, Mapping):
        return ""
    if not item:
        return "names no SLS"
    options = next(iter(item.values())) or {}
    if not isinstance(options, Mapping):
        return "has options that are not a mapping of `defaults` and `key`"
    defaults = options.get("defaults") or {}
    return "" if isinstance(defaults, Mapping) else "has `defaults` that are not a mapping of variables"


def _absolute(name: str, parent: str) -> str:
    """Return the full name of an include; `.x` is a sibling of the including file."""
    if name.startswith("."):
        return f"{parent}{name}" if parent else name[1:]
    return name.replace("/", ".")


def _below(key: str, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return `data` nested under a colon path."""
    for part in reversed(key.split(":") if key else []):
        data = {part: data}
    return data
