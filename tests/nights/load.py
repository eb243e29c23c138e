"""Jobs at a steady rate, and their events on the bus.

Jobs are published with `LocalClient`, as a program would. The time of a job starts when it was due, so that a
late master cannot hide its delay by receiving fewer requests.
"""

import collections
import contextlib
import queue
import threading
import time

from salt_g.client import LocalClient
from salt_g.client.unix_link import UnixLink
from salt_g.errors import SaltGError
from tests.support.waiting import until

#: Number of publishing threads.
CLIENTS = 8
#: Time limits for the last returns, and for the end of a thread (s).
END = 30.0
PROMPT = 5.0


class Ledger:
    """Jobs and returns. `began` is {jid: (due, ids)}, `return_times` {(jid, id): [times of events]};
    monotonic seconds.
    """

    def __init__(self):
        self.began = {}
        self.return_times = collections.defaultdict(list)
        self.refused = []

    def times(self, cut=(), *, since=0.0, until=float("inf")):
        """Return the durations of jobs due in this period, without those of disconnected minions."""
        away = collections.defaultdict(list)
        for id, begin, end in cut:
            away[id].append((begin, end))
        return [
            self.done(jid) - due
            for jid, (due, ids) in list(self.began.items())
            if since <= due < until and self.done(jid) and not _is_cut(due, self.done(jid), ids, away)
        ]

    def done(self, jid):
        """Return the time of the last return event of a job, None if one is missing."""
        ids = self.began[jid][1]
        moments = [self.return_times[jid, id][0] for id in ids if (jid, id) in self.return_times]
        return max(moments) if len(moments) == len(ids) else None

    def open(self, gone=()):
        """Return the jids without a return, except for minions in `gone`."""
        lacking = [jid for jid in list(self.began) if self.done(jid) is None]
        return [jid for jid in lacking if not set(gone).intersection(self.began[jid][1])]


def _is_cut(begin, end, ids, away):
    return any(begin <= back and gone <= end for id in ids for gone, back in away.get(id, ()))


class Load:
    """Publisher of `rate` jobs a second to minions drawn by `draw()`. Lifecycle: `with`, then `finish`."""

    def __init__(self, master, draw, rate, *, argument=()):
        self.ledger = Ledger()
        self._master, self._draw, self._rate = master, draw, rate
        self._argument = argument
        self._due = queue.Queue()
        self._is_ending = threading.Event()
        self._has_ended = threading.Event()
        self._threads = [threading.Thread(target=self._publish, daemon=True) for _ in range(CLIENTS)]
        self._threads.append(threading.Thread(target=self._tick, daemon=True))
        self._follower = threading.Thread(target=self._follow, daemon=True)
        self._follows = threading.Event()

    def __enter__(self):
        self._follower.start()
        if not self._follows.wait(END):
            raise TimeoutError("the master's event bus cannot be followed")
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._is_ending.set()
        self._has_ended.set()
        self._join(PROMPT)
        self._follower.join(PROMPT)

    def finish(self, gone=()):
        """Stop publishing, and wait for running jobs, except for minions that were disconnected."""
        self._is_ending.set()
        self._join(END)
        with contextlib.suppress(AssertionError):
            until(lambda: not self.ledger.open(gone), "the end of all jobs", seconds=END)

    def _join(self, seconds):
        """Wait for the publishing threads, with a time limit; abandon those without a response from the
        master.
        """
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _tick(self):
        began = time.monotonic()
        number = 0
        while not self._is_ending.wait(max(0.0, began + number / self._rate - time.monotonic())):
            self._due.put(began + number / self._rate)
            number += 1

    def _publish(self):
        with LocalClient(c_path=str(self._master.config_dir / "master")) as local:
            while not self._is_ending.is_set():
                with contextlib.suppress(queue.Empty):
                    self._publish_one(local, self._due.get(timeout=0.2))

    def _publish_one(self, local, due):
        ids = self._draw()
        try:
            job = local.run_job(ids, "test.ping", self._argument, tgt_type="list", timeout=END)
        except SaltGError as exc:
            self.ledger.refused.append(str(exc))
        else:
            self.ledger.began[job["jid"]] = (due, job["minions"])

    def _follow(self):
        with contextlib.closing(UnixLink(str(self._master.sock_dir))) as link:
            link.subscribe("salt/job/")
            self._follows.set()
            while not self._has_ended.is_set():
                event = link.next_event(0.2)
                if event is not None and "/ret/" in event.tag:
                    self.ledger.return_times[event.data["jid"], event.data["id"]].append(time.monotonic())
