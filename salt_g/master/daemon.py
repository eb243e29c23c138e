"""The master daemon: its parts, their wiring, and the order of start and stop.

Wiring only: a duty receives its dependencies in its constructor and returns its commands; no part receives
the whole master.
Life: `start` (raises the errors that make a start impossible), `supervisor.wait`, `stop`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from salt_g.auth.delays import Delays
from salt_g.auth.local_users import acl_users
from salt_g.auth.logins import Logins
from salt_g.auth.tokens import Tokens
from salt_g.cache.banks import Banks
from salt_g.cache.green_futures import GreenWaiting
from salt_g.cache.jobs import Jobs
from salt_g.cache.resources import ResourceTable
from salt_g.cache.stock_files import StockJobFiles
from salt_g.cache.store import Store
from salt_g.event.bus import Bus
from salt_g.keys.admission import STATES
from salt_g.keys.policy import AutoSettings, Policy
from salt_g.keys.store import KeyStore
from salt_g.master.admission import session_persistence
from salt_g.master.admission.authentication import MAX_SIGN_IN, Authentication, is_sign_in, sign_in_key
from salt_g.master.admission.key_revocation import KeyRevocation
from salt_g.master.admission.master_identity import load_identity, warm_up
from salt_g.master.admission.revoke_auth import RevokeAuth
from salt_g.master.admission.sessions import Sessions
from salt_g.master.background import maintenance, master_metrics
from salt_g.master.background.automation import MasterAutomation
from salt_g.master.background.dashboard import Dashboard
from salt_g.master.background.maintenance_tasks import maintenance_tasks
from salt_g.master.background.presence import Presence
from salt_g.master.calls.authorization import Authorization, Caller
from salt_g.master.calls.call_services import CallServices
from salt_g.master.calls.clear_command_sources import ClearCommandSources
from salt_g.master.calls.clear_commands import ClearCommands
from salt_g.master.calls.ipc_server import IpcServer
from salt_g.master.calls.local_commands import LocalCommands
from salt_g.master.calls.peer import PeerCalls
from salt_g.master.calls.runner_calls import RunnerCalls
from salt_g.master.calls.user_keys import UserKeys
from salt_g.master.commands import merged
from salt_g.master.event_sockets import EventSockets
from salt_g.master.lifecycle import Lifecycle
from salt_g.master.publishing.batches import Batches
from salt_g.master.publishing.expected_returns import ExpectedReturns
from salt_g.master.publishing.job_readers import JobReaders
from salt_g.master.publishing.publication_sender import PublicationSender
from salt_g.master.publishing.publish import JobPublisher
from salt_g.master.publishing.publish_key_rotation import PublishKeyRotation
from salt_g.master.publishing.publish_keys import PublishKeys
from salt_g.master.publishing.restart_barrier import RestartBarrier
from salt_g.master.publishing.subscription_topics import SubscriptionTopics
from salt_g.master.publishing.target_explain import TargetExplain
from salt_g.master.publishing.target_resolution import TargetResolution
from salt_g.master.requests import Requests
from salt_g.master.resources.facade import Resources
from salt_g.master.returns.return_intake import ReturnIntake
from salt_g.master.returns.unpublished_returns import UnpublishedReturns
from salt_g.master.returns.unsolicited_returns import UnsolicitedReturns
from salt_g.master.serving.files import Files, file_server
from salt_g.master.serving.master_opts import MasterOpts
from salt_g.master.serving.mine import Mine
from salt_g.master.serving.minion_data import MinionData
from salt_g.master.serving.minion_data_owner import MinionDataOwners
from salt_g.master.serving.minion_events import MinionEvents
from salt_g.master.serving.pillar_cache import PillarCache
from salt_g.master.serving.pillar_service import PillarService
from salt_g.master.serving.uploads import Uploads, forget_pushed
from salt_g.pillar.git_clones import GitPillars
from salt_g.process import disk, fd_limit
from salt_g.process.offload import offload
from salt_g.process.supervisor import Supervisor
from salt_g.shapes import Opts
from salt_g.telemetry.daemon_metrics import DaemonMetrics
from salt_g.transport.connection_limits import shared_by_ports
from salt_g.transport.publisher import Publisher
from salt_g.transport.request_server import RequestServer
from salt_g.transport.zeromq import endpoint, port_of
from salt_g.wire.auth_server import MasterIdentity

log = logging.getLogger(__name__)

#: Socket in `sock_dir` for our own command line.
LOCAL_SOCKET = "salt_g.ipc"
#: Concurrent request handlers for each of `worker_threads`; a waiting one costs kilobytes.
HANDLERS_PER_WORKER = 64


class Master:
    """Master daemon; `opts` are its settings."""

    def __init__(self, opts: Opts) -> None:
        self.opts = opts
        self.supervisor = Supervisor("master")
        self.metering = DaemonMetrics(opts, self.supervisor)
        self._parts = Lifecycle()
        self._stores()
        self._network()

    def start(self) -> None:
        """Listen on all sockets, the request port last, so that every request can be answered."""
        self._parts.begin(self.store.start, self.store.stop)
        self.local_keys.make()
        self._parts.begin(self.publisher.start, self.publisher.stop)
        self.publish_port = port_of(self.publisher.addresses[0])
        identity = offload(load_identity, self.opts, self.publish_port)
        warm_up(identity)
        self._sessions(identity)
        self.resources.start()
        self._keys_in_use(identity)
        self._restore_sessions()
        self._parts.at_the_end(self._save_sessions)
        self._files_and_pillar(identity)
        self._jobs()
        self._commands_of_minions()
        self._servers()
        maintenance.begin(
            maintenance_tasks(
                self.opts,
                bus=self.bus,
                cut_off=self.cut_off,
                fileserver=self.fileserver,
                git_pillars=self.git_pillars,
                jobs=self.jobs,
                presence=self.presence,
                reconnecting=self.reconnecting,
                stock_files=self.stock_files,
                tokens=self.tokens,
                unsolicited=self.unsolicited,
            ),
            self.supervisor,
        )
        self.supervisor.spawn(self.resources.succession.run, self.outgoing.send, name="succession")
        self._automation().start()
        # Pending publications are sent before the greenlets end, one of which sends them.
        self._parts.at_the_end(self.supervisor.stop, self.publisher.drain)
        self._parts.begin(self.metering.start, self.metering.stop)
        self._parts.begin(self.event_sockets.start, self.event_sockets.stop)
        self._parts.begin(self.local_server.start, self.local_server.stop)
        self._parts.begin(self.request_server.start, self.request_server.stop)
        self.ret_port = port_of(self.request_server.addresses[0])
        log.info("listening on ports %d (publish) and %d (requests)", self.publish_port, self.ret_port)

    def status(self) -> dict[str, Any]:
        """Return the status line for the service manager."""
        return {
            "STATUS": f"{len(self.keys.accepted())} accepted keys",
            "X_RET_PORT": self.ret_port,
            "X_PUBLISH_PORT": self.publish_port,
        }

    def stop(self) -> bool:
        """Stop the parts in reverse order; return whether all pending work was finished in time."""
        return self._parts.end()

    def _stores(self) -> None:
        """Create the persistent components: keys, store, secrets."""
        opts = self.opts
        for name in ("cachedir", "pki_dir", "sock_dir"):
            disk.make_private_directory(opts[name])
        # Stock's salt-run and salt-key write files there and expect the directories to exist.
        disk.make_private_directory(os.path.join(opts["cachedir"], "proc"))
        for state in STATES:
            disk.make_private_directory(os.path.join(opts["pki_dir"], state))
        self.store = Store(opts["cachedir"], waiting=GreenWaiting())
        suffix = f"_{os.getpid()}" if opts["unique_jid"] else ""
        self.jobs = Jobs(self.store, suffix=suffix)
        self.banks = Banks(self.store)
        self.stock_files = StockJobFiles(opts["cachedir"], hash_type=opts["hash_type"])
        self.bus = Bus(max_event_bytes=opts["max_event_size"])
        self.cut_off = KeyRevocation(self.bus)
        self.keys = KeyStore(
            opts["pki_dir"], on_change=self.cut_off.on_change, write=partial(offload, disk.write_whole)
        )
        users = acl_users(opts["publisher_acl"] or {}, verify=opts["client_acl_verify"])
        self.local_keys = UserKeys(opts["cachedir"], opts["user"], users)
        self.tokens = Tokens(opts["token_dir"])
        self.logins = Logins(opts, self.tokens, Delays())

    def _network(self) -> None:
        opts = self.opts
        self.topics = SubscriptionTopics()
        self.topics.allow(self.keys.accepted())
        self._places = shared_by_ports(fd_limit.limit(), opts["max_connections_per_address"])
        self.publisher = Publisher(
            [_address(opts, "publish_port")],
            supervisor=self.supervisor,
            high_water=opts["pub_hwm"],
            may_have=self.topics.may_have,
            places=self._places,
        )
        self.job_readers = JobReaders()
        self.event_sockets = EventSockets(opts, self.bus, self.supervisor, self.job_readers.of)
        self._own_addresses = ClearCommandSources(opts["clear_commands_from"])

    def _sessions(self, identity: MasterIdentity) -> None:
        """Create the components that track minions: sessions, their data, presence."""
        opts = self.opts
        self.publish_keys = PublishKeys(identity.key)
        self.sessions = Sessions(self.keys, lifetime=opts["publish_session"], on_end=self.cut_off.on_end)
        self.minion_data = MinionData(self.banks, keeps=opts["minion_data_cache"])
        self.pillar_cache = PillarCache(opts, self.banks)
        self.presence = Presence(self.sessions, self.publish_port)
        self.owners = MinionDataOwners(self.banks, forget=self._forget)
        self.resources = Resources(
            opts,
            keys=self.keys,
            table=ResourceTable(self.store),
            bus=self.bus,
            pillar_of=self._pillar_of,
        )
        self.expected = TargetResolution(opts, self.keys, self.minion_data, self.resources.members)

    def _keys_in_use(self, identity: MasterIdentity) -> None:
        """Create the components that issue, revoke and publish under keys."""
        opts = self.opts
        self.outgoing = PublicationSender(
            opts,
            key=identity.key,
            publish_keys=self.publish_keys,
            publisher=self.publisher,
            before_sending=self._before_sending,
        )
        self.renewal = PublishKeyRotation(
            sessions=self.sessions,
            publish_keys=self.publish_keys,
            connected=self.presence.connected,
            send=self.outgoing.send_under_previous,
            supervisor=self.supervisor,
        )
        self.cut_off.attach(
            self.sessions,
            self.publish_keys,
            forget=self.owners.end,
            leave=self.owners.leave,
            renew=self.renewal.begin,
        )
        self.reconnecting = RestartBarrier(
            self.banks, self.sessions, self.presence, ask=self._ask_who_is_there
        )
        self.signing_in = Authentication(
            opts,
            identity=identity,
            keys=self.keys,
            policy=Policy(AutoSettings.of(opts)),
            sessions=self.sessions,
            publish_keys=self.publish_keys,
            bus=self.bus,
            connected=self.presence.connected_lately,
            why_reserved=self.resources.registration.why_reserved,
            claim=self.owners.claim,
            on_let_in=self._on_let_in,
        )

    def _on_let_in(self, id: str) -> None:
        self.topics.allow((id,))
        self.renewal.signed_in(id)
        self.reconnecting.note_sign_in(id)

    def _ask_who_is_there(self, ids: Sequence[str]) -> None:
        self.outgoing.send(self.renewal.invitation(ids), ids)

    def _restore_sessions(self) -> None:
        """Restore the sessions of the last run."""
        number = session_persistence.restore_sessions(
            self.opts["cachedir"], self.keys, self.sessions, self.publish_keys
        )
        self.reconnecting.begin()
        log.info("%d sessions of the last run restored", number)

    def _save_sessions(self) -> None:
        """Save the session state for the next run."""
        self.presence.refresh()
        self.reconnecting.note(at_the_end=True)
        session_persistence.save_sessions(self.opts["cachedir"], self.sessions, self.publish_keys)

    def _before_sending(self, ids: Sequence[str]) -> None:
        """Apply revocations and wait for reconnecting minions before a publication is sent."""
        self.reconnecting.wait(ids)
        self.renewal.wait()
        self.cut_off.before_sending()

    def _files_and_pillar(self, identity: MasterIdentity) -> None:
        """Create the components that serve files and pillar."""
        opts = self.opts
        self.fileserver = file_server(opts)
        self.pillars = PillarService(
            opts,
            bus=self.bus,
            data=self.minion_data,
            cache=self.pillar_cache,
            master_key=identity.key,
            minion_key=self.sessions.public_key,
        )
        self.git_pillars = GitPillars(opts)
        self.resources.serve_pillars(self.pillars, self._data_of)
        self.mine = Mine(opts, banks=self.banks, keys=self.keys, expected=self.expected)

    def _jobs(self) -> None:
        """Create the components that run jobs, runner and wheel calls, and authorize them."""
        opts, bus = self.opts, self.bus
        self.running = ExpectedReturns(self.jobs, is_owned=self.owners.has)
        self.publishing = JobPublisher(
            opts,
            jobs=self.jobs,
            running=self.running,
            stock_files=self.stock_files,
            bus=bus,
            expected=self.expected,
            outgoing=self.outgoing,
            resource_jobs=self.resources.jobs,
            readers=self.job_readers,
        )
        self.batches = Batches(
            opts,
            answer=self._answer_local,
            bus=bus,
            jobs=self.jobs,
            supervisor=self.supervisor,
            readers=self.job_readers,
        )
        self.offered = CallServices(
            opts, answer=self._answer_local, bus=bus, jobs=self.jobs, services=self._services()
        )
        self.calls = RunnerCalls(
            opts,
            bus=bus,
            jobs=self.jobs,
            supervisor=self.supervisor,
            make_client=self.offered.client,
            readers=self.job_readers,
            **self.offered.services,
        )
        self.permits = Authorization(opts, self.local_keys, logins=self.logins, resolve=self._resolve)
        self.clear = ClearCommands(
            permits=self.permits,
            publishing=self.publishing,
            calls=self.calls,
            is_local=self._own_addresses.__contains__,
            has_readers=self.event_sockets.is_open,
        )

    def _commands_of_minions(self) -> None:
        """Create the duties that serve minions, and the table of their commands."""
        opts, bus = self.opts, self.bus
        self.unsolicited = UnsolicitedReturns(self.banks)
        own = UnpublishedReturns(int(opts["keep_jobs_bytes"]), remove=self.jobs.remove_own)
        for jid, id, size in self.jobs.walk_own():
            own.add(id, jid, size)
        self.returns = ReturnIntake(
            opts,
            jobs=self.jobs,
            own=own,
            running=self.running,
            unsolicited=self.unsolicited,
            bus=bus,
            sessions=self.sessions,
            remapping=self.resources.remapping,
            asked_about=self.resources.jobs.asked_about,
            is_invitation=self._is_sign_of_life,
        )
        peer = PeerCalls(
            opts,
            publishing=self.publishing,
            calls=self.calls,
            expected=self.expected,
            jobs=self.jobs,
            banks=self.banks,
            bus=bus,
            is_owned=self.owners.has,
        )
        duties = (
            self.returns,
            MinionEvents(bus),
            self.pillars,
            Files(self.fileserver),
            Uploads(opts),
            self.mine,
            MasterOpts(opts, self.fileserver.envs),
            peer,
            self.resources,
            RevokeAuth(opts, self.keys),
        )
        self.commands = master_metrics.timed(
            merged(*(duty.commands() for duty in duties)), self.metering.registry
        )

    def _servers(self) -> None:
        opts, handlers = self.opts, max(1, self.opts["worker_threads"]) * HANDLERS_PER_WORKER
        handler = Requests(
            opts,
            sessions=self.sessions,
            publish_keys=self.publish_keys,
            commands=self.commands,
            sign_in=self.signing_in.answer,
            clear=self.clear.answer,
            is_local=self._own_addresses.__contains__,
            check=self.renewal.check,
            most_of_one=handlers // 4,
        )
        self.request_server = RequestServer(
            handler,
            [_address(opts, "ret_port")],
            supervisor=self.supervisor,
            places=self._places,
            workers=handlers,
            is_costly=is_sign_in,
            asks=sign_in_key,
            costly_size=MAX_SIGN_IN,
        )
        top = Dashboard(opts, self.metering.registry, self.keys, self.presence, self.running, self.jobs)
        self.local_commands = LocalCommands(
            clear=self.clear.serve,
            presence=self.presence,
            resources=self.resources,
            expected=self.expected,
            jobs=self.jobs,
            batches=self.batches,
            top=top.snapshot,
        )
        self.local_server = IpcServer(
            os.path.join(opts["sock_dir"], LOCAL_SOCKET),
            answer=self.local_commands.answer,
            bus=self.bus,
            supervisor=self.supervisor,
            is_open=bool(opts["publisher_acl"] or opts["external_auth"]),
        )
        master_metrics.add_requests(self.metering.registry, self.request_server, self.publisher, self.returns)
        master_metrics.add_minions(
            self.metering.registry, self.keys, self.sessions, self.presence, self.signing_in
        )
        master_metrics.add_inner(self.metering.registry, self.bus, self.store, self.calls)

    def _answer_local(self, load: dict[str, Any], caller: Caller) -> Any:
        """Answer a batch's or a call's command, itself one of the local socket's commands."""
        return self.local_commands.answer(load, caller)

    def _automation(self) -> MasterAutomation:
        """Create the components that act on their own: reactor, schedule, engines, returners."""
        return MasterAutomation(
            self.opts,
            bus=self.bus,
            calls=self.calls,
            make_client=self.offered.client,
            context=partial(self.offered.context, self.calls),
            supervisor=self.supervisor,
        )

    def _services(self) -> dict[str, Any]:
        """Return the services of runners and wheel functions, by the names of `daemon_services.py`."""
        return {
            "banks": self.banks,
            "batches": self.batches,
            "keys": self.keys,
            "logins": self.logins,
            "metrics": self.metering.registry,
            "presence": self.presence,
            "fileserver": self.fileserver,
            "git_pillars": self.git_pillars,
            "minion_data": self.minion_data,
            "minion_pillars": self.pillars,
            "mine": self.mine,
            "targets": self.expected,
            "resources": self.resources,
            "explaining": TargetExplain(self.expected, self.banks, nodegroups=self.opts["nodegroups"] or {}),
        }

    def _is_sign_of_life(self, jid: Any) -> bool:
        """Return whether a return with this jid only shows that a minion is connected."""
        return self.renewal.is_invitation(jid) or self.resources.succession.is_message(jid)

    def _forget(self, id: str) -> None:
        """Drop everything known of a minion whose key was removed."""
        self.topics.forget(id)
        self.minion_data.forget(id)
        self.resources.registration.forget(id)
        self.pillar_cache.forget(id)
        forget_pushed(self.opts["cachedir"], id)

    def _resolve(self, tgt: Any, tgt_type: str, delimiter: str, greedy: bool) -> frozenset[str]:
        """Return the ids of a target, for permission checks."""
        meant = self.expected.resolve_all(tgt, tgt_type, delimiter=delimiter, greedy=greedy)
        return frozenset(meant.minions)

    def _pillar_of(self, id: str) -> Mapping[str, Any]:
        """Return the pillar that this master has for a minion; compile it if none is cached."""
        return self._data_of(id)[1]

    def _data_of(self, id: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Return (grains, pillar) of a minion as known to this master."""
        grains: Mapping[str, Any] = {"id": id}
        return self.minion_data.get(id) or (grains, self.pillars.compile_for(id, grains))


def _address(opts: Mapping[str, Any], name: str) -> str:
    return endpoint(opts["interface"], opts[name] or "*")
