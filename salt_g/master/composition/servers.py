"""Servers of a master: the request port for minions' commands, the local socket for users' commands."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from salt_g.master.admission.authentication import MAX_SIGN_IN, is_sign_in, sign_in_key
from salt_g.master.admission.revoke_auth import RevokeAuth
from salt_g.master.admission.sessions import MinionSession
from salt_g.master.background import master_metrics
from salt_g.master.background.dashboard import Dashboard
from salt_g.master.calls.client_queries import Query
from salt_g.master.calls.front_end import FrontEndServer
from salt_g.master.calls.front_end_commands import FrontEndCommands
from salt_g.master.calls.ipc_server import IpcServer
from salt_g.master.calls.local_commands import LocalCommands
from salt_g.master.calls.peer import PeerCalls
from salt_g.master.commands import WireCommand, merged
from salt_g.master.composition.admission import Admission
from salt_g.master.composition.calls import CallParts
from salt_g.master.composition.network import NetworkParts, address
from salt_g.master.composition.persistence import Persistence
from salt_g.master.composition.publishing import Publishing
from salt_g.master.composition.returns import Returns
from salt_g.master.composition.served_data import Serving
from salt_g.master.composition.targeting import Targeting
from salt_g.master.composition.views import compose_views
from salt_g.master.fleet.views import Views
from salt_g.master.requests import Requests
from salt_g.master.serving.files import Files
from salt_g.master.serving.master_opts import MasterOpts
from salt_g.master.serving.minion_events import MinionEvents
from salt_g.master.serving.uploads import Uploads
from salt_g.master.settings import PeerSettings, RequestSettings, UploadSettings
from salt_g.shapes import Opts
from salt_g.telemetry.metric_registry import MetricRegistry
from salt_g.transport.protocols import Arrival
from salt_g.transport.request_server import RequestLimits, RequestServer
from salt_g.wire.envelope import Envelope
from salt_g.wire.requests import SealedRequest

if TYPE_CHECKING:
    from salt_g.master.cluster.cluster import Cluster

#: Handler of sign-ins, and a check of requests that raises to refuse one.
SignInHandler = Callable[[Envelope, Arrival], bytes]
RequestCheck = Callable[[MinionSession, SealedRequest], None]
#: Socket in `sock_dir` for our own command line.
LOCAL_SOCKET = "salt_g.ipc"
#: Socket in `sock_dir` for front ends: the HTTP API.
FRONT_END_SOCKET = "salt_g_api.ipc"
#: Concurrent request handlers for each of `worker_threads`; a waiting one costs kilobytes.
HANDLERS_PER_WORKER = 64


@dataclass(frozen=True)
class Servers:
    """Servers, not started yet; the request port starts last, when every request can be answered.

    Front ends need `external_auth`, because they send only orders of its users.
    """

    local: IpcServer
    front_ends: FrontEndServer | None
    requests: RequestServer


def compose_servers(
    opts: Opts,
    persistence: Persistence,
    network: NetworkParts,
    publishing: Publishing,
    serving: Serving,
    targeting: Targeting,
    admission: Admission,
    returns: Returns,
    calls: CallParts,
    *,
    metrics: MetricRegistry,
    cluster: Cluster | None = None,
) -> Servers:
    """Create the commands of minions and users, and the servers that receive them."""
    duties = (
        returns.intake,
        returns.plans,
        MinionEvents(network.bus, on_start=partial(_note_start, publishing)),
        serving.pillars,
        Files(serving.fileserver),
        Uploads(UploadSettings.of(opts)),
        targeting.mine,
        MasterOpts(opts, serving.fileserver.envs),
        _peer_calls(opts, persistence, network, targeting, admission, calls),
        targeting.registration,
        targeting.resources,
        RevokeAuth(admission.keys, is_allowed=bool(opts["allow_minion_key_revoke"])),
    )
    commands = master_metrics.timed(merged(*(duty.commands() for duty in duties)), metrics)
    top = Dashboard(
        str(opts["id"]),
        metrics,
        persistence.key_files,
        publishing.presence,
        returns.expected,
        persistence.jobs,
        publishing.everywhere.connected,
    )
    trusted: Mapping[str, Query] = {
        **calls.queries,
        **calls.tokens.of_root(),
        "run_active": partial(_is_run_active, calls),
        "top": top.snapshot,
    }
    local = LocalCommands(clear=calls.clear.serve, trusted=trusted, batches=calls.batches)
    views = compose_views(opts, persistence, publishing, serving, targeting, returns, calls)
    return Servers(
        local=IpcServer(
            os.path.join(opts["sock_dir"], LOCAL_SOCKET),
            answer=local.answer,
            bus=network.bus,
            supervisor=network.supervisor,
            is_open=bool(opts["publisher_acl"] or opts["external_auth"]),
        ),
        front_ends=_front_end_server(opts, network, calls, views) if opts["external_auth"] else None,
        requests=_request_server(opts, network, publishing, admission, calls, commands, cluster),
    )


def _is_run_active(calls: CallParts, load: Mapping[str, Any]) -> bool:
    jid = str(load.get("jid"))
    return calls.batches.is_active(jid) or calls.rollouts.rollouts.is_active(jid)


def _note_start(publishing: Publishing, id: str) -> None:
    """Notify the parts that wait for the start of a minion."""
    publishing.newcomers.note_started(id)
    publishing.listeners.started(id)


def _front_end_server(opts: Opts, network: NetworkParts, calls: CallParts, views: Views) -> FrontEndServer:
    of_users = {**views.commands(), **calls.tokens.of_users()}
    commands = FrontEndCommands(
        calls.permissions.authorization, clear=calls.clear.serve, queries=calls.queries, views=of_users
    )
    return FrontEndServer(
        os.path.join(opts["sock_dir"], FRONT_END_SOCKET),
        answer=commands.answer,
        bus=network.bus,
        supervisor=network.supervisor,
        user=opts["api_user"],
    )


def _peer_calls(
    opts: Opts,
    persistence: Persistence,
    network: NetworkParts,
    targeting: Targeting,
    admission: Admission,
    calls: CallParts,
) -> PeerCalls:
    return PeerCalls(
        PeerSettings.of(opts),
        publishing=calls.publisher,
        calls=calls.runner_calls,
        expected=targeting.targets,
        jobs=persistence.jobs,
        banks=persistence.banks,
        bus=network.bus,
        is_owned=admission.owners.has,
        audit=calls.permissions.audit,
    )


def _request_server(
    opts: Opts,
    network: NetworkParts,
    publishing: Publishing,
    admission: Admission,
    calls: CallParts,
    commands: Mapping[str, WireCommand],
    cluster: Cluster | None,
) -> RequestServer:
    handlers = max(1, opts["worker_threads"]) * HANDLERS_PER_WORKER
    sign_in: SignInHandler = admission.authentication.answer
    check: RequestCheck = publishing.rotation.check
    if cluster is not None:
        sign_in, check = cluster.fence.sign_in(sign_in), cluster.fence.check(check)
    handler = Requests(
        RequestSettings.of(opts),
        sessions=publishing.sessions,
        publish_keys=publishing.keys,
        commands=commands,
        sign_in=sign_in,
        clear=calls.clear.answer,
        is_local=network.clear_command_sources.__contains__,
        check=check,
        most_of_one=handlers // 4,
    )
    return RequestServer(
        handler,
        [address(opts, "ret_port")],
        supervisor=network.supervisor,
        places=network.limits,
        carrier=network.carrier,
        limits=RequestLimits(workers=handlers, costly_size=MAX_SIGN_IN),
        is_costly=is_sign_in,
        asks=sign_in_key,
    )
