"""Metrics of a master and their sources.

The master's parts keep counters in their own fields, and this module reads the counters on request (`salt-g
run status.metrics`, `salt-g top`, the port of `metrics_port`). So measuring a return costs only two reads of
the clock.
Units: seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.cache.store import Store
from salt_g.event.bus import Bus
from salt_g.keys.files import KeyFiles
from salt_g.master.admission.authentication import Authentication
from salt_g.master.admission.sessions import MinionSessions
from salt_g.master.background.presence import Presence
from salt_g.master.calls.runner_calls import RunnerCalls
from salt_g.master.commands import WireCommand
from salt_g.master.returns.return_intake import ReturnIntake
from salt_g.telemetry.metric_registry import Histogram, MetricRegistry
from salt_g.transport.publisher import Publisher
from salt_g.transport.request_server import RequestServer


def timed(commands: Mapping[str, WireCommand], registry: MetricRegistry) -> dict[str, WireCommand]:
    """Return the same commands, wrapped so that their durations are measured."""
    requests = {name: Histogram() for name in commands}
    registry.histogram(
        "salt_g_request_seconds",
        "Duration of minions' requests, by command.",
        requests,
        label="command",
    )
    return {
        name: command._replace(run=_measured(command.run, requests[name].observe))
        for name, command in commands.items()
    }


def add_requests(
    add: MetricRegistry, server: RequestServer, publisher: Publisher, returns: ReturnIntake
) -> None:
    """Register the metrics of the request and publish ports."""
    add.gauge("salt_g_requests_open", "Requests not answered yet.", lambda: len(server))
    add.gauge(
        "salt_g_requests_waiting",
        "Requests waiting for a worker.",
        lambda: dict(zip(("ordinary", "sign_in"), server.waiting, strict=True)),
        label="kind",
    )
    add.counter(
        "salt_g_requests_dropped_total",
        "Messages that were malformed, or arrived while too many were open.",
        lambda: server.dropped,
    )
    add.counter(
        "salt_g_requests_superseded_total",
        "Sign-ins skipped because the minion had sent another.",
        lambda: server.superseded,
    )
    add.counter("salt_g_returns_total", "Returns stored.", lambda: returns.kept)
    add.counter(
        "salt_g_returns_repeated_total",
        "Returns received again.",
        lambda: returns.repeated,
    )
    add.counter("salt_g_publications_total", "Publications sent.", lambda: publisher.sent)
    add.gauge("salt_g_publications_waiting", "Publications waiting to be sent.", lambda: publisher.waiting)


def add_minions(
    add: MetricRegistry,
    keys: KeyFiles,
    sessions: MinionSessions,
    presence: Presence,
    authentication: Authentication,
) -> None:
    """Register the metrics of minions and sign-ins."""
    add.counter(
        "salt_g_sign_ins_total",
        "Sign-ins, by result.",
        lambda: {"accept": 0, **authentication.verdicts},
        label="verdict",
    )
    add.gauge("salt_g_keys_accepted", "Accepted keys.", lambda: len(keys.accepted()))
    add.gauge("salt_g_sessions", "Minions with a session.", lambda: sum(1 for _ in sessions))
    add.gauge(
        "salt_g_minions_connected",
        "Minions with a connection to the publish port.",
        lambda: len(presence.connected()),
    )


def add_inner(add: MetricRegistry, bus: Bus, store: Store, calls: RunnerCalls) -> None:
    """Register the metrics of calls, the event bus and the store."""
    add.gauge("salt_g_calls_running", "Runner and wheel functions.", lambda: len(calls.running()))
    add.counter("salt_g_events_total", "Events fired or relayed.", lambda: bus.fired)
    add.counter("salt_g_events_dropped_total", "Events lost by slow subscribers.", lambda: bus.dropped)
    add.gauge("salt_g_event_subscribers", "Subscribers of the bus.", lambda: len(bus.subscriptions))
    add.gauge(
        "salt_g_events_waiting",
        "Events waiting for the slowest subscriber.",
        lambda: max(map(len, bus.subscriptions), default=0),
    )
    add.gauge("salt_g_store_waiting", "Writes waiting for the disk.", lambda: store.waiting_writes)
    add.counter("salt_g_store_commits_total", "Transactions of the store.", lambda: store.writes[0])
    add.counter("salt_g_store_writes_total", "Writes committed to disk.", lambda: store.writes[1])
    add.counter("salt_g_store_failures_total", "Writes that failed.", lambda: store.writes[2])


def _measured(run: Callable[[Any, Any], Any], observe: Callable[[float], None]) -> Callable[[Any, Any], Any]:
    clock = time.perf_counter

    def measured(request: Any, load: Any) -> Any:
        began = clock()
        try:
            return run(request, load)
        finally:
            observe(clock() - began)

    return measured
