"""Checks of a top file for errors and missing SLS, and the SLS that it assigns together."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Collection, Iterator
from typing import Any

from salt_g import api
from salt_g.errors import RenderError
from salt_g.lint.compile_context import CompileContext
from salt_g.lint.finding import ERROR, LintFinding
from salt_g.lint.positions import line_with, shown_path
from salt_g.lint.unknown import holds_unknown
from salt_g.state.compile.top import verify_top
from salt_g.state.compile.vocabulary import is_pattern


def looks_like_pillar(sls: str) -> bool:
    """Return whether an SLS is probably pillar or a top file, of which formulas contain examples."""
    *folders, name = sls.split(".")
    is_below_pillar = not {"pillar", "pillars"}.isdisjoint(folders)
    return is_below_pillar or name in ("pillar", "top") or name.endswith("_top")


class TopCheck:
    """Checks of the top file of one environment."""

    def __init__(self, context: CompileContext, saltenv: str) -> None:
        self.sls = str(context.opts.get("state_top") or "top.sls").removesuffix(".sls").replace("/", ".")
        self._saltenv = saltenv
        self._problem: LintFinding | None = None
        self._path = context.files.cache_file(f"salt://{self.sls.replace('.', '/')}.sls", saltenv)
        self._data = self._read(context) if self._path else {}
        self._known = context.files.list_states(saltenv)

    def findings(self, known: Collection[str]) -> Iterator[LintFinding]:
        """Yield the errors of the top file; `known` are the SLS that exist."""
        if self._problem is not None:
            yield self._problem
            return
        for saltenv, targets in self._data.items():
            if not isinstance(targets, dict):
                yield self._finding("top", f"{saltenv} is not a mapping of targets", word=str(saltenv))
                return
        for problem in verify_top(self._data):
            quoted = re.search(r"(?:matcher|target|subfilter) '([^']+)'", problem.message)
            yield self._finding("top", problem.message, word=quoted[1] if quoted else str(self._saltenv))
        for name in dict.fromkeys(name for names in self._lists() for name in names):
            if not is_pattern(name) and not holds_unknown(name) and name not in known:
                import difflib

                near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
                text = f"the top file assigns {name}, which does not exist in {self._saltenv}"
                yield self._finding(
                    "unknown-sls", text, word=name, advice=f"nearest: {near[0]}" if near else ""
                )

    def assignments(self) -> list[list[str]]:
        """Return the existing SLS that each target gets, for targets with several."""
        found = [[sls for name in names for sls in self._matching(name)] for names in self._lists()]
        return [names for names in found if len(names) > 1]

    def assigns(self, sls: str) -> bool:
        """Return whether a minion may get an SLS from the top file."""
        return any(sls in self._matching(name) for names in self._lists() for name in names)

    def assigns_both(self, first: str, second: str) -> bool:
        """Return whether a minion may get both SLS from the top file."""
        given = {sls for names in self._lists() for name in names for sls in self._matching(name)}
        return first in given and second in given

    def _matching(self, name: str) -> list[str]:
        if is_pattern(name):
            return fnmatch.filter(self._known, name)
        return [name] if name in self._known else []

    def _lists(self) -> list[list[str]]:
        """Return the SLS names of each target of this environment."""
        targets = self._data.get(self._saltenv)
        if not isinstance(targets, dict):
            return []
        lists = (items for items in targets.values() if isinstance(items, list))
        return [[item for item in items if isinstance(item, str)] for items in lists]

    def _read(self, context: CompileContext) -> dict[str, Any]:
        try:
            with api.use(context.call):
                data = context.rendering.render_sls(
                    self._path, sls="", saltenv=self._saltenv, tmplpath=self._path
                )
        except RenderError as exc:
            text = f"the top file cannot be rendered: {str(exc).splitlines()[0]}"
            path = shown_path(self._path)
            line = getattr(exc.__cause__, "opened", 0) or exc.line
            self._problem = LintFinding(path, line, 1 if line else 0, ERROR, "syntax", text, exc.advice)
            return {}
        if data and not isinstance(data, dict):
            self._problem = self._finding("top", "the top file is not a mapping of environments to targets")
        return data if isinstance(data, dict) else {}

    def _finding(self, rule: str, text: str, *, word: str = "", advice: str = "") -> LintFinding:
        line, column = line_with(self._path, word) if word else (0, 0)
        return LintFinding(shown_path(self._path), line, column, ERROR, rule, text, advice)
