"""Source of jobs: the master's own job cache, or a returner that stores them elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from salt_g.api import current, opts, services
from salt_g.errors import CommandExecutionError
from salt_g.services.daemons import MasterServices

#: Name of the master's own job cache among returners.
OWN = "local_cache"


class _Returner:
    """A returner as a source of jobs."""

    def __init__(self, name: str, functions: Mapping[str, Callable[..., Any]]) -> None:
        self.get_load = functions[f"{name}.get_load"]
        self.get_jid = functions[f"{name}.get_jid"]
        self._name = name
        self._functions = functions

    def newest(self, *, first: str = "", last: str = "", with_end: bool = False) -> Iterator[tuple[str, Any]]:
        jobs = self._functions[f"{self._name}.get_jids"]()
        for jid in sorted(jobs, reverse=True):
            if first <= jid and jid[: len(last)] <= last:
                yield jid, jobs[jid]

    def get_jids_filter(self, count: int, filter_find_job: bool = True) -> Any:
        name = f"{self._name}.get_jids_filter"
        if name not in self._functions:
            raise CommandExecutionError(f"'{name}' returner function not implemented yet.")
        return self._functions[name](count, filter_find_job)


def name_of(ext_source: str | None = None) -> str:
    """Return the name of the source: `ext_job_cache`, else the caller's choice, else `master_job_cache`."""
    return str(opts.get("ext_job_cache") or ext_source or opts.get("master_job_cache") or OWN)


def source(ext_source: str | None = None) -> Any:
    """Return an object with `get_load`, `get_jid`, `newest` and `get_jids_filter`.

    Raises CommandExecutionError when the returner is not available.
    """
    name = name_of(ext_source)
    if name == OWN:
        return services(MasterServices).job_cache
    try:
        return _Returner(name, current().table("returners"))
    except KeyError as exc:
        raise CommandExecutionError(
            f"Requested returner {name!r} is not available: {exc}; jobs cannot be retrieved from it"
        ) from exc
