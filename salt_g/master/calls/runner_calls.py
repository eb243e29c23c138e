"""Execution of runner and wheel functions, with events and results in the job cache.

The command line, the reactor, the schedule, engines, peers and runners themselves all call through here, so
each call has a jid, events and one form of result.
Shapes: the outcome of a call is the data of its `ret` event: {fun, jid, user, fun_args, return, success,
_stamp, retcode}, the last only if the function raised or could not be called.
Errors: `outcome` raises none; an exception in a plugin becomes text in `return`.
Source: wire specification, section 10.3; texts are stock's.
"""

from __future__ import annotations

import datetime
import logging
import os
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from salt_g.api import CallContext
from salt_g.cache.jobs import Jobs
from salt_g.data.jid import is_jid
from salt_g.data.run_record import NO_HOOKS, RunHooks, RunRecord
from salt_g.errors import StoreError, WireError
from salt_g.event import tags
from salt_g.event.bus import Bus, Subscription
from salt_g.event.ring import Event
from salt_g.master.calls.call_clients import CallClients
from salt_g.master.calls.call_context import master_context
from salt_g.master.calls.kept_orchestration import KeptCalls, KeptOrchestration
from salt_g.master.calls.plugin_call import ORCHESTRATIONS, RESUMED, call_function
from salt_g.master.publishing.job_readers import JobReaders
from salt_g.process.secret_hiding import hide
from salt_g.process.supervisor import Supervisor
from salt_g.shapes import Arguments, MasterCall, Opts
from salt_g.shapes.loads import CallEvent, EventFields, JobLoad
from salt_g.wire.events import stamp

log = logging.getLogger(__name__)

#: Kinds of calls as named in their tags.
_KINDS = {"runner": "run", "wheel": "wheel"}
_TAGS: dict[str, Callable[..., str]] = {"runner": tags.run, "wheel": tags.wheel}
#: Prefix of the tags of a call's events, which contain the arguments of the calls inside it.
_OF_CALLS = "salt/run/"

#: Arguments that only the function may see, and their replacement in events.
_SECRETS = frozenset(("password", "token"))
HIDDEN = "**********"
#: Largest outcome of a runner that is sent whole (bytes). The caller learns the outcome from its event alone,
#: and readers of the bus accept events up to 16 MiB.
MAX_RESULT = 15 * 1024 * 1024
#: Runners that return a secret; the event carries it to the caller, and it is never written to disk.
_NOT_KEPT = frozenset(("auth.mk_token",))


class _Call(NamedTuple):
    """Running call of one function; `timeout` limits the wait for its minions."""

    kind: str
    fun: str
    args: list[Any]
    kwargs: Arguments
    user: str
    jid: str
    timeout: float | None = None
    #: Record of the call's progress, None if the call cannot be resumed.
    record: RunRecord | None = None
    is_resumed: bool = False
    #: Whether the call is already recorded; calls inside an orchestration are part of its record.
    is_noted: bool = False
    is_inside: bool = False

    def tag(self, moment: str = "") -> str:
        """Return the tag of this call: of `new`, `ret` or a progress event."""
        return _TAGS[self.kind](self.jid, moment)

    def event_data(self, pillar_secrets: Any = ()) -> CallEvent:
        """Return the event data of this call, without secrets."""
        shown = {name: HIDDEN if name in _SECRETS else value for name, value in self.kwargs.items()}
        fun_args = [*self.args, shown] if shown else list(self.args)
        if pillar_secrets:
            from salt_g.pillar.secret_paths import without_secrets  # Imported lazily: for secrets only.

            fun_args = without_secrets(fun_args, pillar_secrets)
        return {"fun": f"{self.kind}.{self.fun}", "jid": self.jid, "user": self.user, "fun_args": fun_args}

    def to_resume(self) -> dict[str, Any] | None:
        """Return the data to resume this call, None if calls of this function are not resumed."""
        if self.kind != "runner" or self.fun not in RESUMED:
            return None
        fields = ("fun", "args", "kwargs", "user", "timeout")
        return {name: getattr(self, name) for name in fields}


class JobProgress:
    """Progress events of a running call; implements `services.daemons.Progress`."""

    def __init__(self, bus: CallEvents, tag: Callable[[str], str]) -> None:
        self._bus = bus
        self._tag = tag

    def fire(self, data: EventFields, suffix: str = "progress") -> None:
        """Fire an event below the tag of the call."""
        self._bus.fire(self._tag(suffix), data)

    def write(self, text: str) -> None:
        """Print text on the command line that waits for the call."""
        self.fire({"text": text}, "output")


