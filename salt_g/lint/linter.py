"""Lint of a tree on several systems: each SLS compiled alone, and the SLS that top files assign together.

Shapes: `lint` takes settings and {system: grains}, and returns findings sorted by place.
Errors: InvocationError for an environment or SLS that the tree does not have; none for a broken tree.
"""

from __future__ import annotations

import difflib
import fnmatch
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from salt_g.errors import InvocationError
from salt_g.files.roots import ANY_ENV
from salt_g.lint.compile_context import CompileContext
from salt_g.lint.compiled_tree import CompiledTree
from salt_g.lint.finding import WARNING, LintFinding, merged
from salt_g.lint.positions import lines_of
from salt_g.lint.top_check import looks_like_pillar
from salt_g.lint.tree_findings import TreeFindings
from salt_g.lint.unknown import unknown_values
from salt_g.shapes import GrainsDict, Opts
from salt_g.state.compile.sls import missing_advice
from salt_g.state.compile.vocabulary import is_pattern


def lint(
    settings: Opts, systems: Mapping[str, GrainsDict], names: Sequence[str] = (), *, is_recorded: bool = False
) -> list[LintFinding]:
    """Return the findings about these SLS (all of the tree if empty) on each of these systems."""
    linters = {
        system: SystemLint(settings, grains, is_recorded=is_recorded) for system, grains in systems.items()
    }
    for linter in linters.values():
        linter.check_wanted(names)
    return merged({system: linter.findings(names) for system, linter in linters.items()})


