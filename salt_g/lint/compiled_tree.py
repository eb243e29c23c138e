"""Cache of the SLS of a tree, each compiled alone and kept until a file that it used changes."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from salt_g.lint.chunk_check import ChunkCheck, ChunkFinding
from salt_g.lint.compile_context import CompileContext
from salt_g.lint.sls_check import Compilation
from salt_g.lint.unknown import unknown_values
from salt_g.shapes import LowChunk


class CompiledSls(NamedTuple):
    """A compile, the findings about its chunks, and the names that both used (`uses.py`)."""

    compilation: Compilation
    chunk_findings: list[tuple[LowChunk, ChunkFinding]]
    used: AbstractSet[str]


class CompiledTree:
    """Compiled SLS of one system, with unknown values true or false.

    An SLS that met no unknown value is compiled only once, in the tree `certain`.
    """

    def __init__(
        self, context: CompileContext, *, is_true: bool, certain: CompiledTree | None = None
    ) -> None:
        self.is_true = is_true
        self._context = context
        self._certain = certain
        self._check = ChunkCheck(context)
        self._kept: dict[tuple[str, str], CompiledSls] = {}
        #: Compiles whose files have changed, kept until the SLS are compiled again.
        self._outdated: dict[tuple[str, str], CompiledSls] = {}

    def get(self, sls: str, saltenv: str) -> CompiledSls:
        """Return the compile of an SLS, even if the SLS does not exist."""
        if self._certain is not None:
            known = self._certain.get(sls, saltenv)
            if not known.compilation.has_unknown:
                return known
        kept = self._kept.get((saltenv, sls))
        if kept is None:
            kept = self._kept[saltenv, sls] = self._compiled(sls, saltenv)
            self._outdated.pop((saltenv, sls), None)
        return kept

    def last(self, sls: str, saltenv: str) -> CompiledSls | None:
        """Return the last compile of an SLS, even if it is outdated; None if there is none."""
        if self._certain is not None:
            known = self._certain.last(sls, saltenv)
            if known is None or not known.compilation.has_unknown:
                return known
        return self._kept.get((saltenv, sls)) or self._outdated.get((saltenv, sls))

    def outdated(self) -> dict[tuple[str, str], CompiledSls]:
        """Return the compiles whose files have changed since, by (saltenv, SLS)."""
        return dict(self._outdated)

    def settle(self) -> None:
        """Drop the outdated compiles that are left after a full compile, whose SLS no longer exist."""
        self._outdated.clear()

    def kept(self) -> dict[tuple[str, str], Compilation]:
        """Return the current compilations, by (saltenv, SLS)."""
        return {key: kept.compilation for key, kept in self._kept.items()}

    def forget(self, changed: AbstractSet[str]) -> None:
        """Mark the compiles that used any of these names as outdated."""
        self._check.forget()
        for key in [key for key, kept in self._kept.items() if kept.used & changed]:
            self._outdated[key] = self._kept.pop(key)

    def _compiled(self, sls: str, saltenv: str) -> CompiledSls:
        with unknown_values(is_true=self.is_true), self._context.uses.collecting() as used:
            compilation = Compilation(self._context, [sls], saltenv)
            found = list(compilation.chunk_findings(self._check))
        return CompiledSls(compilation, found, used)
