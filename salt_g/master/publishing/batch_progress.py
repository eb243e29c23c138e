"""Progress of a batch, readable while it runs and afterwards.

It counts the batch's events and decides nothing.
Shapes: `as_map` has the keys of stock's runner `batch`.
Units: seconds; timestamps are those of the system's clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import gevent.event

from salt_g.client.batch_window import Batch, BatchStep, size_of
from salt_g.client.publishing import JobRequest
from salt_g.client.return_collector import Return
from salt_g.shapes.loads import BatchAbout, BatchState


class BatchProgress:
    """Progress of one batch, from its start to its end; `end` is called once."""

    def __init__(
        self, jid: str, job: JobRequest, rules: Batch, user: str, *, clock: Callable[[], float] = time.time
    ) -> None:
        self.jid = jid
        self.about: BatchAbout = {
            "fun": job.fun,
            "tgt": job.tgt,
            "tgt_type": job.tgt_type,
            "user": user,
            "batch": rules.size,
        }
        self.at_work: set[str] = set()
        self._clock = clock
        self._began = self._moved = clock()
        self._total = 0
        self._returned: set[str] = set()
        self._silent: set[str] = set()
        self._halted = ""
        self._over = gevent.event.Event()

    def take(self, one: Return | BatchStep) -> None:
        """Record an event of the batch."""
        self._moved = self._clock()
        if isinstance(one, Return):
            self._returned.add(one.id)
            self.at_work.discard(one.id)
        elif one.found is not None:
            self._total = len(one.found[0])
        elif one.started:
            self.at_work.update(one.started)
        elif one.silent:
            self._silent.add(one.silent)
            self.at_work.discard(one.silent)
        else:
            self._halted = one.halted

    def end(self) -> None:
        """Record the end of the batch."""
        self._over.set()

    def wait(self, timeout: float) -> bool:
        """Wait for the end; return whether it was reached in time."""
        return bool(self._over.wait(timeout))

    def as_map(self) -> BatchState:
        """Return the progress as shown to users; `failed` counts the minions that did not return."""
        started = len(self._returned | self._silent | self.at_work)
        return {
            "jid": self.jid,
            "fun": self.about["fun"],
            "tgt": self.about["tgt"],
            "tgt_type": self.about["tgt_type"],
            "total": self._total,
            "completed": len(self._returned),
            "active": len(self.at_work),
            "pending": max(0, self._total - started),
            "failed": len(self._silent - self._returned),
            "batch_size": size_of(str(self.about["batch"]), self._total),
            "halted": bool(self._halted),
            "halted_reason": self._halted or None,
            "driver": "master",
            "user": self.about["user"],
            "created": self._began,
            "last_progress": self._moved,
            "age_seconds": self._clock() - self._moved,
        }
