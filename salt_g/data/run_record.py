"""Record of what a run on a master has done, so that another master goes on where it stopped.

A run keeps each step as soon as it is done, and asks first whether it was done before. Keys are chosen by
the run; those of a run inside another one have a prefix.
Shapes: values are what can be packed: maps, lists, texts, numbers.
Errors: RunTaken once another master has the run: then nothing more may be done here; StoreError while
nothing can be kept; WireError for a value that cannot.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from salt_g.errors import RunTaken

#: Keeps a value under a key; returns False if the run is no longer ours. With the key '' it only asks.
Put = Callable[[str, Any], bool]
#: Returns those of the ids to which a job was given, though its master did not get to keep that.
FindRecipients = Callable[[str, Collection[str]], set[str]]


class RunRecord:
    """Record of one run; `known` is what was kept of it before it was resumed."""

    def __init__(self, put: Put, known: Mapping[str, Any] | None = None) -> None:
        self._put = put
        self._known = known or {}
        self._prefix = ""
        self._root = self
        self._is_taken = False

    @property
    def is_taken(self) -> bool:
        """Whether another master has turned out to have the run."""
        return self._root._is_taken

    def recall(self, key: str) -> Any:
        """Return the value kept under a key before the run was resumed, or None if there is none."""
        return self._known.get(self._prefix + key)

    def recall_all(self, start: str) -> list[Any]:
        """Return all that was kept before under keys with this beginning."""
        whole = self._prefix + start
        return [value for key, value in self._known.items() if key.startswith(whole)]

    def keep(self, key: str, value: Any) -> None:
        """Keep a value; it is there for other masters when this returns."""
        self._ask(self._prefix + key, value)

    def check(self) -> None:
        """Raise RunTaken if another master has the run."""
        self._ask("", None)

    def close(self) -> None:
        """Leave the run to another master, or to the next start: from now on, the end causes failures."""
        self._root._is_taken = True

    def inner(self, prefix: str) -> RunRecord:
        """Return the record of a run inside this one."""
        made = RunRecord(self._put, self._known)
        made._prefix, made._root = f"{self._prefix}{prefix}/", self._root
        return made

    def _ask(self, key: str, value: Any) -> None:
        if self.is_taken or not self._put(key, value):
            self._root._is_taken = True
            raise RunTaken("another master goes on with this run")


class RunHooks(NamedTuple):
    """Connection of runs of one kind to the part that keeps them; by default nothing is kept.

    `begin(jid, about, to_resume)` is called before a run, with its description and the data to resume it, and
    returns the record of one that can be resumed. `end(jid)` is called after its end was announced.
    `wait_for_jobs` waits until the master takes jobs, for a limited time. `is_kept(jid)` returns whether the
    record of a run is kept, so it has not ended, here or at another master; it raises StoreError.
    """

    begin: Callable[[str, dict[str, Any], Any], RunRecord | None] = lambda jid, about, to_resume: None
    end: Callable[[str], None] = lambda jid: None
    recipients: FindRecipients = lambda jid, ids: set(ids)
    wait_for_jobs: Callable[[], None] = lambda: None
    is_kept: Callable[[str], bool] = lambda jid: False
