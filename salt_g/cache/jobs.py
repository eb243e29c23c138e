"""Job cache: loads, expected minions and returns of jobs.

Used by masters, and by minions with `cache_jobs`; answers the queries of stock's job returners.
Shapes: a load is the published job; a return is the load of a `_return`.
Units: `keep_seconds` in seconds, `keep_bytes` in bytes; 0 keeps everything.
Errors: StoreError from reads and through futures, StoreBusy from writes.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from salt_g.cache import job_writes, return_commit
from salt_g.cache.futures import Future
from salt_g.cache.return_commit import RESULT, Saved
from salt_g.cache.store import Store
from salt_g.data import jid as jids
from salt_g.errors import StoreError
from salt_g.process.offload import offload_heavy, yield_to_hub
from salt_g.report.job_summary import summary
from salt_g.shapes import Opts
from salt_g.shapes.loads import JobLoad, JobSummary, ReturnLoad, is_job, is_return
from salt_g.wire.packing import pack_bus, pack_large
from salt_g.wire.value_size import is_light

__all__ = ["Jobs", "Retention", "Saved"]

#: Fields of a return that describe its transfer, not its content.
_TRAVEL = frozenset(("cmd", "id", "jid", "nonce", "sig", "tok", "ts"))
#: Number of returns read in one step, and their total size between two greenlet switches (bytes): some 5 ms.
RETURNS = 50
SLICE_BYTES = 128 * 1024
#: Prefix of the source of expected ids for jobs that a minion ran on its own.
OWN = ".own/"
#: Maximum lead of another master's clock (microseconds).
MAX_AHEAD = 2 * 3600 * 1_000_000
#: Function that the command line calls every few seconds, left out of lists of jobs.
FIND_JOB = "saltutil.find_job"


@dataclasses.dataclass(frozen=True)
class Retention:
    """Retention limits of jobs: age and bytes; 0 for no limit."""

    keep_seconds: float = 0
    keep_bytes: int = 0

    @classmethod
    def of(cls, opts: Opts) -> Retention:
        """Return the limits in a master's settings."""
        return cls(float(opts["keep_jobs_seconds"]), int(opts["keep_jobs_bytes"]))