class SystemLint:
    """Lint on one system; after changes only the SLS that used the changed files are compiled again."""

    def __init__(self, settings: Opts, grains: GrainsDict, *, is_recorded: bool = False) -> None:
        self.context = CompileContext(settings, grains, is_recorded=is_recorded)
        #: The tree with unknown values true.
        self.tree = CompiledTree(self.context, is_true=True)
        self._trees = (self.tree, CompiledTree(self.context, is_true=False, certain=self.tree))
        self._has_pillar = False

    def forget(self, changed: AbstractSet[str], *, is_pillar: bool = False) -> None:
        """Discard compiled SLS that used any of these names (`uses.py`), and pillar if `is_pillar` is set."""
        lines_of.cache_clear()
        self._has_pillar = self._has_pillar and not is_pillar
        self.context.forget(changed)
        for tree in self._trees:
            tree.forget(changed)

    def prepare(self) -> Iterator[None]:
        """Compile the whole tree, yielding after each SLS, so that `findings` is fast afterwards."""
        self._compile_pillar()
        yield
        for saltenv in self.saltenvs():
            for sls in self.context.files.list_states(saltenv):
                self._compile(saltenv, sls)
                yield
        for tree in self._trees:
            tree.settle()

    def first_for(self, saltenv: str, name: str) -> str:
        """Compile and return the SLS to check first after a change of a file, or '' if there is none.

        This is the SLS in the file, or else an outdated SLS that used the file.
        """
        self._compile_pillar()
        sls = sls_in(name)
        if saltenv not in self.saltenvs() or name == self._top() or looks_like_pillar(sls):
            return ""
        if not sls:
            outdated = self.tree.outdated().items()
            sls = next((sls for (env, sls), one in outdated if env == saltenv and name in one.used), "")
        if sls:
            self._compile(saltenv, sls)
        return sls

    def number_left(self) -> int:
        """Return the number of SLS that have to be compiled."""
        kept = self.tree.kept()
        return sum(
            (saltenv, sls) not in kept
            for saltenv in self.saltenvs()
            for sls in self.context.files.list_states(saltenv)
        )

    def early_findings(self, wanted: Iterable[tuple[str, str]]) -> list[LintFinding]:
        """Return the findings about some compiled (saltenv, SLS), using outdated compiles of all others."""
        by_env: dict[str, list[str]] = {}
        for saltenv, sls in wanted:
            by_env.setdefault(saltenv, []).append(sls)
        return self._leveled(
            lambda linter: (
                one for saltenv, names in by_env.items() for one in linter.early_findings(saltenv, names)
            )
        )

    def findings(self, names: Sequence[str] = ()) -> list[LintFinding]:
        """Return the findings about these SLS (names or patterns), all of the tree if empty.

        Findings that depend on unknown values are warnings.
        """
        self._compile_pillar()
        wanted = {saltenv: self._chosen(saltenv, names) for saltenv in self.saltenvs()}
        return self._leveled(
            lambda linter: (
                one
                for saltenv, chosen in wanted.items()
                if chosen or not names
                for one in linter.findings(saltenv, chosen)
            )
        )

    def check_wanted(self, names: Sequence[str]) -> None:
        """Raise InvocationError for an environment or for SLS that the tree does not have."""
        envs = list(map(str, self.context.files.envs()))
        saltenvs = self.saltenvs()
        missing = [] if ANY_ENV in envs else [saltenv for saltenv in saltenvs if saltenv not in envs]
        if missing:
            raise InvocationError(
                f"there is no environment {missing[0]!r}: file_roots has {', '.join(envs) or 'none'}"
            )
        known = [sls for saltenv in saltenvs for sls in self.context.files.list_states(saltenv)]
        for name in names:
            if not _matching(name, known):
                near = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
                nearest = f"nearest: {', '.join(near)}" if near else ""
                advice = missing_advice(name, known) or nearest
                where = ", ".join(saltenvs)
                raise InvocationError(f"there is no SLS {name!r} in {where}{f'; {advice}' if advice else ''}")

    def _chosen(self, saltenv: str, names: Sequence[str]) -> list[str]:
        """Return the SLS of an environment that match these names and patterns."""
        known = self.context.files.list_states(saltenv)
        chosen = dict.fromkeys(sls for name in names for sls in _matching(name, known))
        # The top file is not linted as an SLS unless it was named explicitly.
        top = self._top().removesuffix(".sls").replace("/", ".")
        return [sls for sls in chosen if sls != top or top in names]

    def _leveled(self, find: Callable[[TreeFindings], Iterable[LintFinding]]) -> list[LintFinding]:
        """Return the findings of both trees, those of only one tree as warnings."""
        found, otherwise = (
            # Advice depends on the names that a compile knows, so findings are compared without it.
            {finding._replace(advice=""): finding for finding in reversed(self._findings(tree, find))}
            for tree in self._trees
        )
        certain = found.keys() & otherwise.keys()
        return [
            finding if key in certain else finding._replace(level=WARNING)
            for key, finding in {**otherwise, **found}.items()
        ]

    def saltenvs(self) -> list[str]:
        """Return the environments that are checked."""
        wanted = self.context.opts.get("saltenv")
        return [str(wanted)] if wanted else self.context.files.envs()

    def _compile_pillar(self) -> None:
        if not self._has_pillar:
            changed = self.context.with_pillar()
            for tree in self._trees:
                tree.forget(changed)
            self._has_pillar = True

    def _top(self) -> str:
        return str(self.context.opts.get("state_top") or "top.sls")

    def _compile(self, saltenv: str, sls: str) -> None:
        for tree in self._trees:
            tree.get(sls, saltenv)

    def _findings(
        self, tree: CompiledTree, find: Callable[[TreeFindings], Iterable[LintFinding]]
    ) -> list[LintFinding]:
        with unknown_values(is_true=tree.is_true):
            return list(find(TreeFindings(self.context, tree)))


def _matching(name: str, known: Sequence[str]) -> list[str]:
    if is_pattern(name):
        return fnmatch.filter(known, name)
    names = (name, name.removesuffix(".init"))
    return [sls for sls in names if sls in known][:1]


def sls_in(name: str) -> str:
    """Return the name of the SLS in a file, or '' for any other file."""
    return name.removesuffix(".sls").removesuffix("/init").replace("/", ".") if name.endswith(".sls") else ""
