"""Runners of the master of this machine, for pillar that is compiled here and for `publish.runner`.

Runners are called with the rights of the user of the command, on the running master or, if it is stopped, in
this process.
"""

from __future__ import annotations

from typing import Any, NoReturn

from salt_g.errors import CommandExecutionError
from salt_g.shapes import MasterCall, Opts
from salt_g.shapes.loads import CallEvent

_ONLY_RUNNERS = "pillar of hosts without a minion can only call runners, and wait for them"


class HostRunnerCalls:
    """Runner functions; implements `services.daemons.Calls`. `opts` are the settings of the command."""

    def __init__(self, opts: Opts) -> None:
        self._opts = opts

    def run(self, call: MasterCall) -> Any:
        """Run a runner function and return its value; raise CommandExecutionError if it fails."""
        outcome = self.outcome(call)
        if not outcome.get("success", True):
            raise CommandExecutionError(f"{call.fun}: {outcome.get('return')}")
        return outcome.get("return")

    def outcome(self, call: MasterCall) -> CallEvent:
        """Run a runner function and return its outcome, with `return` and `success`."""
        if call.kind != "runner":
            raise CommandExecutionError(_ONLY_RUNNERS)
        from salt_g.cli.run.run_client import run_silently  # Imported lazily: few pillars call runners.

        return run_silently(self._opts, call.fun, list(call.args), dict(call.kwargs))

    def start(self, call: MasterCall, *, timeout: float | None = None) -> NoReturn:
        """Raise CommandExecutionError, because a call that only starts a function could not be followed."""
        raise CommandExecutionError(_ONLY_RUNNERS)

    def running(self) -> list[CallEvent]:
        """Return [], because each call is waited for."""
        return []
