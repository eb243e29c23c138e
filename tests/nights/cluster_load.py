"""Load on a cluster while its masters are killed: jobs, key decisions, a schedule.

Each part records what was acknowledged, and the measurements compare that with what is stored.
"""

import collections
import contextlib
import threading
import time

import psycopg

from salt_g.client import LocalClient, WheelClient
from salt_g.config import load
from salt_g.errors import SaltGError
from salt_g.wire.packing import unpack
from tests.support.waiting import until

#: Pause between two jobs of an author (s), and after each other thing or one that failed.
PAUSE, AGAIN = 0.05, 0.2


class Worker:
    """Thread that repeats `work` until the end; pauses are `pace` times longer. Lifecycle: `with`."""

    def __init__(self, pace=1.0):
        self._pace = pace
        self.is_ending = threading.Event()
        self.changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.is_ending.set()
        self._thread.join()

    def _run(self):
        while not self.is_ending.is_set():
            with contextlib.suppress(SaltGError, OSError):
                self.work()
            self.is_ending.wait(AGAIN)

    def rest(self, seconds):
        """Pause after a success."""
        self.is_ending.wait(seconds * self._pace)

    def note(self):
        """Notify the waiting workers of a change."""
        with self.changed:
            self.changed.notify_all()


class Author(Worker):
    """Publisher of numbered jobs from one master to one minion.

    `taken` is {jid: number} of the accepted jobs, `moments` {jid: time of acceptance since the epoch}.
    """

    def __init__(self, master, ran, id, pace=1.0):
        super().__init__(pace)
        self.id = id
        self.master = master
        self.ran = ran
        self.taken = {}
        self.moments = {}
        self.requested = 0

    def work(self):
        """Publish until the master is unreachable."""
        with LocalClient(c_path=str(self.master.config_dir / "master")) as local:
            while not self.is_ending.is_set():
                self.requested += 1
                number = str(self.requested)
                # Noted before the answer too, so that a kill may come between both.
                self.note()
                jid = local.cmd_async(self.id, "cmd.run", [f"echo {number} >> {self.ran}; echo {number}"])
                if jid:
                    self.taken[jid], self.moments[jid] = number, time.time()
                self.note()
                self.rest(PAUSE)

    def numbers(self):
        """Return the numbers of the executed jobs."""
        return self.ran.read_text().split() if self.ran.exists() else []


class KeyHolder(Worker):
    """Decisions about one key, at each master in turn; `decided` is the last acknowledged one.

    `wrong` are those that another master did not know when they were acknowledged.
    """

    def __init__(self, masters, id, pace=1.0):
        super().__init__(pace)
        self._masters = masters
        self._id = id
        self._turn = 0
        self.count = 0
        self.decided = None
        self.wrong = []

    def work(self):
        """Decide once, and check what another master knows."""
        master, other = (self._masters[(self._turn + step) % len(self._masters)] for step in (0, 1))
        self._turn += 1
        wanted = "minions" if self._turn % 2 else "minions_rejected"
        self.decided = None
        self.note()
        if not _decide(master, self._id, wanted):
            return
        self.decided = wanted
        self.count += 1
        self.note()
        known = states_of(other, self._id)
        if known != [wanted]:
            self.wrong.append((master.settings["id"], other.settings["id"], wanted, known))
        self.rest(AGAIN)


def _decide(master, id, wanted):
    with _wheel(master) as wheel:
        if wanted == "minions":
            wheel.cmd("key.accept", [id], kwarg={"include_rejected": True})
        else:
            wheel.cmd("key.reject_dict", [{"minions": [id]}], kwarg={"include_accepted": True})
        return True


def _wheel(master):
    return WheelClient(load("master", str(master.config_dir)).opts)


def states_of(master, id):
    """Return the states in which a master knows a key."""
    with _wheel(master) as wheel:
        listed = wheel.cmd("key.list_all")
    return [state for state, ids in listed.items() if state != "local" and id in ids]


class LeaseWatch(Worker):
    """Every holder of the lead in the database; `backwards` are changes that no lease permits."""

    def __init__(self, url):
        super().__init__()
        self._url = url
        self.seen = []
        self.backwards = []

    def work(self):
        """Read the lease until the database is unreachable."""
        with psycopg.connect(self._url, autocommit=True) as server:
            while not self.is_ending.is_set():
                row = server.execute("SELECT holder, epoch, beat FROM salt_g.leases").fetchone()
                if row is not None and row[0]:
                    self._take(row)
                self.is_ending.wait(0.1)

    def _take(self, row):
        last = self.seen[-1] if self.seen else None
        if last is None or row[:2] != last[:2]:
            if last is not None and row[1] <= last[1]:
                self.backwards.append((last, row))
            self.seen.append(row)
            self.note()


def kept(url):
    """Return ({jid: number} of all jobs, {(jid, id): return}) in the database."""
    with psycopg.connect(url) as server:
        loads = server.execute("SELECT jid, load FROM salt_g.jobs WHERE fun = 'cmd.run'").fetchall()
        jobs = {jid: unpack(load)["arg"][0].split()[1] for jid, load in loads}
        rows = server.execute("SELECT jid, id, data FROM salt_g.returns").fetchall()
    return jobs, {(jid, id): unpack(data)["return"] for jid, id, data in rows if jid in jobs}


def place_of(url, id):
    """Return the master that a minion is connected to, or ''."""
    with psycopg.connect(url) as server:
        # Those of a master before its start are kept, too.
        sql = "SELECT master FROM salt_g.connected c JOIN salt_g.masters m ON m.id = c.master WHERE c.id = %s"
        row = server.execute(sql, (id,)).fetchone()
    return row[0] if row else ""


def leader(url):
    """Return the id of the leader."""
    with psycopg.connect(url) as server:
        row = server.execute("SELECT holder FROM salt_g.leases WHERE name = 'leader'").fetchone()
    return row[0] if row else ""


def ticks(path):
    """Return the masters that ran each tick of the schedule: [(id, moment)]."""
    lines = path.read_text().split("\n") if path.exists() else []
    return [(words[0], float(words[1])) for words in map(str.split, lines) if len(words) == 2]


def interleaved(ticks):
    """Return the number of ticks that overlap: one of a master between those of another.

    A master that leads again later has other leaders' ticks between its own, so only near neighbours count.
    """
    recent = collections.deque(maxlen=2)
    found = 0
    for id, at in ticks:
        if len(recent) == 2 and recent[0][0] == id != recent[1][0] and at - recent[0][1] < LEAST_LEAD:
            found += 1
        recent.append((id, at))
    return found


#: A master leads again after it has lost the lead not sooner than this (s): a lease has to end between.
LEAST_LEAD = 9.0


def settle(minions, local):
    """Wait until no job is running and no minion has a spooled return."""
    for minion in minions:
        until(lambda m=minion: local.cmd(m.id, "saltutil.running", timeout=30) == {m.id: []}, "no job runs")
        until(lambda m=minion: not list((m.cachedir / "returns").iterdir()), "the spool is empty")
