"""Resolution of include declarations to an SLS and its environment.

An item may name an environment, search several (`_xenv`), be relative or be a pattern; each kind of error
has its own text.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.state.compile.diagnostics import Problems

#: Key of an include that is searched in all environments in use.
SEARCH_KEY = "_xenv"


class SlsSource(NamedTuple):
    """File of an SLS: its locally cached path and its URL on the file server."""

    path: str
    url: str

    @property
    def is_init(self) -> bool:
        """Whether this file is a folder's `init.sls`, whose relative includes start below the folder."""
        return self.url.endswith("/init.sls")


class Include(NamedTuple):
    """Resolved include: a name or pattern, its environment, and the one in which a pattern is looked up."""

    sls: str
    saltenv: str
    search_env: str


def written(item: Any, saltenv: str) -> tuple[Any, str]:
    """Return the environment of an include item (`saltenv` by default), and its name as written."""
    env_key, name = next(iter(item.items())) if isinstance(item, dict) and item else (saltenv, item)
    return env_key, str(name)


class Includes:
    """Include declaration of one SLS file."""

    def __init__(self, sls: str, saltenv: str, source: SlsSource, problems: Problems) -> None:
        self.sls = sls
        self.saltenv = saltenv
        self._source = source
        self._problems = problems

    def resolve(
        self,
        item: Any,
        *,
        envs: Sequence[str],
        wanted: Mapping[str, Sequence[str]],
        available: Callable[[str], list[str]],
    ) -> Include | None:
        """Resolve an item; return None and record a finding if it matches nothing."""
        env_key, name = written(item, self.saltenv)
        if env_key != SEARCH_KEY and env_key not in envs:
            self._report(
                f"Nonexistent saltenv '{env_key}' found in include of '{name}' "
                f"within SLS '{self.saltenv}:{self.sls}'",
                wanted=str(env_key),
                known=envs,
            )
            return None
        sls = self._absolute(name)
        if sls is None:
            return None
        if env_key == SEARCH_KEY:
            found = [env for env in wanted if fnmatch.filter(available(env), sls)]
        else:
            found = [env_key] if env_key in wanted or fnmatch.filter(available(env_key), sls) else []
        return self._choose(sls, env_key, found, wanted, available)

    def _absolute(self, name: str) -> str | None:
        """Return the absolute name of an include; one dot means a sibling, each further dot one level up.

        Record a finding and return None if that is above the root.
        """
        rest = name.lstrip(".")
        levels = len(name) - len(rest)
        if not levels:
            return name
        parts = self.sls.split(".") + (["init"] if self._source.is_init else [])
        if levels > len(parts):
            self._report(
                f"Attempted relative include of '{name}' within SLS '{self.saltenv}:{self.sls}' "
                "goes beyond top level package "
            )
            return None
        return ".".join([*parts[:-levels], rest])

    def _choose(
        self,
        sls: str,
        env_key: str,
        found: list[str],
        wanted: Mapping[str, Any],
        available: Callable[[str], list[str]],
    ) -> Include | None:
        if len(found) == 1:
            # Stock looks patterns up in the including file's environment, whichever environment matched.
            return Include(sls, found[0], self.saltenv)
        if self.saltenv in found:
            return Include(sls, self.saltenv, self.saltenv)
        if found:
            self._report(
                f"Ambiguous include: Specified SLS {env_key}: {sls} is available on the salt master "
                f"in multiple available saltenvs: {', '.join(found)}"
            )
        else:
            searched = list(wanted) if env_key == SEARCH_KEY else [env_key]
            self._report(
                f"Unknown include: Specified SLS {env_key}: {sls} is not available "
                f"on the salt master in saltenv(s): {', '.join(searched)} ",
                wanted=sls,
                known=[name for env in searched for name in available(env)],
            )
        return None

    def _report(self, message: str, *, wanted: str = "", known: Sequence[str] = ()) -> None:
        self._problems.add(message, sls=self.sls, state_id="include", wanted=wanted, known=known)
