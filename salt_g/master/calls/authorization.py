"""Authorization to publish jobs and to call runners and wheel functions.

All decisions are made here, whatever proves the sender of a command: the key of a local user, peer
credentials of our socket, a login or a token.
Shapes: a refusal carries a dict that stock's clients understand, which is the same for all causes of one
kind.
Source: wire specification, section 10.1; security properties 10 and 11.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from salt_g.auth.called_functions import with_called
from salt_g.auth.limited_jobs import forged_names, further_calls
from salt_g.auth.local_users import SUDO, LocalUsers, Rights, blacklisted, name_of, uid_of
from salt_g.auth.logins import Login, Logins
from salt_g.auth.permissions import FunctionCall, allows, allows_function, calls_of
from salt_g.auth.sight import Sight
from salt_g.auth.targets import PermissionTargets
from salt_g.data.nested import DELIMITER
from salt_g.errors import SaltGError
from salt_g.master.calls.user_keys import UserKeys
from salt_g.master.settings import AuthorizationSettings
from salt_g.shapes.loads import LoadFields

log = logging.getLogger(__name__)

#: Resolver of a target: (tgt, tgt_type, delimiter, greedy) to ids; raises TargetError.
Resolve = Callable[[Any, str, str, bool], frozenset[str]]
#: Error texts for publishing clients, independent of the cause.
_NOT_AUTHENTICATED = {"name": "AuthenticationError", "message": "Authentication error occurred."}
_NOT_AUTHORIZED = {"name": "AuthorizationError", "message": "Authorization error occurred."}
_BAD_SYNTAX = {
    "name": "SaltInvocationError",
    "message": "A command invocation error occurred: Check syntax.",
}


class CommandCaller(NamedTuple):
    """Origin of a command: an address, or for the local socket the user id of the peer.

    `reader` is the user id of a local user who sent the command to a port. It grants no permissions, but this
    user may read the events of the command.
    """

    address: str = ""
    uid: int | None = None
    reader: int | None = None

    @property
    def source(self) -> str:
        """Key by which failed logins are counted."""
        if self.ordered_by is None:
            return self.address
        return f"{self.address} uid {self.ordered_by}".lstrip()

    @property
    def ordered_by(self) -> int | None:
        """User id of the local user behind the command, None if unknown."""
        return self.reader if self.uid is None else self.uid


class Allowed(NamedTuple):
    """Authenticated user of a command; `auth_list` is the permission list from eauth or `publisher_acl`."""

    user: str
    auth_list: list[Any] = []
    #: Whether the permissions of this user are restricted.
    is_limited: bool = False
    #: Identity behind the name, kept for later decisions; see `check_again`.
    standing: Mapping[str, Any] = {}

    @property
    def owner(self) -> str:
        """Name of the user as an owner; it includes the login module, which distinguishes equal names."""
        module = self.standing.get("module")
        return f"{self.user} ({module})" if module else self.user


class NotAuthorized(SaltGError):
    """Refusal of a command; `reply` is the answer, `user` the authenticated user, '' without one."""

    def __init__(self, reply: Any, reason: str, *, user: str = "") -> None:
        self.reply = reply
        self.user = user
        super().__init__(reason)


class Authorization:
    """Authorization rules of this master."""

    def __init__(
        self, settings: AuthorizationSettings, user_keys: UserKeys, *, logins: Logins, resolve: Resolve
    ) -> None:
        self._job_cache = settings.ext_job_cache
        self._blacklist = settings.publisher_acl_blacklist
        self._user_keys = user_keys
        self._users = LocalUsers(settings.publisher_acl, user_keys.owner, sudo_acl=settings.sudo_acl)
        self._logins = logins
        self._resolve = resolve
        self._targets = PermissionTargets(
            settings.nodegroups, lambda tgt, kind, greedy: resolve(tgt, kind, DELIMITER, greedy)
        )

    def check_publish(self, load: LoadFields, caller: CommandCaller) -> Allowed:
        """Return the authenticated user of a publication; raises NotAuthorized."""
        extra = load.get("kwargs")
        extra = extra if isinstance(extra, Mapping) else {}
        return self._judged(self.rights_of(load, caller), load, extra)

    def check_again(self, standing: Mapping[str, Any], load: LoadFields) -> Allowed:
        """Return the user of an earlier publication if their current rights allow it; raises NotAuthorized.

        `standing` is `Allowed.standing` from the earlier decision; the user, module or token may be gone
        since.
        """
        rights = self._renewed(standing)
        if rights is None:
            raise NotAuthorized({"error": _NOT_AUTHORIZED}, f"{standing.get('user')} has lost all rights")
        extra = load.get("kwargs")
        return self._judged(rights, load, extra if isinstance(extra, Mapping) else {})

    def check_user(self, load: LoadFields, caller: CommandCaller) -> Allowed:
        """Return the authenticated user of a command on that user's own data; raises NotAuthorized."""
        rights = self._rights(load, load, caller)
        if rights is None:
            raise NotAuthorized({"error": _call_error(load)}, f"{_claimed(load, load)} is not authenticated")
        return _allowed(rights)

    def _judged(self, rights: Rights, load: LoadFields, extra: Mapping[str, Any]) -> Allowed:
        """Return the user of a publication if their rights allow it; raises NotAuthorized."""
        calls = with_called(calls_of(load.get("fun"), load.get("arg", [])))
        functions = [call.fun for call in calls]
        names = (rights.user, rights.user.removeprefix(SUDO))
        forbidden = blacklisted(self._blacklist, names, functions)
        if forbidden:
            raise NotAuthorized(
                {"error": _NOT_AUTHORIZED}, f"publisher_acl_blacklist forbids {forbidden!r}", user=rights.user
            )
        if rights.permissions is None:
            return _allowed(rights)
        further = further_calls(load.get("ret"), extra, always=self._job_cache)
        forged = forged_names(calls)
        if forged or further is None:
            reason = f"sets {', '.join(forged)}" if forged else "names a returner that is not text"
            raise NotAuthorized({"error": _NOT_AUTHORIZED}, f"{rights.user} {reason}", user=rights.user)
        calls = [*calls, *further] if calls else []
        ids = self._ids(load, extra, rights.user)
        if not all(allows(one, calls, ids, self._targets.ids) for one in rights.grants):
            raise NotAuthorized(
                {"error": _NOT_AUTHORIZED},
                f"{rights.user} may not run {[call.fun for call in calls] or functions} on this target",
                user=rights.user,
            )
        return _allowed(rights)

    def rights_of(self, load: LoadFields, caller: CommandCaller) -> Rights:
        """Return the authenticated user of a command and their rights; raises NotAuthorized."""
        extra = load.get("kwargs")
        extra = extra if isinstance(extra, Mapping) else {}
        rights = self._rights(load, extra, caller)
        if rights is None:
            raise NotAuthorized(
                {"error": _NOT_AUTHENTICATED}, f"{_claimed(load, extra)} is not authenticated"
            )
        return rights

    def allows_job(self, rights: Rights, fun: str, ids: Iterable[str]) -> bool:
        """Return whether a user may run a function without arguments on all `ids`."""
        if blacklisted(self._blacklist, (rights.user, rights.user.removeprefix(SUDO)), [fun]):
            return False
        wanted = frozenset(ids)
        return all(allows(one, [FunctionCall(fun)], wanted, self._targets.ids) for one in rights.grants)

    def note_plan(
        self, order: str, plan: str, ids: Iterable[str], user: str, caller: CommandCaller, problem: str = ""
    ) -> None:
        """Record the decision on an order for a plan; `problem` is why it was refused, or ''."""
        if problem:
            log.warning("audit: %s", problem)

    def check_call(self, kind: str, call: FunctionCall, load: LoadFields, caller: CommandCaller) -> Allowed:
        """Return the authenticated user of a call; raises NotAuthorized.

        `kind` is runner or wheel, `call` is the call as it will run.
        """
        rights = self._rights(load, load, caller)
        if rights is None:
            raise NotAuthorized({"error": _call_error(load)}, f"{_claimed(load, load)} is not authenticated")
        if rights.permissions is None:
            return _allowed(rights)
        refused = partial(NotAuthorized, user=rights.user)
        if any(name.startswith("__pub_") for name in call.kwargs):
            raise refused({"error": _call_error(load)}, f"{rights.user} sets reserved arguments")
        if call.fun.count(".") != 1:
            raise refused({"error": _BAD_SYNTAX}, f"{call.fun!r} is not a function")
        if not all(allows_function(one, call, kind) for one in rights.grants):
            raise refused({"error": _call_error(load)}, f"{rights.user} may not call {kind} {call.fun}")
        return _allowed(rights)

    def may_call(
        self, kind: str, call: FunctionCall, load: LoadFields, caller: CommandCaller
    ) -> Allowed | None:
        """Return the user of a call as `check_call` does, but None instead of raising NotAuthorized."""
        try:
            return Authorization.check_call(self, kind, call, load, caller)
        except NotAuthorized:
            return None

    def key_owner(self, key: object) -> int | None:
        """Return the user id of the local user who owns this key, or None if unknown."""
        name = self._user_keys.user_of(key)
        return None if name is None else uid_of(name)

    def local_name(self, load: LoadFields, caller: CommandCaller) -> str:
        """Return the local user who is proven to have sent a command, '' without proof."""
        return self._proven(load, caller) or ""

    def caller_of(self, name: str) -> CommandCaller | None:
        """Return the origin for a local user who was proven at another master, None if unknown here."""
        uid = os.geteuid() if name == self._user_keys.owner else uid_of(name)
        return None if uid is None else CommandCaller("", uid)

    def make_token(self, load: LoadFields, caller: CommandCaller) -> Any:
        """Serve `mk_token`: a token and its record, '' for a failed login."""
        return self._logins.make_token(load, caller.source) or ""

    def get_token(self, load: LoadFields, caller: CommandCaller) -> Any:
        """Serve `get_token`: the record of a token, {} if the token is invalid, False if none is given."""
        if "token" not in load:
            return False
        return self._logins.about_token(load["token"], caller.source)

    def get_rights(self, load: LoadFields, caller: CommandCaller) -> Any:
        """Serve `rights`: {user, eauth, permissions} of a token's user, {} for an invalid token.

        For a scoped token the reply also has its `limits` and `label`.
        """
        login = self._logins.by_token(load.get("token"), caller.source)
        if login is None:
            return {}
        answer = {"user": login.user, "eauth": login.module, "permissions": login.permissions}
        return answer if login.limits is None else {**answer, "limits": login.limits, "label": login.label}

    def sight_of(self, load: LoadFields, caller: CommandCaller) -> Sight | None:
        """Return what data a token's user may see, or None for an invalid token."""
        login = self._logins.by_token(load.get("token"), caller.source)
        if login is None:
            return None
        grants = [login.permissions, *([] if login.limits is None else [login.limits])]
        return Sight(login.user, grants, self._targets.ids)

    def end_token(self, load: LoadFields, caller: CommandCaller) -> bool:
        """Serve `end_token`: revoke a token; return whether it existed."""
        return self._logins.end_token(load.get("token"))

    def get_permission_ids(self, load: LoadFields, caller: CommandCaller) -> list[str]:
        """Serve `permission_ids`: the ids that a target in a permission covers."""
        return sorted(self._targets.ids(str(load.get("tgt"))))

    def _rights(self, load: LoadFields, proof: LoadFields, caller: CommandCaller) -> Rights | None:
        """Return the rights of the authenticated user, None without proof; `proof` has the login fields."""
        if "token" in proof:
            return _of_login(self._logins.by_token(proof["token"], caller.source))
        if "eauth" in proof:
            return _of_login(self._logins.by_password(proof, caller.source))
        proven = self._proven(load, caller)
        return self._users.rights(proven, load.get("user")) if proven is not None else None

    def _proven(self, load: LoadFields, caller: CommandCaller) -> str | None:
        """Return the local user who sent a load, proven by the key or the socket, None without proof."""
        proven = self._user_keys.user_of(load.get("key"))
        if proven is None and caller.uid is not None:
            is_owner = caller.uid in (0, os.geteuid())
            proven = self._user_keys.owner if is_owner else name_of(caller.uid)
        return proven

    def _renewed(self, standing: Mapping[str, Any]) -> Rights | None:
        """Return the current rights of an earlier identity, None if it no longer has any."""
        user = str(standing.get("user"))
        if standing.get("proven"):
            return self._users.rights(str(standing["proven"]), user)
        limits = standing.get("limits")
        login = Login(
            user,
            [],
            str(standing.get("module")),
            list(standing.get("groups") or ()),
            None if limits is None else list(limits),
            str(standing.get("label") or ""),
        )
        return _of_login(self._logins.renewed(login))

    def _ids(self, load: LoadFields, extra: Mapping[str, Any], user: str) -> frozenset[str]:
        """Return the ids that a job would be sent to; raise NotAuthorized for an invalid target."""
        delimiter = extra.get("delimiter")
        try:
            return self._resolve(
                load.get("tgt"),
                str(load.get("tgt_type") or "glob"),
                delimiter if isinstance(delimiter, str) else DELIMITER,
                True,
            )
        except SaltGError as exc:
            reason = f"its target cannot be resolved: {exc}"
            raise NotAuthorized({"error": _NOT_AUTHORIZED}, reason, user=user) from exc


