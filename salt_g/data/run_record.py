"""Record of what a run on a master has done, so that another master can continue where it stopped.

A run records each step as soon as it is done, and checks first whether it was done before. The run chooses
the keys; keys of a run inside another one have a prefix.
Shapes: values can be packed: mappings, lists, text, numbers.
Errors: RunTaken once another master has taken over the run, after which nothing more may be done here;
StoreError while nothing can be stored; WireError for a value that cannot be packed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple, Protocol

from salt_g.errors import RunTaken

#: Function that stores a value under a key and returns False if another master has taken over the run. With
#: the key '' it stores nothing.
Put = Callable[[str, Any], bool]
#: Function that returns which of the given ids received a job whose master stopped before it could record
#: that.
FindRecipients = Callable[[str, Collection[str]], set[str]]


class RunRecord:
    """Record of one run; `known` has the values that were kept before the run was resumed."""

    def __init__(self, put: Put, known: Mapping[str, Any] | None = None) -> None:
        self._put = put
        self._known = known or {}
        self._prefix = ""
        self._root = self
        self._is_taken = False

    @property
    def is_taken(self) -> bool:
        """Whether another master has taken over the run."""
        return self._root._is_taken

    def recall(self, key: str) -> Any:
        """Return the value kept under a key before the run was resumed, or None if there is none."""
        return self._known.get(self._prefix + key)

    def recall_all(self, start: str) -> list[Any]:
        """Return the values kept under keys that begin with `start` before the run was resumed."""
        whole = self._prefix + start
        return [value for key, value in self._known.items() if key.startswith(whole)]

    def keep(self, key: str, value: Any) -> None:
        """Keep a value; other masters can read it as soon as this returns."""
        self._ask(self._prefix + key, value)

    def check(self) -> None:
        """Raise RunTaken if another master has the run."""
        self._ask("", None)

    def close(self) -> None:
        """Leave the run to another master, or to the next start; from now on, `check` raises RunTaken."""
        self._root._is_taken = True

    def inner(self, prefix: str) -> RunRecord:
        """Return the record of a run inside this one."""
        made = RunRecord(self._put, self._known)
        made._prefix, made._root = f"{self._prefix}{prefix}/", self._root
        return made

    def _ask(self, key: str, value: Any) -> None:
        if self.is_taken or not self._put(key, value):
            self._root._is_taken = True
            raise RunTaken("another master has taken over this run")


class Resume(Protocol):
    """Function that resumes a run; `noted` is its recorded data, `settle` waits for its master's minions."""

    def __call__(self, jid: str, noted: Any, record: RunRecord, settle: Callable[[], None], /) -> bool:
        """Start resuming the run; return False if it cannot be resumed here."""


#: Functions that resume runs, by kind: `runner`, `batch` and `rollout`.
Resumers = Mapping[str, Resume]


class RunHooks(NamedTuple):
    """Callbacks that record runs of one kind; by default nothing is recorded.

    `begin(jid, about, to_resume)` is called before a run, with its description and the data to resume it, and
    returns the record of a run that can be resumed. `end(jid)` is called after the run's end was announced.
    `wait_for_jobs` waits until the master accepts jobs, for a limited time. `is_kept(jid)` returns whether
    the record of a run still exists, which means that the run has not ended, here or on another master; it
    raises StoreError.
    """

    begin: Callable[[str, dict[str, Any], Any], RunRecord | None] = lambda jid, about, to_resume: None
    end: Callable[[str], None] = lambda jid: None
    recipients: FindRecipients = lambda jid, ids: set(ids)
    wait_for_jobs: Callable[[], None] = lambda: None
    is_kept: Callable[[str], bool] = lambda jid: False


#: Hooks that record nothing.
NO_HOOKS = RunHooks()