class Jobs:
    """Interface to the job cache in a store."""

    def __init__(self, store: Store, *, clock_ns: Callable[[], int] = time.time_ns, suffix: str = "") -> None:
        """Initialize; `suffix` is appended to new jids (`_<pid>` with the setting `unique_jid`)."""
        self._slot, self._slots = 0, 1
        self._store = store
        self._clock_ns = clock_ns
        self._suffix = suffix
        self._last_us = 0

    def new_jid(self) -> str:
        """Return a new jid, later than all jids that this object has returned."""
        while True:
            # Reserve the time before the lookup, because other greenlets may request a jid in the meantime.
            earliest = max(self._clock_ns() // 1000, self._last_us + 1)
            self._last_us = earliest + (self._slot - earliest) % self._slots
            made = jids.make(self._last_us * 1000) + self._suffix
            if not self._exists(made):
                return made
            # The clock was set back to a time already used.

    def take_slot(self, slot: int, slots: int) -> None:
        """Reserve the jids whose microseconds modulo `slots` equal `slot` for this master of a cluster."""
        self._slot, self._slots = slot, slots

    def follow(self, jid: str) -> None:
        """Make new jids later than this one, which another master of a cluster made with its own clock."""
        try:
            moment = jids.microseconds(jid)
        except ValueError:
            return
        # A user may choose a jid, but must not thereby shift the time of all later ones.
        if moment < self._clock_ns() // 1000 + MAX_AHEAD:
            self._last_us = max(self._last_us, moment)

    def save_load(self, jid: str, load: JobLoad, minions: Iterable[str] | None = None) -> Future[None]:
        """Store the load of a job, replacing an earlier load, and add its expected minions."""
        packed = _packed(load)
        saved = self._store.write(job_writes.LOAD, (jid, _name(load.get("fun")), packed), len(packed))
        # Both writes are in one lane, so the future of the second write is never settled before that of the
        # first.
        return saved if minions is None else self.save_minions(jid, minions)

    def save_minions(self, jid: str, minions: Iterable[str], source: str = "") -> Future[None]:
        """Add to the expected minions of a job; `source` names the syndic that reported them."""
        ids = list(minions)
        return self._store.write(job_writes.EXPECTED, (jid, source, ids), sum(map(len, ids)))

    def save_own(self, jid: str, load: JobLoad, id: str) -> Future[None]:
        """Store the load of a job that a minion ran on its own."""
        self.save_load(jid, load)
        return self.save_minions(jid, [id], OWN + id)

    def remove_own(self, id: str, first: str, last: str) -> Future[int]:
        """Remove a minion's own jobs from jid `first` to `last`; the future returns their number."""
        return self._store.write(job_writes.REMOVE_OWN, (OWN + id, first, last))

    def walk_own(self) -> Iterator[tuple[str, str, int]]:
        """Yield (jid, minion, bytes) of the jobs that minions ran on their own, oldest first."""
        sql = (
            "SELECT e.jid, substr(min(e.source), ?),"
            " coalesce(sum(length(r.data)), 0) + coalesce(max(length(j.load)), 0)"
            " FROM expected e LEFT JOIN returns r ON r.jid = e.jid LEFT JOIN jobs j ON j.jid = e.jid"
            " WHERE e.jid > ? AND e.source >= ? AND e.source < ? GROUP BY e.jid ORDER BY e.jid LIMIT ?"
        )
        last = ""
        while found := self._store.read(sql, (len(OWN) + 1, last, OWN, OWN + "\x7f", RETURNS)):
            yield from found
            last = found[-1][0]
            yield_to_hub()

    def save_return(self, load: ReturnLoad) -> Future[Saved]:
        """Store a return, unless one for its jid and id is already stored; the future returns the outcome.

        Raises KeyError for a load without `jid`, `id` or `return`.
        """
        data = {"return": load["return"]}
        data.update((field, value) for field, value in load.items() if field not in _TRAVEL)
        packed = _packed(data)
        return self._store.write(return_commit.RETURN, (load["jid"], load["id"], packed), len(packed))

    def save_end(self, jid: str, ended: float) -> Future[None]:
        """Store the time when a job ended, in seconds since the epoch."""
        return self._store.write(job_writes.END, (ended, jid))

    def get_end(self, jid: str) -> float | None:
        """Return the time when a job ended, in seconds since the epoch, or None if unknown."""
        found = self._store.read("SELECT ended FROM jobs WHERE jid = ?", (jid,))
        return found[0][0] if found else None

    def get_load(self, jid: str) -> JobLoad:
        """Return the load of a job with its expected ids as `Minions`, or {} for an unknown jid."""
        found = self._store.read("SELECT load FROM jobs WHERE jid = ?", (jid,))
        load = self._store.unpacked(found[0][0], f"job {jid}") if found else None
        if not is_job(load):
            return {}
        expected = self.get_expected(jid)
        if expected:
            load["Minions"] = expected
        return load

    def get_expected(self, jid: str) -> list[str]:
        """Return the expected minions of a job from all sources, sorted."""
        found = self._store.read("SELECT ids FROM expected WHERE jid = ?", (jid,))
        lists = [self._store.unpacked(ids, f"expected ids of {jid}") for (ids,) in found]
        return sorted({id for ids in lists for id in ids or ()})

    def get_returns(self, jid: str) -> dict[str, ReturnLoad]:
        """Return the returns of a job as {id: all stored fields}; may yield to the hub."""
        sql = "SELECT id, data FROM returns WHERE id > ? AND jid = ? ORDER BY id LIMIT ?"
        found, unread = {}, 0
        for id, data in self._store.pages(sql, "", jid, page=RETURNS):
            found[id] = self._store.unpacked(data, f"return {jid} of {id}")
            unread += len(data)
            if unread > SLICE_BYTES:
                yield_to_hub()
                unread = 0
        return {id: _shown(data) for id, data in found.items() if is_return(data)}

    def get_jid(self, jid: str) -> dict[str, ReturnLoad]:
        """Return results as {id: {return, retcode, success, out, ended}}; only `return` is always there."""
        return {id: _result(data) for id, data in self.get_returns(jid).items()}

    def get_return(self, jid: str, id: str) -> ReturnLoad | None:
        """Return all stored fields of one return, or None if there is none."""
        found = self._store.read("SELECT data FROM returns WHERE jid = ? AND id = ?", (jid, id))
        load = self._store.unpacked(found[0][0], f"return {jid} of {id}") if found else None
        return _shown(load) if is_return(load) else None

    def has_returned(self, jid: str, id: str) -> bool:
        """Return whether a return of a job from this id is stored."""
        return bool(self._store.read("SELECT 1 FROM returns WHERE jid = ? AND id = ?", (jid, id)))

    def get_returned(self, jid: str) -> list[str]:
        """Return the ids whose return of a job is stored."""
        return [id for (id,) in self._store.read("SELECT id FROM returns WHERE jid = ?", (jid,))]

    def count_returned(self, jid: str) -> int:
        """Return the number of minions that have returned a job."""
        return int(self._store.read("SELECT count(*) FROM returns WHERE jid = ?", (jid,))[0][0])

    def walk(self) -> Iterator[tuple[str, JobLoad, float | None]]:
        """Yield (jid, load, end time) of all jobs, oldest first; may yield to the hub."""
        sql = "SELECT jid, load, ended FROM jobs WHERE jid > ? ORDER BY jid LIMIT ?"
        yield from self._loads(self._store.pages(sql, ""))

    def newest(
        self, *, first: str = "", last: str = "", with_end: bool = False
    ) -> Iterator[tuple[str, JobSummary]]:
        """Yield (jid, summary) of the jobs from jid `first` to `last`, both included, newest first.

        `with_end` adds `EndTime` (`job_cache_store_endtime`). May yield to the hub.
        """
        sql = "SELECT jid, load, ended FROM jobs WHERE jid < ? AND jid >= ? ORDER BY jid DESC LIMIT ?"
        # A jid consists of digits and an optional suffix; jids that begin with `last` are included.
        for jid, load, ended in self._loads(self._store.pages(sql, f"{last}~", first)):
            shown: JobSummary = {**summary(load), "StartTime": jids.started_at(jid)}
            if with_end and ended:
                shown["EndTime"] = ended
            yield jid, shown

    def newest_loads(self, before: str = "") -> Iterator[tuple[str, JobLoad]]:
        """Yield (jid, load) of the jobs older than a jid, newest first; may yield to the hub."""
        sql = "SELECT jid, load, ended FROM jobs WHERE jid < ? AND jid >= ? ORDER BY jid DESC LIMIT ?"
        for jid, load, _ in self._loads(self._store.pages(sql, before or "~", "")):
            yield jid, load

    def get_returns_page(self, jid: str, after: str, limit: int) -> Iterator[tuple[str, ReturnLoad]]:
        """Yield (id, stored fields) of up to `limit` returns with ids above `after`; may yield to the hub."""
        sql = "SELECT id, data FROM returns WHERE id > ? AND jid = ? ORDER BY id LIMIT ?"
        for id, data in self._store.read(sql, (after, jid, limit)):
            load = self._store.unpacked(data, f"return {jid} of {id}")
            if is_return(load):
                yield id, _shown(load)
            yield_to_hub()

    def get_jids(self, *, with_end: bool = False) -> dict[str, JobSummary]:
        """Return {jid: summary} of all jobs, oldest first."""
        return dict(reversed(list(self.newest(with_end=with_end))))

    def get_jids_filter(self, count: int, filter_find_job: bool = True) -> list[JobSummary]:
        """Return the summaries of the newest `count` jobs, by default without `FIND_JOB`, oldest first."""
        rows = self._store.read(
            "SELECT jid, load, ended FROM jobs WHERE fun <> ? ORDER BY jid DESC LIMIT ?",
            (FIND_JOB if filter_find_job else "", count),
        )
        newest = list(self._loads(rows))
        return [
            {**summary(load), "JID": jid, "StartTime": jids.started_at(jid)}
            for jid, load, _ in reversed(newest)
        ]

    def held_bytes(self) -> int:
        """Return the number of bytes that jobs occupy in the store."""
        return int(self._store.read("SELECT bytes FROM held")[0][0])

    def prune(self, retention: Retention) -> Future[int]:
        """Remove a slice of the oldest jobs above the limits; the future returns their number.

        Call it again until the number is 0; returns can be written between the slices.
        """
        oldest = ""
        if retention.keep_seconds:
            oldest = jids.make(self._clock_ns() - int(retention.keep_seconds * 1e9))
        return self._store.write(job_writes.PRUNE, (oldest, retention.keep_bytes))

    def _exists(self, jid: str) -> bool:
        try:
            return bool(self._store.read("SELECT 1 FROM jobs WHERE jid = ?", (jid,)))
        except StoreError:
            # Jobs continue without a readable store; the current microsecond cannot be in use already.
            return False

    def _loads(self, rows: Iterable[Any]) -> Iterator[tuple[str, JobLoad, float | None]]:
        for jid, packed, ended in rows:
            load = self._store.unpacked(packed, f"job {jid}")
            if is_job(load):
                yield jid, load, ended


#: Optional fields of a result: processes that were ended together with the job.
_FURTHER = ("ended",)


def _shown(data: ReturnLoad) -> ReturnLoad:
    """Remove from a stored return the fields that only the history needs; return the same dict."""
    data.pop("low_digests", None)
    return data


def _result(data: Mapping[str, Any]) -> ReturnLoad:
    """Return only the result fields of a stored return."""
    content: Any = {field: data[field] for field in (*RESULT, *_FURTHER) if field in data}
    result: ReturnLoad = content
    return result


def _packed(data: Mapping[str, Any]) -> bytes:
    """Pack a value; a large one is packed in a native thread while other greenlets run."""
    return offload_heavy(is_light(data), pack_bus, pack_large, data)


def _name(fun: Any) -> str:
    """Return the function of a job as text; several functions are joined with commas."""
    return fun if isinstance(fun, str) else ",".join(map(str, fun or ()))
