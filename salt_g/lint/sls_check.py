"""Compilation of one SLS, or of several together, with the findings of every layer of the compiler."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from salt_g import api
from salt_g.errors import CompileError
from salt_g.lint.chunk_check import ChunkCheck, ChunkFinding
from salt_g.lint.compile_context import CompileContext
from salt_g.lint.harmless_functions import PILLAR
from salt_g.lint.reference_check import listen_problems, use_problems
from salt_g.shapes import LowChunk, SourceLine
from salt_g.shapes.high_data import HighData
from salt_g.state.compile.compiler import StateCompiler
from salt_g.state.compile.diagnostics import Problem, Problems
from salt_g.state.compile.exclude import apply_exclude
from salt_g.state.compile.extend import apply_extensions
from salt_g.state.compile.low import compile_low
from salt_g.state.compile.requisite_in import apply_mirrored
from salt_g.state.compile.sls import SlsReader
from salt_g.state.compile.source_locations import SourceLocations
from salt_g.state.compile.verify import verify_high
from salt_g.state.compile.vocabulary import is_internal

#: (beginning of a finding's message as in stock, rule)
_RULES = (
    (r"Rendering SLS ", "render"),
    (r"Referenced state does not exist", "unknown-requisite"),
    (r"Cannot extend ID", "unknown-extend"),
    (r"Detected conflicting IDs", "duplicate-id"),
    (r"(Specified SLS|No matching sls|Unknown include)", "unknown-sls"),
    (r"Ambiguous include", "ambiguous-include"),
    (r"Recursive requisites", "cycle"),
)


class SlsProblem(NamedTuple):
    """A finding of the compiler with its rule."""

    rule: str
    problem: Problem


class Compilation:
    """One compile, with its findings, chunks and declarations.

    `has_unknown`: a template met an unknown value; `asks_pillar`: a template read pillar that may be
    incomplete. `owners` is {ID: SLS that declares it}; `rendering` is the service that rendered the files.
    """

    def __init__(self, context: CompileContext, names: Sequence[str], saltenv: str) -> None:
        self.problems: list[SlsProblem] = []
        self.chunks: list[LowChunk] = []
        self.ids: frozenset[str] = frozenset()
        self.includes: frozenset[str] = frozenset()
        self.has_unknown = False
        self.asks_pillar = False
        self.names = names
        self.owners: dict[str, str] = {}
        self.rendering = context.rendering
        self.places = SourceLocations(lambda: self.rendering)
        self._context = context
        del context.unknown[:]
        with api.use(context.call):
            self._compile(names, saltenv)
        #: Whether an included SLS is missing or cannot be rendered, so its declarations are unknown.
        self.is_incomplete = any(found.rule in ("render", "unknown-sls") for found in self.problems)
        self.has_unknown = bool(context.unknown)
        self.asks_pillar = PILLAR in context.unknown and not context.is_recorded

    def chunk_findings(self, check: ChunkCheck) -> Iterator[tuple[LowChunk, ChunkFinding]]:
        """Yield the findings of all chunks, each with its chunk."""
        for low in self.chunks:
            for finding in check.findings(low):
                yield low, finding

    def declared_at(self, sls: str, state_id: str) -> tuple[str, SourceLine]:
        """Return the path of an SLS ('' if it was not read) and the line that declares an ID."""
        with api.use(self._context.call):
            found = self.places.source_line(Problem("", sls=sls, state_id=state_id))
        return found or ("", SourceLine("", 0))

    def _compile(self, names: Sequence[str], saltenv: str) -> None:
        problems = Problems()
        reader = SlsReader(
            self._context.files, self._context.rendering, problems=problems, places=self.places
        )
        high = reader.read({saltenv: names})
        self._add(problems)
        self.includes = frozenset(
            name for body in high.declarations.values() if isinstance(body, dict) for name in _origin(body)
        ) - set(names)
        self.ids = frozenset(str(key) for key in high.declarations if not is_internal(key))
        self.owners = {
            key: str(body["__sls__"])
            for key, body in high.declarations.items()
            if isinstance(body, dict) and "__sls__" in body
        }
        if self._layers(high):
            self.chunks = compile_low(high)
            self._add(listen_problems(self.chunks))
            self._order(copy.deepcopy(self.chunks))
            for low in self.chunks:
                # `name_order` only affects the order, and is not an argument of the function.
                low.pop("name_order", None)

    def _layers(self, high: HighData) -> bool:
        """Apply extensions, mirrored requisites and exclude; return False if the high data is malformed."""
        disabled = self._context.opts.get("disabled_requisites") or []
        self._add(apply_extensions(high))
        malformed = list(verify_high(high))
        self._add(malformed)
        if malformed:
            return False
        self._add(use_problems(high))
        self._add(apply_mirrored(high, disabled=disabled if isinstance(disabled, list) else [disabled]))
        apply_exclude(high)
        return True

    def _order(self, chunks: list[LowChunk]) -> None:
        compiler = StateCompiler(
            self._context.opts, has_function=self._context.states.__contains__, report=self._taken
        )
        try:
            compiler.order(chunks)
        except CompileError:
            return  # `_taken` has already added the problems.

    def _taken(self, problems: Iterable[Problem]) -> Sequence[str]:
        self._add(problems)
        return ()

    def _add(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            rule = _rule_of(problem)
            self.problems += (SlsProblem(rule, one) for one in _at_each_place(problem))


def _at_each_place(problem: Problem) -> Iterator[Problem]:
    """Yield a problem once for each of its places."""
    if not problem.others:
        yield problem
    for place in problem.others:
        yield problem._replace(sls=place.sls, state_id=place.state_id, words=place.words, others=())


def _origin(body: Mapping[str, Any]) -> list[str]:
    return [str(body["__sls__"])] if "__sls__" in body else []


def _rule_of(problem: Problem) -> str:
    return next((rule for begin, rule in _RULES if re.match(begin, problem.message)), "malformed-state")


def declared_elsewhere(problem: Problem, ids: Mapping[str, Iterable[Any]]) -> list[str]:
    """Return the other SLS that declare the name wanted by a problem; `ids` is {SLS: IDs and names}."""
    return [sls for sls, known in ids.items() if problem.wanted in known and sls != problem.sls]
