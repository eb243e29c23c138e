"""Clients inside the master, with which its calls publish jobs, and their in-process link.

Runners, reactor and orchestration publish jobs and follow them like any program, but their requests go to the
handlers directly, without a socket.
A client waits for one job at a time, while the states of one orchestration may run in parallel; so each
greenlet of a call has its own client, and all are closed with the call.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from salt_g.client.bus_link import BusLink
from salt_g.client.local import LocalClient
from salt_g.event.bus import Bus
from salt_g.master.calls.authorization import CommandCaller
from salt_g.master.calls.ipc_server import Answer
from salt_g.shapes.loads import Answers, PublishReply


class InProcessLink(BusLink):
    """Link of one client to its own master; connected when created, closed by `close`. It has one reader."""

    def __init__(self, answer: Answer, bus: Bus, caller: CommandCaller, *, name: str = "inner") -> None:
        """Initialize; `answer` serves clear commands; `caller` is the user on whose behalf they are sent.

        The handlers have their own time limits.
        """
        super().__init__(lambda load, timeout: answer(load, caller), bus, name=name)


class CallClients:
    """Clients of one call; each method uses the client of the calling greenlet (or thread).

    Implements `services.daemons.PublishingClient`.
    """

    def __init__(self, make: Callable[[], LocalClient]) -> None:
        self._make = make
        self._mine = threading.local()
        self._made: list[LocalClient] = []

    def cmd(self, tgt: Any, fun: Any, arg: Iterable[Any] = (), **options: Any) -> Answers:
        """Run a job and return {minion: return}."""
        return self._client().cmd(tgt, fun, arg, **options)

    def cmd_async(self, tgt: Any, fun: Any, arg: Iterable[Any] = (), **options: Any) -> str | int:
        """Publish a job and return its jid, 0 if its target matches no minion."""
        return self._client().cmd_async(tgt, fun, arg, **options)

    def cmd_iter(self, tgt: Any, fun: Any, arg: Iterable[Any] = (), **options: Any) -> Iterator[Any]:
        """Yield each return as it arrives."""
        return self._client().cmd_iter(tgt, fun, arg, **options)

    def cmd_batch(self, tgt: Any, fun: Any, arg: Iterable[Any] = (), **options: Any) -> Iterator[Any]:
        """Run a job in batches and yield each return."""
        return self._client().cmd_batch(tgt, fun, arg, **options)

    def cmd_subset(self, tgt: Any, fun: Any, arg: Iterable[Any] = (), **options: Any) -> Any:
        """Run a job on a random choice of its minions."""
        return self._client().cmd_subset(tgt, fun, arg, **options)

    def run_job(self, tgt: Any, fun: Any, arg: Iterable[Any] = (), **options: Any) -> PublishReply:
        """Publish a job; return {jid, minions}, {} if its target matches no minion."""
        return self._client().run_job(tgt, fun, arg, **options)

    def get_iter_returns(self, jid: str, minions: Iterable[str], **options: Any) -> Iterator[Any]:
        """Yield the returns of a job as they arrive."""
        return self._client().get_iter_returns(jid, minions, **options)

    def destroy(self) -> None:
        """Close the clients."""
        for client in self._made:
            client.destroy()

    def _client(self) -> LocalClient:
        client: LocalClient | None = getattr(self._mine, "client", None)
        if client is None:
            client = self._mine.client = self._make()
            self._made.append(client)
        return client
