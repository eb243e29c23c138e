"""Services of calls on this master: parts of the daemon by the names of `services/daemons.py`, and a client.

Runner and wheel calls, reactor, schedule and engines use the same services, each in its own context.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from salt_g.api import CallContext
from salt_g.cache.jobs import Jobs
from salt_g.client.local import LocalClient
from salt_g.event.bus import Bus
from salt_g.master.calls.authorization import CommandCaller
from salt_g.master.calls.call_clients import InProcessLink
from salt_g.master.calls.call_context import master_context
from salt_g.master.calls.ipc_server import Answer
from salt_g.master.calls.kept_orchestration import KeptClient, KeptOrchestration
from salt_g.master.calls.runner_calls import RunnerCalls
from salt_g.shapes import Opts


class CallServices:
    """Source of call contexts and clients.

    `answer` serves clear commands, `services` are listed in `services/daemons.py`.
    """

    def __init__(
        self, opts: Opts, *, answer: Answer, bus: Bus, jobs: Jobs, services: Mapping[str, Any]
    ) -> None:
        self._opts = opts
        self._answer = answer
        self._bus = bus
        self._jobs = jobs
        self.services = services

    def client(self, user: str, kept: KeptOrchestration | None = None) -> LocalClient:
        """Return a client that publishes jobs in the name of `user`; `kept` records an orchestration."""
        link = InProcessLink(self._answer, self._bus, CommandCaller("", os.geteuid()), name="call")
        if kept is None:
            return LocalClient(mopts=self._opts, link=link, user=user)
        return KeptClient(mopts=self._opts, link=link, user=user).kept_by(kept)

    def context(self, calls: RunnerCalls) -> CallContext:
        """Return the context of a call started by the master itself."""
        own = {"events": self._bus, "job_cache": self._jobs, "calls": calls}
        context = master_context(self._opts, **own, **self.services)
        # A client subscribes to the bus, so one is created only for calls that publish.
        services = context.services.replace(client=lambda: self.client(str(self._opts["user"])))
        return context.replace(services=services)
