"""Findings about the compiled SLS of a tree, and about what its top file assigns together."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from salt_g import api
from salt_g.lint.certainty import RESOLVED_ELSEWHERE, depends_on_data, may_vanish
from salt_g.lint.chunk_check import ChunkFinding
from salt_g.lint.compile_context import CompileContext, PillarProblem
from salt_g.lint.compiled_tree import CompiledSls, CompiledTree
from salt_g.lint.finding import ERROR, WARNING, LintFinding
from salt_g.lint.positions import (
    block_end,
    first_column,
    first_text,
    holds_word,
    line_with,
    lines_of,
    narrowed,
    refined,
    shown_path,
)
from salt_g.lint.possible_declarations import PossibleDeclarations, declarations_in, joined
from salt_g.lint.rendering import RenderFailure
from salt_g.lint.sls_check import Compilation, SlsProblem, declared_elsewhere
from salt_g.lint.top_check import TopCheck, looks_like_pillar
from salt_g.lint.unknown import TEXT, holds_unknown
from salt_g.shapes import LowChunk, SourceLine
from salt_g.state.compile.diagnostics import Problem
from salt_g.state.compile.sls import conflict_text

#: Maximum number of name comparisons for the advice on one environment; each takes a few microseconds.
MOST_COMPARED = 300_000


class TreeFindings:
    """Findings about the compiled SLS of one system, for the current truth of unknown values."""

    def __init__(self, context: CompileContext, tree: CompiledTree) -> None:
        self._context = context
        self._tree = tree
        self._saltenv = ""
        self._known: list[str] = []
        self._compiled: Mapping[str, CompiledSls] = {}
        #: Declarations that the SLS of the environment may have with other data; None until they are needed.
        self._possible: PossibleDeclarations | None = None
        #: Whether some SLS were never compiled, so their declarations are unknown.
        self._is_partial = False
        #: Number of names compared so far to find a similar one for advice.
        self._compared = 0

    def findings(self, saltenv: str, names: Sequence[str] = ()) -> Iterator[LintFinding]:
        """Yield the findings about pillar and about these SLS of an environment (all if `names` is empty)."""
        yield from map(_of_pillar, self._context.pillar_problems())
        with api.use(self._context.call):
            yield from self._environment(saltenv, names)

    def early_findings(self, saltenv: str, names: Sequence[str]) -> Iterator[LintFinding]:
        """Yield the findings about some compiled SLS, using outdated compiles of all others."""
        with api.use(self._context.call):
            yield from self._environment(saltenv, names, is_early=True)

    def _environment(
        self, saltenv: str, names: Sequence[str], *, is_early: bool = False
    ) -> Iterator[LintFinding]:
        self._saltenv = saltenv
        top = TopCheck(self._context, saltenv)
        known = [sls for sls in self._context.files.list_states(saltenv) if sls != top.sls]
        self._known = known
        look = self._tree.last if is_early else self._tree.get
        compiled = {sls: one for sls in known if (one := look(sls, saltenv)) is not None}
        self._compiled, self._possible = compiled, None
        self._is_partial = len(compiled) < len(known)
        ids = {sls: one.compilation.ids | _names(one.compilation.chunks) for sls, one in compiled.items()}
        included = {str(name) for one in compiled.values() for name in one.compilation.includes}
        dotted = self._dotted_files(saltenv)
        for sls in names or known:
            if sls in dotted:
                if names or not looks_like_pillar(sls):
                    yield _unreachable(dotted[sls])
                continue
            one = compiled.get(sls) or self._tree.get(sls, saltenv)
            if sls not in one.compilation.places.paths():
                yield self._unreadable(sls)
                continue
            is_data = not names and sls not in included and _is_data(sls, one.compilation)
            yield from self._of_compilation(one, ids, top, is_data=is_data)
        if not names:
            yield from top.findings(known)
            yield from self._together(top, saltenv)

    def _unreadable(self, sls: str) -> LintFinding:
        """Return the finding about a listed SLS that cannot be read, usually because of a dangling link."""
        roots = (self._context.opts.get("file_roots") or {}).get(self._saltenv) or ()
        name = sls.replace(".", "/")
        paths = [os.path.join(root, f"{name}{end}") for root in roots for end in (".sls", "/init.sls")]
        path = next(filter(os.path.islink, paths), "")
        text = (
            f"the file is a link to {os.readlink(path)}, which does not exist" if path else "there is no file"
        )
        return LintFinding(shown_path(path), 0, 0, ERROR, "unknown-sls", text)

    def _dotted_files(self, saltenv: str) -> dict[str, str]:
        """Return {SLS: local path} of files with a dot in their path, which no SLS name can refer to."""
        files = self._context.files
        paths = files.paths(saltenv)
        found = {}
        for path in paths:
            name = path.removesuffix(".sls").removesuffix("/init")
            if not path.endswith(".sls") or "." not in name:
                continue
            named = name.replace(".", "/")
            if paths.isdisjoint((f"{named}.sls", f"{named}/init.sls")):
                found[name.replace("/", ".")] = files.cache_file(f"salt://{path}", saltenv)
        return found

    def _of_compilation(
        self, compiled: CompiledSls, ids: Mapping[str, frozenset[str]], top: TopCheck, *, is_data: bool
    ) -> Iterator[LintFinding]:
        one = compiled.compilation
        for found in one.problems:
            if is_data and found.rule != "render":
                continue
            is_opaque = found.problem.sls in one.rendering.opaque and found.rule != "render"
            if is_opaque or holds_unknown(found.problem.wanted):
                continue
            if found.rule in RESOLVED_ELSEWHERE and not one.rendering.opaque.isdisjoint(one.places.paths()):
                # A Python SLS may declare the name.
                continue
            if found.rule in RESOLVED_ELSEWHERE and self._is_partial:
                continue
            elsewhere = declared_elsewhere(found.problem, ids) if found.rule in RESOLVED_ELSEWHERE else []
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
        for low, chunk_finding in compiled.chunk_findings:
            yield self._chunk_finding(one, low, chunk_finding)

    def _together(self, top: TopCheck, saltenv: str) -> Iterator[LintFinding]:
        """Yield findings about IDs declared by two SLS that the top file assigns together, at both places."""
        for names in top.assignments():
            owners: dict[str, tuple[str, Compilation]] = {}
            for name in names:
                one = self._tree.get(name, saltenv).compilation
                for state_id, sls in one.owners.items():
                    first, its = owners.setdefault(state_id, (sls, one))
                    if first == sls:
                        continue
                    text = conflict_text(state_id, f"{saltenv}:{first}", f"{saltenv}:{sls}")
                    for compiled, where in ((its, first), (one, sls)):
                        problem = Problem(text, sls=where, state_id=state_id)
                        yield self._finding(compiled, SlsProblem("duplicate-id", problem))

    def _finding(self, one: Compilation, found: SlsProblem, *, advice: str = "") -> LintFinding:
        problem = found.problem
        rule, path, line, column = self._place(one, found)
        level = WARNING if rule == "not-included" else ERROR
        hint = "; ".join(filter(None, (advice or self._nearest(problem), problem.remedy)))
        return LintFinding(shown_path(path), line, column, level, rule, _sentence(problem), hint)

    def _place(self, one: Compilation, found: SlsProblem) -> tuple[str, str, int, int]:
        """Return (rule, path, line, column) of a finding."""
        problem = found.problem
        rule, path, line = self._located(one, found)
        column = first_column(path, line)
        if line and problem.words:
            path, line, column = _written_at(one, path, line, str(problem.state_id), problem.words)
        elif line and rule != "syntax":
            line, column = refined(path, line, _words(problem))
        elif not line:
            words = filter(None, (*problem.words, *_words(problem)))
            line, column = next(
                (at for word in words if (at := line_with(path, word)) != (0, 0)), first_text(path)
            )
            if found.rule == "unknown-extend":
                # A mirrored requisite (`watch_in`) can be in an extension, outside the file of its state.
                path, line, column = _in_extension(one, problem.wanted) or (path, line, column)
        return rule, path, line, column

    def _nearest(self, problem: Problem) -> str:
        """Return advice about a similar name, or '' if there is none or too many names were compared."""
        if not problem.wanted or self._compared >= MOST_COMPARED:
            return ""
        self._compared += len(problem.known)
        near = problem.nearest
        return f"nearest: {near[0]}" if near else ""

    def _located(self, one: Compilation, found: SlsProblem) -> tuple[str, str, int]:
        """Return (rule, path, line) of a finding."""
        failure = one.rendering.failures.get(found.problem.sls)
        rule = _render_rule(failure) if found.rule == "render" and failure is not None else found.rule
        place = one.places.source_line(found.problem)
        if place is None:
            own = one.places.source_line(found.problem._replace(sls=one.names[0]))
            return rule, own[0] if own else "", 0
        path, at = place
        if failure is not None and failure.opened and found.problem.is_rendered:
            at = _opened_at(one, found.problem, path, at, failure.opened)
        return (rule, self._local(at.name), at.line) if at.name else (rule, path, at.line)

    def _is_certain(self, one: Compilation, found: SlsProblem) -> bool:
        """Return whether a finding would also exist with other pillar."""
        if may_vanish(one, found):
            return False
        if found.rule == "unknown-requisite" and f"(sls: {found.problem.wanted})" in found.problem.message:
            # An SLS that declares nothing here may declare something with other data.
            return self._context.is_recorded or found.problem.wanted not in self._known
        if found.rule == "unknown-extend" and found.problem.wanted in one.ids:
            return not one.asks_pillar
        return found.rule not in RESOLVED_ELSEWHERE or not self._is_declared_with_other_data(one, found)

    def _is_declared_with_other_data(self, one: Compilation, found: SlsProblem) -> bool:
        """Return whether an SLS of the environment may declare the wanted name with other data."""
        if self._possible is None:
            self._possible = joined(map(_possible, self._compiled.values()))
        if self._possible.may_have(found.problem.wanted):
            return True
        _, path, line, _ = self._place(one, found)
        written = lines_of(path)[line - 1 : line] if line else ()
        return bool(written) and self._possible.may_have(found.problem.wanted, written[0])

    def _local(self, name: str) -> str:
        """Return the local path of a template that is named by a local path or a path in the tree."""
        found = (
            name if name.startswith("/") else self._context.files.cache_file(f"salt://{name}", self._saltenv)
        )
        return found or name

    def _chunk_finding(self, one: Compilation, low: LowChunk, found: ChunkFinding) -> LintFinding:
        level = ERROR if found.is_error else WARNING
        if found.path:
            column = first_column(found.path, found.line)
            path = shown_path(found.path)
            return LintFinding(path, found.line, column, level, found.rule, found.message, found.advice)
        # The most specific word may come from a template, so it is searched for in the rendered text.
        words = tuple(found.words[:1])
        problem = Problem("", sls=str(low.get("__sls__")), state_id=low.get("__id__"), words=words)
        path, at = one.places.source_line(problem) or (problem.sls, None)
        if at is not None and at.name:
            path = self._local(at.name)
        line = at.line if at is not None else 0
        line, column = refined(path, line, found.words) if line else (0, 0)
        if line and found.words and not holds_word(path, line, found.words[-1]):
            path, line, column = _extension_at(one, str(low.get("__id__")), found.words[-1:]) or (
                path,
                line,
                column,
            )
        return LintFinding(shown_path(path), line, column, level, found.rule, found.message, found.advice)


def _possible(compiled: CompiledSls) -> PossibleDeclarations:
    """Return the declarations that an SLS may have with other data than in its compile."""
    one = compiled.compilation
    path = one.places.paths().get(one.names[0])
    if path is None or not (depends_on_data(one) or one.is_incomplete):
        return PossibleDeclarations()
    return declarations_in(lines_of(path)).without(one.ids | _names(one.chunks))


def _is_data(sls: str, one: Compilation) -> bool:
    """Return whether an SLS is probably pillar or grains, of which formulas keep examples and test data."""
    is_of_tests = not {"test", "tests"}.isdisjoint(sls.split(".")[:-1])
    return looks_like_pillar(sls) or (is_of_tests and not one.owners)


def _written_at(
    one: Compilation, path: str, line: int, state_id: str, words: Sequence[str]
) -> tuple[str, int, int]:
    """Return (path, line, column) of the last of these words, below an ID or an extension of the ID."""
    line, column = narrowed(path, line, words)
    if holds_word(path, line, words[-1]):
        return path, line, column
    return _extension_at(one, state_id, words) or (path, line, column)


def _extension_at(one: Compilation, state_id: str, words: Sequence[str]) -> tuple[str, int, int] | None:
    """Return (path, line, column) of the last of these words below an extension of an ID, or None."""
    for path in one.places.paths().values():
        start, _ = line_with(path, "extend:")
        if start and line_with(path, state_id, start=start, end=block_end(path, start)) != (0, 0):
            line, column = narrowed(path, start, (state_id, *words))
            if holds_word(path, line, words[-1]):
                return path, line, column
    return None


def _in_extension(one: Compilation, word: str) -> tuple[str, int, int] | None:
    """Return (path, line, column) of a word below the extensions in a file of this compile, or None."""
    for path in one.places.paths().values():
        start, _ = line_with(path, "extend:")
        if start and (at := line_with(path, word, start=start, end=block_end(path, start))) != (0, 0):
            return path, *at
    return None


def _opened_at(one: Compilation, problem: Problem, path: str, at: SourceLine, opened: int) -> SourceLine:
    """Return the place of an unclosed quote or bracket if the error is outside of it, else `at`."""
    place = one.places.source_line(problem._replace(line=opened))
    if place is None or place[1].name != at.name or at.name:
        return at
    is_outside = first_column(path, at.line) <= first_column(path, place[1].line)
    return place[1] if is_outside else at


def _unreachable(path: str) -> LintFinding:
    text = "no SLS name can refer to this file, because a dot in a name stands for a directory"
    return LintFinding(shown_path(path), 1, 1, WARNING, "unknown-sls", text, "rename it without a dot")


def _of_pillar(problem: PillarProblem) -> LintFinding:
    path = shown_path(problem.path)
    column = first_column(problem.path, problem.line) if problem.path else 0
    return LintFinding(path, problem.line, column, WARNING, "pillar", problem.message)


def _names(chunks: Sequence[LowChunk]) -> frozenset[str]:
    """Return the names and SLS by which requisites can refer to chunks."""
    return frozenset(str(low[key]) for low in chunks for key in ("name", "__sls__") if key in low)


def _words(problem: Problem) -> tuple[str, ...]:
    """Return the texts to find in the line of a finding, most specific first."""
    quoted = re.search(r"^The type (\S+) in|'([^']+)'", problem.message)
    return (
        problem.wanted or (next(filter(None, quoted.groups()), "") if quoted else ""),
        # A relative include contains only the last part of the SLS name.
        problem.wanted.rpartition(".")[2] if problem.state_id == "include" else "",
        str(problem.state_id or ""),
    )


def _render_rule(failure: RenderFailure) -> str:
    """Return the rule of a finding about a file that cannot be rendered."""
    if failure.is_missing:
        return "missing-file"
    phrases = (" is undefined", "has no attribute", "does not export the requested name")
    is_undefined = any(words in failure.text for words in phrases)
    return "undefined" if is_undefined or "has no function" in failure.text else "syntax"


def _sentence(problem: Problem) -> str:
    """Return the first line of a finding's text, without the excerpt of the file that stock adds."""
    lines = [line.strip() for line in problem.message.splitlines() if line.strip()]
    text = lines[0] if lines else ""
    if problem.message.startswith("Detected conflicting IDs"):
        text = " ".join(lines)
    text = re.sub(r"^Rendering SLS '?[^ ]+ (failed|failed, render error): ", "", text)
    text = re.sub(r"^Jinja error: (\S+)$", r"the template \1 does not exist", text)
    text = re.sub(r"; line \d+$", "", text)
    return text.replace(TEXT, "…").rstrip(";: ")
