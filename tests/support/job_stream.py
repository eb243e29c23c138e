"""Stream of numbered jobs to one minion, and their returns while daemons are killed and restarted."""

from __future__ import annotations

import collections
import contextlib
import pathlib
import threading
import time
from collections.abc import Callable
from typing import Any

from salt_g.client import LocalClient
from salt_g.client.link import MasterEvent
from salt_g.client.unix_link import UnixLink
from salt_g.errors import SaltGError
from salt_g.report.ended_jobs import INTERRUPTED
from tests.support.daemons import RunningMaster, RunningMinion
from tests.support.waiting import until

#: Number of concurrent jobs, and the time limit of one job (s).
UNDER_WAY = 4
PATIENCE = 0.3
#: Number of newest returns whose time of arrival is kept.
RETURNED = 1000
#: Longest time without an event before a stream counts as stalled (s).
STANDSTILL = 60


class Stream:
    """Jobs that write their number to a file of the minion, and their events on the bus.

    Lifecycle: `with`; daemons may stop and start in between. `returns` holds the returns of each jid.
    """

    def __init__(
        self, master: RunningMaster, ran: pathlib.Path, id: str = "m1", *, pause: float = 0.0
    ) -> None:
        """`pause` is the minimum interval between two jobs (s)."""
        self.id = id
        self._pause = pause
        self.ran = ran
        self.returns: collections.defaultdict[str, list[Any]] = collections.defaultdict(list)
        self._master = master
        self._is_ending = threading.Event()
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._publish, self._follow)]
        self._changed = threading.Condition()
        self._events = 0
        self._published = 0
        self._given_up = 0
        self._returned: collections.deque[tuple[int, float]] = collections.deque(maxlen=RETURNED)

    def __enter__(self) -> Stream:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_ending.set()
        for thread in self._threads:
            thread.join()

    @property
    def published(self) -> int:
        """Number of the newest job."""
        return self._published

    def wait(self, events: int, jitter: float) -> None:
        """Wait for a number of further events, and this many seconds at most."""
        with self._changed:
            wanted = self._events + events
            assert self._changed.wait_for(lambda: self._events >= wanted, STANDSTILL), (
                "the stream stands still"
            )
        self._is_ending.wait(jitter)

    def wait_for_later(self, number: int) -> float:
        """Wait until a job with a higher number has returned; return the time of that (monotonic, s)."""
        with self._changed:
            found = self._changed.wait_for(lambda: self._later(number), STANDSTILL)
            assert found, "the stream stands still"
            return found

    def _later(self, number: int) -> float | None:
        """Return the time of the first return of a job with a higher number, None if there is none yet."""
        return min((at for one, at in self._returned if one > number), default=None)

    def _publish(self) -> None:
        while not self._is_ending.is_set():
            with contextlib.suppress(SaltGError), LocalClient(c_path=str(self._config)) as local:
                while not self._is_ending.is_set():
                    self._publish_one(local)
            self._is_ending.wait(0.05)

    def _publish_one(self, local: LocalClient) -> None:
        self._published += 1
        number = self._published
        local.cmd_async(self.id, "cmd.run", [f"echo {number} >> {self.ran}; echo {number}"])
        with self._changed:
            if not self._changed.wait_for(lambda: self._open(number) < UNDER_WAY, PATIENCE):
                # Jobs lost with a killed daemon must not slow down the others forever.
                self._given_up = number - len(self.returns)
        self._is_ending.wait(self._pause)

    def _open(self, number: int) -> int:
        return number - len(self.returns) - self._given_up

    def _follow(self) -> None:
        while not self._is_ending.is_set():
            with contextlib.suppress(SaltGError), contextlib.closing(self._link()) as link:
                link.subscribe("salt/job/")
                while not self._is_ending.is_set():
                    self._take(link.next_event(0.2))
            self._is_ending.wait(0.05)

    def _take(self, event: MasterEvent | None) -> None:
        if event is None:
            return
        with self._changed:
            if "/ret/" in event.tag and event.data["id"] == self.id:
                self.returns[event.data["jid"]].append(event.data["return"])
                self._returned.append((_number(event.data["return"]), time.monotonic()))
            self._events += 1
            self._changed.notify_all()

    @property
    def _config(self) -> pathlib.Path:
        return self._master.config_dir / "master"

    def _link(self) -> UnixLink:
        return UnixLink(str(self._master.sock_dir))


def _number(returned: Any) -> int:
    """Return the number in a job's return, 0 for a job that was killed."""
    return int(returned) if str(returned).isdigit() else 0


def owed_by(minion: RunningMinion) -> set[str]:
    """Return the jids of the unsent returns on a minion's disk; not of jobs that a kill interrupted."""
    return {
        path.name.partition(".")[0]
        for path in (minion.cachedir / "returns").glob("2*")
        if INTERRUPTED.encode() not in path.read_bytes()
    }


def settle(minion: RunningMinion, local: LocalClient) -> None:
    """Wait until no job is running."""
    until(lambda: local.cmd(minion.id, "saltutil.running", timeout=30) == {minion.id: []}, "no job runs")
    until(lambda: not list((minion.cachedir / "returns").iterdir()), "the spool is empty")


def results_of(
    run: Callable[..., Any], master: RunningMaster, local: LocalClient, id: str = "m1"
) -> dict[str, str | None]:
    """Return {jid: number, INTERRUPTED for a killed minion, None without a return} of the stream's jobs."""
    results = {}
    for jid, job in run(master, "jobs.list_jobs", "search_function=cmd.run", f"search_target={id}").items():
        number = job["Arguments"][0].split()[1]
        returned = local.get_cache_returns(jid).get(id)
        results[jid] = returned and returned["ret"]
        assert results[jid] in (None, INTERRUPTED, number)
    return results
