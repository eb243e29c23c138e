"""SLS of a tree, each compiled alone, and kept until a file changes that its compile used."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from salt_g.lint.chunk_check import ChunkCheck, ChunkFinding
from salt_g.lint.compile_context import CompileContext
from salt_g.lint.sls_check import Compilation
from salt_g.lint.unknown import unknown_values
from salt_g.shapes import LowChunk


class CompiledSls(NamedTuple):
    """A compile, the findings about its chunks, and what both used (`uses.py`)."""

    compilation: Compilation
    chunk_findings: list[tuple[LowChunk, ChunkFinding]]
    used: AbstractSet[str]


class CompiledTree:
    """Compiled SLS of one system, with unknown values true or false.

    What never met an unknown value is compiled once for both: `certain` is the tree that has it.
    """

    def __init__(
        self, context: CompileContext, *, is_true: bool, certain: CompiledTree | None = None
    ) -> None:
        self.is_true = is_true
        self._context = context
        self._certain = certain
        self._check = ChunkCheck(context)
        self._kept: dict[tuple[str, str], CompiledSls] = {}

    def get(self, sls: str, saltenv: str) -> CompiledSls:
        """Return a compiled SLS, also one that does not exist."""
        if self._certain is not None:
            known = self._certain.get(sls, saltenv)
            if not known.compilation.has_unknown:
                return known
        kept = self._kept.get((saltenv, sls))
        if kept is None:
            kept = self._kept[saltenv, sls] = self._compiled(sls, saltenv)
        return kept

    def kept(self) -> dict[tuple[str, str], Compilation]:
        """Return what is compiled so far, by (saltenv, SLS)."""
        return {key: kept.compilation for key, kept in self._kept.items()}

    def forget(self, changed: AbstractSet[str]) -> None:
        """Compile again what used one of these names."""
        self._check.forget()
        for key in [key for key, kept in self._kept.items() if kept.used & changed]:
            del self._kept[key]

    def _compiled(self, sls: str, saltenv: str) -> CompiledSls:
        with unknown_values(is_true=self.is_true), self._context.uses.collecting() as used:
            compilation = Compilation(self._context, [sls], saltenv)
            found = list(compilation.chunk_findings(self._check))
        return CompiledSls(compilation, found, used)
