"""Clear commands of stock's command line and its Python client.

They are authorized by keys and passwords in the load, not by a session, and sent unencrypted; so they are
accepted from this host only, unless a setting allows others.
Shapes: replies are plain values, except that of `publish`, which has an envelope.
Source: wire specification, section 10.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.auth.limited_jobs import without_daemon_fields
from salt_g.auth.permissions import FunctionCall
from salt_g.errors import WireError
from salt_g.event import tags
from salt_g.master.calls.authorization import Allowed, Authorization, CommandCaller, NotAuthorized
from salt_g.master.calls.plugin_call import jid_of, split_load, timeout_of
from salt_g.master.publishing.publish import JobPublisher
from salt_g.services.daemons import Calls
from salt_g.shapes import Arguments, MasterCall
from salt_g.shapes.loads import LoadFields, PublishReply
from salt_g.transport.loopback_tcp import user_behind
from salt_g.transport.protocols import Arrival
from salt_g.wire.load_summary import LoadSummary
from salt_g.wire.packing import pack

log = logging.getLogger(__name__)

#: Fields of a runner or wheel load that are not arguments of the function.
_NO_ARGUMENTS = frozenset(
    ("cmd", "fun", "key", "user", "token", "eauth", "username", "password", "client", "print_event")
)
#: Commands whose sender must be known: the sender may read the events that they cause, and failed logins
#: count against the sender.
_ORDERS = ("publish", "runner", "wheel", "mk_token", "get_token")
#: Handler of one command: (load, sender) to a reply.
Serve = Callable[[Mapping[str, Any], CommandCaller], Any]
#: Publisher of a job that is kept for minions which are away: (load, user, local user) to the reply.
Keep = Callable[[LoadFields, Allowed, "int | None"], PublishReply]
#: Field of `kwargs` that asks to keep a job for minions that are away.
WHEN_BACK = "when_back"


class ClearCommands:
    """Handler of clear commands; `commands` come from `PublishCommands` and `CallCommands`."""

    def __init__(
        self,
        commands: Mapping[str, Serve],
        *,
        authorization: Authorization,
        is_local: Callable[[str], bool],
        has_readers: bool = False,
    ) -> None:
        """Initialize; `has_readers` lets users besides root and our own read the events of their commands."""
        self._has_readers = has_readers
        self._authorization = authorization
        self._is_local = is_local
        self._commands = commands

    def answer(self, load: LoadFields, arrival: Arrival) -> bytes:
        """Return the packed reply to a clear request; raise WireError if its sender's host is not allowed."""
        if not self._is_local(arrival.address):
            raise WireError(
                f"a clear {load.get('cmd')!r} comes from {arrival.address}, a remote host"
                " that clear_commands_from does not list",
                answer={},
            )
        return pack(self.serve(load, CommandCaller(arrival.address, reader=self._reader(load, arrival))))

    def _reader(self, load: LoadFields, arrival: Arrival) -> int | None:
        """Return the id of the local user who may read the events of a command, or None."""
        if not self._has_readers or load.get("cmd") not in _ORDERS:
            return None
        found = user_behind(arrival.descriptor(), arrival.address)
        # A key identifies a local user, too; the name of a login does not.
        return self._authorization.key_owner(load.get("key")) if found is None else found

    def serve(self, load: LoadFields, caller: CommandCaller) -> Any:
        """Return the reply to a command from any transport."""
        return serve(self._commands, load, caller)


