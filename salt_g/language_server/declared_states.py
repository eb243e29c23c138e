"""States declared by the SLS files of a tree, which requisites can name, and their locations.

The states of an SLS stay known while it cannot be compiled, as often happens during an edit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from salt_g.lint.compiled_tree import CompiledTree
from salt_g.lint.positions import line_with
from salt_g.lint.sls_check import Compilation
from salt_g.lint.unknown import holds_unknown


class DeclaredState(NamedTuple):
    """State declared in an SLS; `fun` includes the module, as in `pkg.installed`."""

    sls: str
    saltenv: str
    state_id: str
    name: str
    fun: str

    @property
    def module(self) -> str:
        """Module of the state function."""
        return self.fun.partition(".")[0]


class DeclaredStates:
    """States of all SLS files, each as of its last successful compilation."""

    def __init__(self) -> None:
        self._by_sls: dict[tuple[str, str], tuple[Compilation, tuple[DeclaredState, ...]]] = {}

    def update(self, tree: CompiledTree) -> None:
        """Read the states of SLS files that were compiled again; drop those of removed SLS files."""
        kept = tree.kept()
        for key, one in kept.items():
            known = self._by_sls.get(key)
            if known is None or (known[0] is not one and (one.chunks or not one.problems)):
                self._by_sls[key] = (one, tuple(_states(one, key[1])))
        for key in self._by_sls.keys() - kept.keys():
            del self._by_sls[key]

    def all(self) -> Iterator[DeclaredState]:
        """Yield the states of all SLS files."""
        for _, states in self._by_sls.values():
            yield from states

    def named(self, name: str, module: str = "") -> list[DeclaredState]:
        """Return the states with this ID or name, limited to `module` if given."""
        return [
            state
            for state in self.all()
            if name in (state.state_id, state.name) and module in ("", state.module)
        ]

    def place_of(self, state: DeclaredState) -> tuple[str, int]:
        """Return path and line (from 1; 0 if unknown) where a state's ID is declared."""
        path, at = self._by_sls[state.saltenv, state.sls][0].declared_at(state.sls, state.state_id)
        if at.name.startswith("/") and at.line:
            return at.name, at.line
        if at.line and not at.name:
            return path, at.line
        lines = (line_with(path, word)[0] for word in (f"{state.state_id}:", state.state_id) if path)
        return path, next(filter(None, lines), 0)


def _states(one: Compilation, sls: str) -> Iterator[DeclaredState]:
    for low in one.chunks:
        values = [str(low.get(key, "")) for key in ("__sls__", "__env__", "__id__", "name", "state", "fun")]
        if values[0] == sls and not any(map(holds_unknown, values)):
            _, saltenv, state_id, name, module, function = values
            yield DeclaredState(sls, saltenv, state_id, name, f"{module}.{function}")
