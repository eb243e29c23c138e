"""Lint of a tree: each SLS compiled alone, top files with what they assign together, on each system.

Shapes: settings and {system: grains} in, findings sorted by place out.
Errors: none raised for a tree, however broken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from salt_g import api
from salt_g.lint.chunk_check import ChunkCheck, ChunkFinding
from salt_g.lint.compile_context import CompileContext
from salt_g.lint.finding import ERROR, WARNING, Finding, merged
from salt_g.lint.positions import first_column, line_with, refined, shown_path
from salt_g.lint.rendering import Failure
from salt_g.lint.sls_check import Compilation, SlsProblem, declared_elsewhere
from salt_g.lint.top_check import TopCheck, looks_like_pillar
from salt_g.lint.unknown import TEXT, Unknown, holds_unknown
from salt_g.shapes import GrainsDict, LowChunk, Opts
from salt_g.state.compile.diagnostics import Problem

#: Rules about names that another SLS of the tree may declare.
_RESOLVED_ELSEWHERE = ("unknown-requisite", "unknown-extend")


def lint(
    settings: Opts, systems: Mapping[str, GrainsDict], names: Sequence[str] = (), *, is_recorded: bool = False
) -> list[Finding]:
    """Return the findings about these SLS (all of the tree if empty) on systems with these grains."""
    return merged(
        {
            system: _on_system(CompileContext(settings, grains, is_recorded=is_recorded), names)
            for system, grains in systems.items()
        }
    )


def _on_system(context: CompileContext, names: Sequence[str]) -> list[Finding]:
    """Return the findings on one system; those that depend on an unknown value are warnings."""
    with api.use(context.call):
        linter = _Linter(context)
        found = list(linter.findings(names))
        if not linter.met_unknown:
            return found
        context.forget_renderings()
        Unknown.is_true = False
        try:
            otherwise = list(_Linter(context).findings(names))
        finally:
            Unknown.is_true = True
    certain = set(found) & set(otherwise)
    return [
        finding if finding in certain else finding._replace(level=WARNING)
        for finding in dict.fromkeys((*found, *otherwise))
    ]


class _Linter:
    """Lint on one system."""

    def __init__(self, context: CompileContext) -> None:
        self.met_unknown = False
        self._context = context
        self._check = ChunkCheck(context)
        self._known: list[str] = []

    def findings(self, names: Sequence[str]) -> Iterator[Finding]:
        errors = self._context.with_pillar()
        with api.use(self._context.call):
            yield from (Finding("pillar", 0, 0, WARNING, "pillar", error) for error in errors)
            yield from self._trees(names)

    def _trees(self, names: Sequence[str]) -> Iterator[Finding]:
        wanted_envs = [env] if (env := self._context.opts.get("saltenv")) else self._context.files.envs()
        for saltenv in wanted_envs:
            yield from self._environment(str(saltenv), names)

    def _environment(self, saltenv: str, names: Sequence[str]) -> Iterator[Finding]:
        top = TopCheck(self._context, saltenv)
        known = [sls for sls in self._context.files.list_states(saltenv) if sls != top.sls]
        self._known = known
        compiled = {sls: Compilation(self._context, [sls], saltenv) for sls in known}
        self.met_unknown |= any(one.has_unknown for one in compiled.values())
        ids = {sls: one.ids | _names(one.chunks) for sls, one in compiled.items()}
        included = {str(name) for one in compiled.values() for name in one.includes}
        for sls in names or known:
            one = compiled.get(sls) or Compilation(self._context, [sls], saltenv)
            is_data = not names and sls not in included and looks_like_pillar(sls)
            yield from self._of_compilation(one, ids, top, is_data=is_data)
        if not names:
            yield from top.findings(known)
            yield from self._together(top, saltenv)

    def _of_compilation(
        self, one: Compilation, ids: Mapping[str, frozenset[str]], top: TopCheck, *, is_data: bool
    ) -> Iterator[Finding]:
        for found in one.problems:
            if is_data and found.rule != "render":
                continue
            is_opaque = found.problem.sls in self._context.rendering.opaque and found.rule != "render"
            if is_opaque or holds_unknown(found.problem.wanted):
                continue
            elsewhere = declared_elsewhere(found.problem, ids) if found.rule in _RESOLVED_ELSEWHERE else []
            if not elsewhere:
                if self._is_certain(one, found):
                    yield self._finding(one, found)
            elif top.assigns(found.problem.sls) and not any(
                top.assigns_both(found.problem.sls, other) for other in elsewhere
            ):
                missing = SlsProblem("not-included", found.problem)
                yield self._finding(one, missing, advice=f"{elsewhere[0]} declares it: include that")
        if is_data:
            return
        for low, told in one.chunk_findings(self._check):
            yield self._chunk_finding(one, low, told)

    def _together(self, top: TopCheck, saltenv: str) -> Iterator[Finding]:
        """Yield IDs that two SLS declare which the top file assigns together."""
        for names in top.assignments():
            one = Compilation(self._context, names, saltenv)
            yield from (self._finding(one, found) for found in one.problems if found.rule == "duplicate-id")

    def _finding(self, one: Compilation, found: SlsProblem, *, advice: str = "") -> Finding:
        problem = found.problem
        rule, path, line = self._located(one, found)
        column = first_column(path, line)
        if line and rule != "syntax":
            line, column = refined(path, line, _words(problem))
        elif not line:
            words = filter(None, _words(problem))
            line, column = next((at for word in words if (at := line_with(path, word)) != (0, 0)), (0, 0))
        level = WARNING if rule == "not-included" else ERROR
        nearest = f"nearest: {problem.nearest[0]}" if problem.nearest else ""
        told = "; ".join(filter(None, (advice or nearest, problem.advice)))
        return Finding(shown_path(path), line, column, level, rule, _sentence(problem), told)

    def _located(self, one: Compilation, found: SlsProblem) -> tuple[str, str, int]:
        """Return (rule, path, line) of a finding."""
        failure = self._context.rendering.failures.get(found.problem.sls)
        if found.rule == "render" and failure is not None:
            rule = _render_rule(failure)
            if failure.path and failure.line and not found.problem.is_rendered:
                return rule, self._local(failure.path), failure.line
        else:
            rule = found.rule
        place = one.places.source_line(found.problem)
        if place is None:
            own = one.places.source_line(found.problem._replace(sls=one.names[0]))
            return rule, own[0] if own else found.problem.sls or one.names[0], 0
        path, at = place
        return (rule, self._local(at.name), at.line) if at.name else (rule, path, at.line)

    def _is_certain(self, one: Compilation, found: SlsProblem) -> bool:
        """Return whether a finding would be one with other pillar, too."""
        if found.rule == "unknown-requisite" and f"(sls: {found.problem.wanted})" in found.problem.message:
            # An SLS that declares nothing here may declare something with other data.
            return self._context.is_recorded or found.problem.wanted not in self._known
        if found.rule == "unknown-extend" and found.problem.wanted in one.ids:
            return not one.asks_pillar
        is_attribute = "has no attribute" in found.problem.message
        return not (found.rule == "render" and is_attribute and one.asks_pillar)

    def _local(self, name: str) -> str:
        """Return the local path of a template, which may be named by its path in the tree."""
        return name if name.startswith("/") else self._context.files.cache_file(f"salt://{name}") or name

    def _chunk_finding(self, one: Compilation, low: LowChunk, told: ChunkFinding) -> Finding:
        level = ERROR if told.is_error else WARNING
        if told.path:
            column = first_column(told.path, told.line)
            path = shown_path(told.path)
            return Finding(path, told.line, column, level, told.rule, told.message, told.advice)
        problem = Problem("", sls=str(low.get("__sls__")), state_id=low.get("__id__"))
        path, at = one.places.source_line(problem) or (problem.sls, None)
        if at is not None and at.name:
            path = self._local(at.name)
        line = at.line if at is not None else 0
        line, column = refined(path, line, told.words) if line else (0, 0)
        return Finding(shown_path(path), line, column, level, told.rule, told.message, told.advice)


def _names(chunks: Sequence[LowChunk]) -> frozenset[str]:
    """Return the names and SLS by which requisites may refer to chunks."""
    return frozenset(str(low[key]) for low in chunks for key in ("name", "__sls__") if key in low)


def _words(problem: Problem) -> tuple[str, ...]:
    """Return the texts that the line of a finding holds, most exact first."""
    quoted = re.search(r"^The type (\S+) in|'([^']+)'", problem.message)
    return (
        problem.wanted or (next(filter(None, quoted.groups()), "") if quoted else ""),
        str(problem.state_id or ""),
    )


def _render_rule(failure: Failure) -> str:
    """Return the rule of a file that cannot be rendered."""
    if failure.is_missing:
        return "missing-file"
    is_undefined = " is undefined" in failure.text or "has no attribute" in failure.text
    return "undefined" if is_undefined or "has no function" in failure.text else "syntax"


def _sentence(problem: Problem) -> str:
    """Return the first line of a finding's text, without the excerpt of the file that stock shows."""
    lines = [line.strip() for line in problem.message.splitlines() if line.strip()]
    text = lines[0] if lines else ""
    if problem.message.startswith("Detected conflicting IDs"):
        text = " ".join(lines)
    text = re.sub(r"^Rendering SLS '?[^ ]+ (failed|failed, render error): ", "", text)
    text = re.sub(r"^Jinja error: (\S+)$", r"the template \1 does not exist", text)
    text = re.sub(r"; line \d+$", "", text)
    return text.replace(TEXT, "…").rstrip(";: ")