class RunnerCalls:
    """Runner and wheel functions of one master; implements `services.daemons.Calls`."""

    def __init__(
        self,
        opts: Opts,
        *,
        bus: Bus,
        jobs: Jobs,
        supervisor: Supervisor,
        make_client: Callable[..., Any],
        readers: JobReaders | None = None,
        hooks: RunHooks = NO_HOOKS,
        **services: Any,
    ) -> None:
        """Initialize; `make_client(user)` returns a job client.

        For an orchestration that can be resumed, `make_client` also gets its `KeptOrchestration`.
        `services` are added to the context of each call, under their names in `services/daemons.py`.
        """
        self._make_client = make_client
        self._readers = readers or JobReaders()
        self._opts = opts
        self._bus = bus
        self._jobs = jobs
        self._supervisor = supervisor
        self._services = services
        self._running: dict[str, CallEvent] = {}
        self._hooks = hooks

    def run(self, call: MasterCall) -> Any:
        """Run a function and return its return value."""
        return self.outcome(call)["return"]

    def start(self, call: MasterCall, *, timeout: float | None = None) -> dict[str, str]:
        """Start a function; return {tag, jid} to follow it. `timeout` limits the wait for its minions.

        Raise WireError if the jid of the call is invalid or already in use.
        """
        if call.jid:
            self._check_jid(call.jid)
        begun = self._begun(call)._replace(timeout=timeout)
        if begun.to_resume() is not None:
            # Recorded before the caller knows the jid, so that an accepted call can be resumed.
            begun = self._noted(begun)
        self._supervisor.spawn(self._finish_alone, begun, name=f"{begun.kind} {begun.fun} {begun.jid}")
        return {"tag": begun.tag(), "jid": begun.jid}

    def outcome(self, call: MasterCall) -> CallEvent:
        """Run a function and return its outcome."""
        return self._finish(self._begun(call))

    def outcome_inside(self, call: MasterCall, *, record: RunRecord | None, is_resumed: bool) -> CallEvent:
        """Run a function for an orchestration that has recorded it; `record` is the function's own record."""
        begun = self._begun(call)
        inside = begun._replace(record=record, is_resumed=is_resumed, is_noted=True, is_inside=True)
        return self._finish(inside)

    def resume(self, jid: str, noted: Any, record: RunRecord, settle: Callable[[], None]) -> bool:
        """Resume an orchestration of a master that ended; return False if it cannot be resumed here.

        `noted` is the data recorded when it began; `settle` waits for the minions of that master.
        """
        if jid in self._running:
            return False
        begun = self._begun(
            MasterCall("runner", noted["fun"], noted["args"], noted["kwargs"], noted["user"], jid)
        )
        call = begun._replace(timeout=noted["timeout"], record=record, is_resumed=True, is_noted=True)

        def go_on() -> None:
            settle()
            self._finish_alone(call)

        self._supervisor.spawn(go_on, name=f"runner {call.fun} {jid}")
        return True

    def running(self) -> list[CallEvent]:
        """Return {fun, jid, user, fun_args, pid, _stamp} of each running call, oldest first."""
        return [self._running[jid] for jid in sorted(self._running)]

    def _begun(self, call: MasterCall) -> _Call:
        """Return a call with a jid, and register its user as a reader of its events."""
        jid = call.jid or self._jobs.new_jid()
        begun = _Call(call.kind, call.fun, list(call.args), dict(call.kwargs), call.user, jid)
        if call.kind == "runner" and call.fun in ORCHESTRATIONS:
            begun.kwargs.setdefault("orchestration_jid", jid)
        self._readers.note(_KINDS[call.kind], jid, call.uid)
        return begun

    def _check_jid(self, jid: str) -> None:
        if not is_jid(jid):
            raise WireError(f"{jid!r} is not a valid JID")
        if jid in self._running or self._jobs.get_load(jid):
            raise WireError(f"there is another job with the jid {jid}")

    def _finish_alone(self, call: _Call) -> None:
        """Finish a call without a waiting caller."""
        try:
            self._finish(call)
        # Output of a plugin that cannot be sent must not end the daemon.
        except Exception:
            log.exception("%s: %s %s could not be finished", call.jid, call.kind, call.fun)

    def _noted(self, call: _Call) -> _Call:
        """Record that a call begins; return the call with its record."""
        if call.is_noted:
            return call
        data = call.event_data(self._opts.get("pillar_secrets"))
        about = {**data, "tag": call.tag("ret"), "is_kept": self._is_kept(call)}
        return call._replace(record=self._hooks.begin(call.jid, about, call.to_resume()), is_noted=True)

    def _is_kept(self, call: _Call) -> bool:
        is_runner = call.kind == "runner" and call.fun not in _NOT_KEPT
        return is_runner and bool(self._opts.get("runner_returns", True))

    def _finish(self, call: _Call) -> CallEvent:
        data = call.event_data(self._opts.get("pillar_secrets"))
        self._running[call.jid] = {**data, "pid": os.getpid(), "_stamp": _now()}
        call = self._noted(call)
        record = call.record
        kept = None
        if record is not None:
            recipients, wait = self._hooks.recipients, self._hooks.wait_for_jobs
            kept = KeptOrchestration(record, self._jobs, recipients, wait_for_jobs=wait)
        clients = CallClients(lambda: self._client(call.user, kept))
        try:
            context = self._context(call, clients, kept)
            result = call_function(
                context,
                call.kind,
                call.fun,
                call.args,
                call.kwargs,
                before=lambda: call.is_resumed or self._bus.fire(call.tag("new"), data),
            )
        finally:
            del self._running[call.jid]
            clients.destroy()
        outcome: CallEvent = {**data, **result, "_stamp": _now()}
        if record is not None and record.is_taken:
            log.warning("%s: another master, or this one after a restart, will resume the call", call.jid)
            self._bus.fire(call.tag("left"), {"jid": call.jid})
            return outcome
        if self._is_kept(call):
            self._keep(call, hide(outcome))
        for place in context.scratch.get("places", ()) if call.kind == "runner" else ():
            # Hints on mistakes in files of the tree, which `salt-g run` prints beside the result.
            self._bus.fire(call.tag("warning"), hide({"text": place}))
        most = MAX_RESULT if call.kind == "runner" else 0
        self._bus.fire_large(call.tag("ret"), hide(outcome), most=most)
        if not call.is_inside:
            self._hooks.end(call.jid)
        log.info("%s: %s of %s completed", call.jid, data["fun"], call.user)
        return outcome

    def _keep(self, call: _Call, outcome: CallEvent) -> None:
        """Save a runner call and its outcome to the job cache, as stock does."""
        id = str(self._opts["id"])
        load: JobLoad = {
            "fun": outcome["fun"],
            "jid": call.jid,
            "user": call.user,
            "arg": [],
            "tgt": id,
            "tgt_type": "list",
        }
        try:
            self._jobs.save_load(call.jid, load)
            self._jobs.save_return({"jid": call.jid, "id": id, "return": dict(outcome)})
        except StoreError as exc:
            log.error("cannot save %s to the job cache: %s", call.jid, exc)

    def _client(self, user: str, kept: KeptOrchestration | None) -> Any:
        return self._make_client(user) if kept is None else self._make_client(user, kept)

    def _context(self, call: _Call, clients: CallClients, kept: KeptOrchestration | None) -> CallContext:
        events = CallEvents(self._bus, self._opts.get("pillar_secrets"))
        context = master_context(
            {**self._opts, "timeout": call.timeout or self._opts["timeout"]},
            events=events,
            job_cache=self._jobs,
            calls=self if kept is None else KeptCalls(self, self.outcome_inside, kept),
            client=clients,
            progress=JobProgress(events, partial(call.tag)),
            **self._services,
        )
        if kept is not None:
            context.services.states.record = kept.record
        job = {"jid": call.jid, "fun": call.fun, "arg": call.args, "user": call.user, "pid": os.getpid()}
        return context.replace(job=job)


def _now() -> str:
    return stamp(datetime.datetime.now(datetime.timezone.utc))


class CallEvents:
    """Event bus of one call, see `services.protocols.Events`; it strips secrets of pillar from events.

    `patterns` is the setting `pillar_secrets`.
    """

    def __init__(self, bus: Bus, patterns: Any) -> None:
        self._bus = bus
        self._patterns = patterns

    def fire(self, tag: str, data: EventFields) -> Event:
        """Fire an event; hide known secrets, and secret values in the `pillar` arguments of calls."""
        if self._patterns and tag.startswith(_OF_CALLS):
            from salt_g.pillar.secret_paths import without_secrets  # Imported lazily: for secrets only.

            data = without_secrets(data, self._patterns)
        return self._bus.fire(tag, hide(data))

    def watch(self, tag: str = "", way: str = "startswith") -> Subscription:
        """Subscribe to the events whose tags match `tag`, from now on."""
        return self._bus.watch(tag, way)
