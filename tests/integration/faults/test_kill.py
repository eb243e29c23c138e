"""SIGKILL at random points of a stream of jobs: every accepted return is there afterwards, once, and right.

A point is a number of events on the master's bus, drawn with a seed, and a few milliseconds more.
"""

import collections
import contextlib
import random
import threading

import pytest
from daemons import until

from salt_g.client import LocalClient
from salt_g.client.unix_link import UnixLink
from salt_g.errors import SaltGError

#: Kills in one test, and its seeds: twenty points for each daemon.
KILLS = 10
SEEDS = (1, 2)
#: Jobs that the stream has under way, and how long it waits for one of them (s).
UNDER_WAY = 4
PATIENCE = 0.3


class Stream:
    """Jobs that write their number to a file of the minion, and what the bus tells of them.

    Life: `with`; daemons may go and come in between. `told` are the returns of each jid.
    """

    def __init__(self, master, ran):
        self._master = master
        self._ran = ran
        self._is_ending = threading.Event()
        self._threads = [threading.Thread(target=work) for work in (self._publish, self._follow)]
        self._changed = threading.Condition()
        self._events = 0
        self._published = 0
        self.told = collections.defaultdict(list)

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._is_ending.set()
        for thread in self._threads:
            thread.join()

    def wait(self, events, jitter):
        """Wait for so many further events, and so many seconds more."""
        with self._changed:
            wanted = self._events + events
            assert self._changed.wait_for(lambda: self._events >= wanted, 60), "the stream stands still"
        self._is_ending.wait(jitter)

    def _publish(self):
        while not self._is_ending.is_set():
            with contextlib.suppress(SaltGError), LocalClient(c_path=str(self._config)) as local:
                while not self._is_ending.is_set():
                    self._publish_one(local)
            self._is_ending.wait(0.05)

    def _publish_one(self, local):
        self._published += 1
        number = self._published
        local.cmd_async("m1", "cmd.run", [f"echo {number} >> {self._ran}; echo {number}"])
        with self._changed:
            self._changed.wait_for(lambda: number - len(self.told) < UNDER_WAY, PATIENCE)

    def _follow(self):
        while not self._is_ending.is_set():
            with contextlib.suppress(SaltGError), contextlib.closing(self._link()) as link:
                link.subscribe("salt/job/")
                while not self._is_ending.is_set():
                    self._take(link.next_event(0.2))
            self._is_ending.wait(0.05)

    def _take(self, event):
        if event is None:
            return
        with self._changed:
            if "/ret/" in event.tag:
                self.told[event.data["jid"]].append(event.data["return"])
            self._events += 1
            self._changed.notify_all()

    @property
    def _config(self):
        return self._master.config_dir / "master"

    def _link(self):
        return UnixLink(str(self._master.sock_dir))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_killed_master_has_every_return_that_it_accepted_and_gets_the_others(
    start_master, start_minion, client, run, tmp_path, seed
):
    master = start_master()
    minion = start_minion(master)
    ran, points = tmp_path / "ran", random.Random(seed)

    with Stream(master, ran) as stream:
        for _ in range(KILLS):
            stream.wait(points.randrange(1, 15), points.uniform(0, 0.05))
            master.kill()
            master.start()
        stream.wait(15, 0)
    settle(minion, client(master))
    jobs = results_of(run, master, client(master))

    numbers = ran.read_text().split()
    assert len(numbers) == len(set(numbers)), "a job ran twice"
    # Whatever ran has returned, and what it returned is its number.
    assert sorted(numbers) == sorted(returned for returned in jobs.values() if returned is not None)
    check_told(stream, jobs)
    check_verdicts(run, master, jobs)


@pytest.mark.parametrize("seed", SEEDS)
def test_of_a_killed_minion_no_return_is_lost_and_no_job_runs_twice(
    start_master, start_minion, client, run, tmp_path, seed
):
    master = start_master()
    minion = start_minion(master)
    ran, points, owed = tmp_path / "ran", random.Random(seed), set()

    with Stream(master, ran) as stream:
        for _ in range(KILLS):
            stream.wait(points.randrange(1, 15), points.uniform(0, 0.05))
            minion.kill()
            owed |= owed_by(minion)
            minion.start()
        stream.wait(15, 0)
    settle(minion, client(master))
    check_cut_off(run, master, stream, results_of(run, master, client(master)), ran, owed)


def test_of_both_killed_at_once_no_return_is_lost_and_no_job_runs_twice(
    start_master, start_minion, client, run, tmp_path
):
    master = start_master()
    minion = start_minion(master)
    ran, points, owed = tmp_path / "ran", random.Random(3), set()

    with Stream(master, ran) as stream:
        for _ in range(KILLS // 2):
            stream.wait(points.randrange(1, 15), points.uniform(0, 0.05))
            for daemon in points.sample([master, minion], 2):
                daemon.kill()
            owed |= owed_by(minion)
            master.start()
            minion.start()
        stream.wait(15, 0)
    settle(minion, client(master))
    check_cut_off(run, master, stream, results_of(run, master, client(master)), ran, owed)


def owed_by(minion):
    """Return the jids of the returns on a minion's disk."""
    return {path.name.partition(".")[0] for path in (minion.cachedir / "returns").glob("2*")}


def check_cut_off(run, master, stream, jobs, ran, owed):
    """A job that was cut off has no return; what the disk had when the minion was killed came."""
    numbers = ran.read_text().split()
    assert len(numbers) == len(set(numbers)), "a job ran twice"
    assert {returned for returned in jobs.values() if returned is not None} <= set(numbers)
    assert [jid for jid in owed if jobs[jid] is None] == []
    check_told(stream, jobs)
    check_verdicts(run, master, jobs)


def settle(minion, local):
    """Wait until nothing is under way any more."""
    until(lambda: local.cmd("m1", "saltutil.running", timeout=30) == {"m1": []}, "no job runs")
    until(lambda: not list((minion.cachedir / "returns").iterdir()), "the spool is empty")


def results_of(run, master, local):
    """Return {jid: the number that was returned, None without a return} of the stream's jobs."""
    results = {}
    for jid, job in run(master, "jobs.list_jobs", "search_function=cmd.run").items():
        number = job["Arguments"][0].split()[1]
        returned = local.get_cache_returns(jid).get("m1")
        assert returned is None or returned["ret"] == number
        results[jid] = returned and number
    return results


def check_told(stream, jobs):
    """What the bus told was accepted: it is kept, and it was never told differently."""
    told = {jid: set(returns) for jid, returns in stream.told.items()}
    assert len(told) >= KILLS
    assert told == {jid: {jobs.get(jid)} for jid in told}


def check_verdicts(run, master, jobs):
    """The newest jobs have the verdict that fits."""
    for jid in sorted(jobs)[-3:]:
        assert run(master, "jobs.lookup_jid", jid) == ({} if jobs[jid] is None else {"m1": jobs[jid]})