def _of_login(login: Login | None) -> Rights | None:
    if login is None:
        return None
    return Rights(
        login.user,
        login.permissions,
        login.limits,
        module=login.module,
        groups=login.groups,
        label=login.label,
    )


def _allowed(rights: Rights) -> Allowed:
    standing = {
        "user": rights.user,
        "proven": rights.proven,
        "module": rights.module,
        "groups": list(rights.groups),
        "label": rights.label,
        "limits": rights.limits,
    }
    if rights.permissions is None:
        return Allowed(rights.user, standing=standing)
    return Allowed(rights.user, rights.permissions, is_limited=True, standing=standing)


def _call_error(load: LoadFields) -> dict[str, str]:
    """Return the error for a caller, built only from what the caller sent so that it reveals nothing else."""
    kind = "token" if "token" in load else "eauth" if "eauth" in load else "user"
    name = f" for user {load['username']!s:.64}" if kind == "eauth" and load.get("username") else ""
    end = "" if kind == "user" else f"{name}."
    return {
        "name": f"{kind.capitalize()}AuthenticationError",
        "message": f'Authentication failure of type "{kind}" occurred{end}',
    }


def _claimed(load: LoadFields, proof: LoadFields) -> str:
    """Return the name that the caller claims, for the log."""
    return f"{proof.get('username') or load.get('user')!s:.64}"
