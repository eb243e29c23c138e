"""Execution of runner and wheel functions, with events and results in the job cache.

The command line, the reactor, the schedule, engines, peers and runners themselves all call through here, so
each call has a jid, events and one form of result.
Shapes: the outcome of a call is the data of its `ret` event: {fun, jid, user, fun_args, return, success,
_stamp,
retcode}, the last only when the call failed.
Errors: none leave `outcome`; an exception of a plugin is text in its `return`.
Source: wire specification, section 10.3; texts are stock's.
"""

from __future__ import annotations

import datetime
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from salt_g.api import CallContext
from salt_g.cache.jobs import Jobs
from salt_g.data.jid import is_jid
from salt_g.errors import StoreError, WireError
from salt_g.event import tags
from salt_g.event.bus import Bus
from salt_g.master.calls.call_clients import CallClients
from salt_g.master.calls.call_context import master_context
from salt_g.master.calls.plugin_call import ORCHESTRATIONS, call_function
from salt_g.master.publishing.job_readers import JobReaders
from salt_g.process.secret_hiding import hide
from salt_g.process.supervisor import Supervisor
from salt_g.shapes import Arguments, Opts
from salt_g.shapes.loads import CallEvent, EventFields, JobLoad
from salt_g.wire.events import stamp

log = logging.getLogger(__name__)

#: Kinds of calls as named in their tags.
_KINDS = {"runner": "run", "wheel": "wheel"}
_TAGS: dict[str, Callable[..., str]] = {"runner": tags.run, "wheel": tags.wheel}

#: Arguments that only the function may see, and their replacement in events.
_SECRETS = frozenset(("password", "token"))
HIDDEN = "**********"
#: Largest outcome of a runner that is sent whole (bytes): its caller learns it from its event alone, which
#: readers of the bus accept up to 16 MiB.
MAX_RESULT = 15 * 1024 * 1024
#: Runners that return a secret; the event carries it to the caller, and it is never written to disk.
_NOT_KEPT = frozenset(("auth.mk_token",))


class _Call(NamedTuple):
    """Call of one function; `kind` is runner or wheel, `timeout` is for its minions."""

    kind: str
    fun: str
    args: list[Any]
    kwargs: Arguments
    user: str
    jid: str
    timeout: float | None = None

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


class JobProgress:
    """Progress events of a running call; implements `services.daemons.Progress`."""

    def __init__(self, bus: Bus, tag: Callable[[str], str]) -> None:
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
        make_client: Callable[[str], Any],
        readers: JobReaders | None = None,
        **services: Any,
    ) -> None:
        """Initialize; `make_client(user)` returns a job client; `services` are further services."""
        self._make_client = make_client
        self._readers = readers or JobReaders()
        self._opts = opts
        self._bus = bus
        self._jobs = jobs
        self._supervisor = supervisor
        self._services = services
        self._running: dict[str, CallEvent] = {}
        #: Called before each call, with its jid and what is known of it, and after its outcome was told.
        self.on_begin: Callable[[str, dict[str, Any]], None] = lambda jid, about: None
        self.on_end: Callable[[str], None] = lambda jid: None

    def run(self, kind: str, fun: str, args: Sequence[Any], kwargs: Mapping[str, Any], *, user: str) -> Any:
        """Run a function and return its return value."""
        return self.outcome(kind, fun, args, kwargs, user=user)["return"]

    def start(
        self,
        kind: str,
        fun: str,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        *,
        user: str,
        timeout: float | None = None,
        jid: str = "",
        uid: int | None = None,
    ) -> dict[str, str]:
        """Start a function and return {tag, jid} to follow it by; `timeout` is for its minions.

        `jid` is one that the caller chose; raises WireError if it is not a jid or is already in use. `uid` is
        the local user who may read its events, besides those who read all.
        """
        if jid:
            self._check_jid(jid)
        call = self._call(kind, fun, args, kwargs, user=user, jid=jid)._replace(timeout=timeout)
        self._readers.note(_KINDS[kind], call.jid, uid)
        self._supervisor.spawn(self._finish_alone, call, name=f"{kind} {fun} {call.jid}")
        return {"tag": call.tag(), "jid": call.jid}

    def outcome(
        self,
        kind: str,
        fun: str,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        *,
        user: str,
        jid: str = "",
        uid: int | None = None,
    ) -> CallEvent:
        """Run a function and return its outcome; `uid` as in `start`."""
        call = self._call(kind, fun, args, kwargs, user=user, jid=jid)
        self._readers.note(_KINDS[kind], call.jid, uid)
        return self._finish(call)

    def running(self) -> list[CallEvent]:
        """Return {fun, jid, user, fun_args, pid, _stamp} of each running call, oldest first."""
        return [self._running[jid] for jid in sorted(self._running)]

    def _call(
        self,
        kind: str,
        fun: str,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        *,
        user: str,
        jid: str = "",
    ) -> _Call:
        jid = jid or self._jobs.new_jid()
        call = _Call(kind, fun, list(args), dict(kwargs), user, jid)
        if kind == "runner" and fun in ORCHESTRATIONS:
            call.kwargs.setdefault("orchestration_jid", jid)
        return call

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

    def _finish(self, call: _Call) -> CallEvent:
        told = call.event_data(self._opts.get("pillar_secrets"))
        self._running[call.jid] = {**told, "pid": os.getpid(), "_stamp": _now()}
        is_kept = (
            call.kind == "runner"
            and call.fun not in _NOT_KEPT
            and bool(self._opts.get("runner_returns", True))
        )
        self.on_begin(call.jid, {**told, "tag": call.tag("ret"), "is_kept": is_kept})
        clients = CallClients(lambda: self._make_client(call.user))
        try:
            context = self._context(call, clients)
            result = call_function(
                context,
                call.kind,
                call.fun,
                call.args,
                call.kwargs,
                before=lambda: self._bus.fire(call.tag("new"), told),
            )
        finally:
            del self._running[call.jid]
            clients.destroy()
        outcome: CallEvent = {**told, **result, "_stamp": _now()}
        if is_kept:
            self._keep(call, hide(outcome))
        for place in context.scratch.get("places", ()) if call.kind == "runner" else ():
            # What to do about mistakes in files of the tree: `salt-g run` prints it beside the result.
            self._bus.fire(call.tag("warning"), hide({"text": place}))
        most = MAX_RESULT if call.kind == "runner" else 0
        self._bus.fire_large(call.tag("ret"), hide(outcome), most=most)
        self.on_end(call.jid)
        log.info("%s: %s of %s completed", call.jid, told["fun"], call.user)
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
            log.error("%s: cannot be saved to the job cache: %s", call.jid, exc)

    def _context(self, call: _Call, clients: CallClients) -> CallContext:
        context = master_context(
            {**self._opts, "timeout": call.timeout or self._opts["timeout"]},
            events=self._bus,
            job_cache=self._jobs,
            calls=self,
            client=clients,
            progress=JobProgress(self._bus, partial(call.tag)),
            **self._services,
        )
        job = {"jid": call.jid, "fun": call.fun, "arg": call.args, "user": call.user, "pid": os.getpid()}
        return context.replace(job=job)


def _now() -> str:
    return stamp(datetime.datetime.now(datetime.timezone.utc))
