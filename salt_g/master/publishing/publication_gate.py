"""Gate of publications: conditions that must hold before a job is sent.

Revoked sessions end, because their minions must not read the job, and minions that are about to reconnect or
to sign in for a new publish key are waited for, because they would miss it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from salt_g.master.admission.sessions import MinionSessions
from salt_g.master.publishing.newcomers import Newcomers
from salt_g.master.publishing.publication_sender import PublicationSender
from salt_g.master.publishing.publish_key_rollout import PublishKeyRollout
from salt_g.master.publishing.restart_barrier import RestartBarrier
from salt_g.shapes.loads import JobLoad


class JobGate(Protocol):
    """Interface of the gate that sends jobs: `PublicationGate`, or `SharedGate` in a cluster."""

    def check(self) -> None:
        """Raise StoreError while no job can be accepted."""

    def answering(self) -> AbstractContextManager[object]:
        """Return a context manager that raises StoreError in its block once no job can be accepted."""

    def send(self, job: JobLoad, ids: Sequence[str], *, by_topic: bool = False) -> None:
        """Send a job for `ids`; raise NoReply, or WireError if it was not accepted."""


class PublicationGate:
    """Gate in front of the sender, for all jobs; each wait is limited."""

    def __init__(
        self,
        sender: PublicationSender,
        *,
        barrier: RestartBarrier,
        newcomers: Newcomers,
        rotation: PublishKeyRollout,
        sessions: MinionSessions,
    ) -> None:
        self._sender = sender
        self._barrier = barrier
        self._newcomers = newcomers
        self._rotation = rotation
        self._sessions = sessions

    def check(self) -> None:
        """Do nothing, because a master without a cluster always accepts jobs."""

    def answering(self) -> AbstractContextManager[object]:
        """Return a context manager that does nothing."""
        return nullcontext()

    def send(self, job: JobLoad, ids: Sequence[str], *, by_topic: bool = False) -> None:
        """Send a job for `ids` once the gate is open; raise the errors of `PublicationSender.send`."""
        self._barrier.wait(ids)
        self._newcomers.wait(ids)
        self._rotation.wait()
        self._sessions.end_revoked()
        self._sender.send(job, ids, by_topic=by_topic)