class PublishCommands:
    """Commands of clients that publish jobs and create tokens.

    `keep(load, allowed, uid)` publishes a job that is kept for minions that are away, `despite(load, caller)`
    returns the locks that a job may override.
    """

    def __init__(
        self,
        authorization: Authorization,
        publishing: JobPublisher,
        keep: Keep | None = None,
        despite: Callable[[LoadFields, CommandCaller], list[str]] = lambda load, caller: [],
    ) -> None:
        self._despite = despite
        self._authorization = authorization
        self._publishing = publishing
        self._keep = keep

    def commands(self) -> dict[str, Serve]:
        """Return the commands by name."""
        return {
            "publish": self._publish,
            "ping": _ping,
            "mk_token": self._authorization.make_token,
            "get_token": self._authorization.get_token,
        }

    def _publish(self, load: LoadFields, caller: CommandCaller) -> Any:
        try:
            allowed = self._authorization.check_publish(load, caller)
        except NotAuthorized as exc:
            self._publishing.fire_refused(load, exc.reply)
            raise
        # An unrestricted user may also act for others, as a syndic's master does.
        job = without_daemon_fields(load) if allowed.is_limited else dict(load)
        if self._keep is not None and is_for_mailbox(load):
            reply = self._keep(job, allowed, caller.ordered_by)
        else:
            despite = self._despite(load, caller)
            reply = self._publishing.publish(
                job, user=allowed.user, uid=caller.ordered_by, despite=despite, source=caller.source
            )
        if "error" in reply and "jid" not in reply:
            # Repeated beside `load`, because stock's client looks for the error there.
            return {"enc": "clear", "load": reply, "error": reply["error"]}
        return {"enc": "clear", "load": reply}


def is_for_mailbox(load: LoadFields) -> bool:
    """Return whether a publication asks to be kept for minions that are away."""
    kwargs = load.get("kwargs")
    return isinstance(kwargs, Mapping) and WHEN_BACK in kwargs


class CallCommands:
    """Commands of clients that call runner and wheel functions."""

    def __init__(self, authorization: Authorization, calls: Calls) -> None:
        self._authorization = authorization
        self._calls = calls

    def commands(self) -> dict[str, Serve]:
        """Return the commands by name."""
        return {"runner": self._runner, "wheel": self._wheel}

    def _runner(self, load: LoadFields, caller: CommandCaller) -> Any:
        fun, args, kwargs = _called(load)
        allowed = self._authorization.check_call("runner", FunctionCall(fun, args, kwargs), load, caller)
        timeout, jid = timeout_of(load.get("kwarg")), jid_of(load.get("kwarg"))
        call = MasterCall("runner", fun, args, kwargs, allowed.user, jid, caller.ordered_by)
        try:
            return self._calls.start(call, timeout=timeout)
        except WireError as exc:
            return {"error": str(exc)}

    def _wheel(self, load: LoadFields, caller: CommandCaller) -> Any:
        fun, args, kwargs = _called(load)
        allowed = self._authorization.check_call("wheel", FunctionCall(fun, args, kwargs), load, caller)
        outcome = self._calls.outcome(
            MasterCall("wheel", fun, args, kwargs, allowed.user, uid=caller.ordered_by)
        )
        tag = tags.wheel(outcome["jid"], "")
        return {"tag": tag, "data": {**outcome, "tag": tag}}


def serve(commands: Mapping[str, Serve], load: LoadFields, caller: CommandCaller) -> Any:
    """Return the reply to a command, a refusal if its user lacks permission, {} if it is unknown."""
    name = load.get("cmd")
    log.debug("request of %s: %s", caller.address or caller.uid, LoadSummary(load))
    command = commands.get(name) if isinstance(name, str) else None
    if command is None:
        return {}
    try:
        return command(load, caller)
    except NotAuthorized as exc:
        log.warning("%s from %s was refused: %s", name, caller.address or caller.uid, exc)
        return exc.reply


def _ping(load: LoadFields, caller: CommandCaller) -> Any:
    return dict(load)


def _called(load: LoadFields) -> tuple[str, list[Any], Arguments]:
    """Return (function, arguments, keywords) of a runner or wheel load."""
    fun = load.get("fun")
    if not isinstance(fun, str):
        raise WireError("a call needs the field fun", answer={})
    args, kwargs = load.get("arg") or [], load.get("kwarg") or {}
    if not isinstance(args, (list, tuple)) or not isinstance(kwargs, dict):
        raise WireError("the arg of a call must be a list, and its kwarg a mapping", answer={})
    if "arg" in load:
        return fun, list(args), dict(kwargs)
    if "kwarg" in load:
        args, kwargs = split_load(kwargs)
        return fun, args, kwargs
    # Clients of wheel functions may put the arguments next to the other fields.
    return fun, [], {name: value for name, value in load.items() if name not in _NO_ARGUMENTS}
