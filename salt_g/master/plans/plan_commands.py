"""Commands of users for plans: save, close, list, show, approve, apply, drop.

Users other than root and the master's own need permissions: to save a plan, that for its test run
(`state.apply` with its arguments); on all its minions, `state.apply_plan` to apply it or to drop another
user's, and `state.approve_plan` to approve it. Users who may apply or approve a plan, or who made it, can see
it. With `plan_approval: other`, a plan is applied only after someone other than its maker has approved
exactly its content.
Shapes: `plan_save` has the fields of `publish` and `name`; the others have {plan, user, kwargs: credentials}.
Replies are {plan: record}, {plans: [record]} or {error, why}; those of `plan_save` and `plan_apply` are like
that of `publish`. `plan_record` is `plan_show` without documents. `plan_groups` {after, limit, minion}
returns the content of a plan by page: {plan, groups, next, total, idle}, with groups as in
`report/plan_groups.py`, each text cut to MAX_TEXT, and `cut` the number of characters left out.
Errors: NotAuthorized; everything else is an `error` in the reply, a refusal with `why`: unknown, right or
state.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gevent.lock

from salt_g.auth.limited_jobs import without_daemon_fields
from salt_g.auth.local_users import SUDO, Rights
from salt_g.cache.jobs import Jobs
from salt_g.errors import ClientError, SaltGError
from salt_g.loader.job_arguments import KWARG, split_arguments
from salt_g.loader.test_runs import is_test_run
from salt_g.master.calls.authorization import Allowed, Authorization, CommandCaller, NotAuthorized
from salt_g.master.plans.kept_plans import LIFETIME, MAX_BYTES, KeptPlans
from salt_g.master.plans.plan_documents import closed, readable
from salt_g.master.publishing.publish import JobPublisher
from salt_g.master.publishing.rollout_guard import ALL_AT_ONCE
from salt_g.process.offload import offload
from salt_g.process.secret_hiding import hide
from salt_g.report.plan_groups import groups_of, idle
from salt_g.shapes.loads import Load, LoadFields
from salt_g.shapes.plans import AppliedPlan, PlanRecord

log = logging.getLogger(__name__)

#: Functions from whose test runs plans can be made.
FUNCTIONS = ("state.apply", "state.highstate", "state.sls", "state.sls_id", "state.top")
#: Functions whose permissions are checked; the second one exists only as the name of a permission.
APPLY, APPROVE = "state.apply_plan", "state.approve_plan"
#: Keyword that makes a state run produce a plan.
PLAN = "__plan"
#: Value of `plan_approval` that requires approval by someone other than the maker.
OTHER = "other"
#: Maximum number of attempts at a change, because a change by another master may come first.
_ATTEMPTS = 3
#: Longest name of a plan, and the maximum number of plans of one name that a message lists.
_MAX_NAME, _MAX_NAMED = 100, 5
#: Maximum number of groups on a page, longest text of a group (characters), and total size of the texts on a
#: page.
MOST_GROUPS, MAX_TEXT, MAX_TEXTS = 500, 64 * 1024, 4 << 20
#: Orders about plans, by the function whose permission each one requires.
_ORDERS = {APPROVE: "approve", APPLY: "apply"}


class PlanCommandRefused(ClientError):
    """Refusal of a command on a plan; `why` is unknown, right or state."""

    def __init__(self, text: str, why: str) -> None:
        self.why = why
        super().__init__(text)


class PlanCommands:
    """Handler of the commands; records are changed one at a time."""

    def __init__(
        self,
        kept: KeptPlans,
        *,
        authorization: Authorization,
        publisher: JobPublisher,
        jobs: Jobs,
        approval: str = "",
        secrets_of: Callable[[Any], Any] = lambda arg: arg,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Initialize; `secrets_of` removes the secrets in `pillar=` from arguments that are to be shown."""
        self._kept = kept
        self._authorization = authorization
        self._publisher = publisher
        self._jobs = jobs
        self._approval = approval
        self._hidden = secrets_of
        self._clock = clock
        self._changing = gevent.lock.RLock()

    def serve(self, name: str, load: LoadFields, caller: CommandCaller) -> Any:
        """Return the reply to a command; raises NotAuthorized."""
        command: Callable[[LoadFields, CommandCaller], Any] = getattr(self, f"_{name}")
        with self._changing:
            try:
                return command(load, caller)
            except NotAuthorized:
                raise
            except PlanCommandRefused as exc:
                return {"error": str(exc), "why": exc.why}
            except SaltGError as exc:
                return {"error": str(exc)}

    @contextlib.contextmanager
    def applied_in_waves(
        self, load: LoadFields, caller: CommandCaller, jid: str
    ) -> Iterator[tuple[str, list[Any], list[str]]]:
        """Mark a plan as applied by a rollout; yield its function, arguments and minions.

        An exception in the block removes the mark.
        """
        with self._changing:
            record, user = self._begin_apply(load, caller, jid)
        try:
            yield APPLY, _apply_arguments(record, load), sorted(record["planned"])
        except BaseException:
            with self._changing:
                self._take_back(record["id"], jid)
            raise
        log.warning("audit: plan %s of %s is applied by %s: %s", record["id"], record["user"], user, jid)

    def _save(self, load: LoadFields, caller: CommandCaller) -> Any:
        allowed = self._authorization.check_publish(load, caller)
        fun, name = load.get("fun"), str(load.get("name") or "")[:_MAX_NAME]
        args, kwargs = split_arguments(load.get("arg") or [])
        if fun not in FUNCTIONS or not is_test_run(fun, kwargs):
            raise ClientError(f"plans are made from test runs (test=True) of {', '.join(FUNCTIONS)}")
        self._kept.make_room(allowed.user if allowed.is_limited else "")
        id, jid = self._new_id(), self._jobs.new_jid()
        record = self._new_record(id, name, load, allowed, jid)
        self._kept.write(record)
        job = without_daemon_fields(load) if allowed.is_limited else dict(load)
        job.update({"cmd": "publish", "jid": jid, "arg": [*args, {KWARG: True, **kwargs, PLAN: id}]})
        reply = self._publisher.publish(job, user=allowed.user, uid=caller.ordered_by, source=caller.source)
        if not reply.get("jid"):
            self._kept.drop(id)
            return {"enc": "clear", "load": reply}
        self._kept.write({**record, "minions": list(reply["minions"])})
        log.info("plan %s of %s: %s on %d minions", id, allowed.user, fun, len(reply["minions"]))
        return {"enc": "clear", "load": {**reply, "plan": id}}

    def _close(self, load: LoadFields, caller: CommandCaller) -> Any:
        record = self._visible(load, caller)
        if not _is_maker(self._rights(load, caller), record):
            raise PlanCommandRefused(f"plan {record['id']} belongs to {record['user']}", "right")
        return {"plan": self._shown(self._closed(record))}

    def _list(self, load: LoadFields, caller: CommandCaller) -> Any:
        rights = self._rights(load, caller)
        return {"plans": [self._shown(one) for one in self._kept.all() if self._sees(rights, one)]}

    def _show(self, load: LoadFields, caller: CommandCaller) -> Any:
        record = self._visible(load, caller)
        return {"plan": self._shown(record), "documents": dict(readable(self._kept, record["id"]))}

    def _record(self, load: LoadFields, caller: CommandCaller) -> Any:
        return {"plan": self._shown(self._visible(load, caller))}

    def _groups(self, load: LoadFields, caller: CommandCaller) -> Any:
        record = self._visible(load, caller)
        documents = list(readable(self._kept, record["id"]))
        minion, after, limit = load.get("minion"), load.get("after"), load.get("limit")
        found = offload(groups_of, documents)
        if minion:
            found = [group for group in found if minion in group["minions"]]
        first = after if isinstance(after, int) and after > 0 else 0
        limit = min(MOST_GROUPS, limit) if isinstance(limit, int) and limit > 0 else MOST_GROUPS
        page = _page(found[first : first + limit])
        last = first + len(page)
        return {
            "plan": self._shown(record),
            "groups": page,
            "next": last if last < len(found) else None,
            "total": len(found),
            "idle": idle(documents),
        }

    def _approve(self, load: LoadFields, caller: CommandCaller) -> Any:
        record = self._visible(load, caller, order="approve")
        user = self._require(load, caller, APPROVE, record)
        self._note("approve", record, user, caller)
        record = self._closed(record)
        others = [one for one in record["approvals"] if one["user"] != user]
        record = {**record, "approvals": [*others, {"user": user, "at": self._clock()}]}
        self._kept.write(record)
        log.warning("audit: plan %s of %s is approved by %s", record["id"], record["user"], user)
        return {"plan": self._shown(record)}

    def _apply(self, load: LoadFields, caller: CommandCaller) -> Any:
        jid = self._jobs.new_jid()
        record, user = self._begin_apply(load, caller, jid)
        names = sorted(record["planned"])
        job = {
            "fun": APPLY,
            "arg": _apply_arguments(record, load),
            "tgt": names,
            "tgt_type": "list",
            "jid": jid,
            "kwargs": {ALL_AT_ONCE: load.get(ALL_AT_ONCE) is True},
        }
        reply = self._publisher.publish(job, user=user, uid=caller.ordered_by, source=caller.source)
        if not reply.get("jid"):
            self._take_back(record["id"], jid)
        else:
            log.warning("audit: plan %s of %s is applied by %s: %s", record["id"], record["user"], user, jid)
        return {"enc": "clear", "load": {**reply, "plan": record["id"]}}

    def _begin_apply(self, load: LoadFields, caller: CommandCaller, jid: str) -> tuple[PlanRecord, str]:
        """Record that a plan is applied by a job; return the record as it was before, and the user."""
        record = self._visible(load, caller, order="apply")
        user = self._require(load, caller, APPLY, record)
        record = self._closed(record)
        problem = self._problem(record, accepts_opaque=load.get("accept_opaque") is True)
        self._note("apply", record, user, caller, problem)
        if problem:
            raise PlanCommandRefused(f"plan {record['id']} cannot be applied: {problem}", "state")
        applied: AppliedPlan = {"jid": jid, "user": user, "at": self._clock()}
        self._kept.write({**record, "applied": [*record["applied"], applied]})
        return record, user

    def _take_back(self, id: str, jid: str) -> None:
        """Undo `_begin_apply` for a job that was not published."""
        for _ in range(_ATTEMPTS):
            record = self._kept.read(id)
            if record is None:
                return
            try:
                self._kept.write(
                    {**record, "applied": [one for one in record["applied"] if one["jid"] != jid]}
                )
                return
            except ClientError as exc:
                log.info("%s", exc)

    def _drop(self, load: LoadFields, caller: CommandCaller) -> Any:
        record = self._visible(load, caller, order="drop")
        rights = self._rights(load, caller)
        if not _is_maker(rights, record):
            self._require(load, caller, APPLY, record, order="drop")
        self._note("drop", record, rights.user, caller)
        self._kept.drop(record["id"])
        return {"plan": self._shown(record)}

    def _problem(self, record: PlanRecord, *, accepts_opaque: bool) -> str:
        """Return why a plan cannot be applied, '' if it can."""
        if record["applied"]:
            one = record["applied"][-1]
            when = time.strftime("%H:%M", time.localtime(one["at"]))
            by = f"{one['user']} as job {one['jid']}"
            return f"it was applied at {when} by {by}; a plan is applied once"
        if not record["counts"]["minions"]:
            return "no minion made a plan"
        if record["size"] > MAX_BYTES:
            return (
                f"it has {record['size'] >> 20} MiB; the limit is {MAX_BYTES >> 20} MiB: plan fewer minions"
            )
        others = [one for one in record["approvals"] if not _may_be_same(one["user"], record["user"])]
        if self._approval == OTHER and not others:
            return (
                f"someone other than {record['user']} has to approve it: salt-g plan approve {record['id']}"
            )
        if record["counts"]["opaque"] and not accepts_opaque:
            return (
                f"{record['counts']['opaque']} of its states run commands, whose changes no plan knows:"
                f" salt-g plan show {record['id']} lists them, --accept-opaque accepts them"
            )
        return ""

    def _closed(self, record: PlanRecord) -> PlanRecord:
        """Close a plan, if it is open, so that it accepts no more documents; return its record."""
        if record["is_closed"]:
            return record
        record = closed(self._kept, record, self._jobs.get_jid(record["jid"]))
        self._kept.write(record)
        return record

    def _new_record(self, id: str, name: str, load: LoadFields, allowed: Allowed, jid: str) -> PlanRecord:
        now = self._clock()
        return {
            "id": id,
            "name": name,
            "fun": str(load["fun"]),
            "arg": list(load.get("arg") or []),
            "user": allowed.user,
            "module": str(allowed.standing.get("module") or ""),
            "made": now,
            "until": now + LIFETIME,
            "jid": jid,
            "minions": [],
            "is_closed": False,
            "refused": {},
            "counts": {},
            "size": 0,
            "planned": {},
            "approvals": [],
            "applied": [],
        }

    def _new_id(self) -> str:
        known = self._kept.ids()
        while True:
            id = secrets.token_hex(3)
            if id not in known:
                return id

    def _visible(self, load: LoadFields, caller: CommandCaller, *, order: str = "") -> PlanRecord:
        """Return the plan that a load names, if its user may see it; otherwise record `order` as refused.

        A name that several people gave to plans is refused, because the last one to use it would choose what
        the others apply.
        """
        rights = self._rights(load, caller)
        wanted = str(load.get("plan"))
        found = [one for one in self._kept.find(wanted) if self._sees(rights, one)]
        if not found:
            for hidden in self._kept.find(wanted)[:1] if order else ():
                self._note(order, hidden, rights.user, caller, f"{rights.user} may not see the plan")
            raise PlanCommandRefused(
                f"there is no plan {wanted[:_MAX_NAME]!r}; it may have expired", "unknown"
            )
        if len({(_person(one["user"]), _names_of(one.get("module", ""))) for one in found}) > 1:
            ids = ", ".join(f"{one['id']} of {one['user']}" for one in found[:_MAX_NAMED])
            text = f"several people made a plan {wanted[:_MAX_NAME]!r}: {ids}; name one by its id"
            raise PlanCommandRefused(text, "state")
        return found[0]

    def _sees(self, rights: Rights, record: PlanRecord) -> bool:
        if _is_maker(rights, record):
            return True
        # A plan without minions was not published, because the master ended at that moment.
        return bool(record["minions"]) and any(
            self._authorization.allows_job(rights, fun, record["minions"]) for fun in (APPLY, APPROVE)
        )

    def _require(
        self, load: LoadFields, caller: CommandCaller, fun: str, record: PlanRecord, *, order: str = ""
    ) -> str:
        """Return a load's user, who needs permission for a function on all minions of a plan.

        A refusal is recorded for `order`, by default the order of the function.
        """
        rights, problem = self._rights(load, caller), ""
        if not self._authorization.allows_job(rights, fun, record["minions"]):
            problem = f"{rights.user} needs permission for {fun} on all minions of plan {record['id']}"
        elif fun == APPROVE and self._approval == OTHER and _may_be_same(rights.user, record["user"]):
            problem = f"plan {record['id']} was made by {record['user']}: another person has to approve it"
        if problem:
            self._note(order or _ORDERS[fun], record, rights.user, caller, problem)
            raise PlanCommandRefused(problem, "right")
        return rights.user

    def _note(
        self, order: str, record: PlanRecord, user: str, caller: CommandCaller, problem: str = ""
    ) -> None:
        self._authorization.note_plan(order, record["id"], record["minions"], user, caller, problem)

    def _rights(self, load: LoadFields, caller: CommandCaller) -> Rights:
        return self._authorization.rights_of(load, caller)

    def _shown(self, record: PlanRecord) -> dict[str, Any]:
        """Return a record without the secrets in its arguments."""
        shown: Load = {**record, "arg": hide(self._hidden(record["arg"])), "approval": self._approval}
        return shown


def _page(groups: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the first groups, with shortened texts, that fit within the bound of a page."""
    page: list[dict[str, Any]] = []
    size = 0
    for group in groups:
        text = group["text"]
        shown = text[:MAX_TEXT]
        size += len(shown)
        if page and size > MAX_TEXTS:
            break
        page.append({**group, "text": shown, "cut": len(text) - len(shown)})
    return page


def _apply_arguments(record: PlanRecord, load: LoadFields) -> list[Any]:
    return [record["id"], {KWARG: True, "accept_opaque": load.get("accept_opaque") is True}]


def _is_maker(rights: Rights, record: PlanRecord) -> bool:
    """Return whether a user made a plan; the same name in another user directory is another user."""
    return (_person(rights.user), _names_of(rights.module)) == (
        _person(record["user"]),
        _names_of(record.get("module", "")),
    )


def _may_be_same(user: str, other: str) -> bool:
    """Return whether two names may be one person's, as directories ignore case and blanks in logins."""
    return _person(user).strip().casefold() == _person(other).strip().casefold()


def _names_of(module: str) -> str:
    """Return the user directory behind a login module, '' for the users of this machine (also by PAM)."""
    return "" if module == "pam" else module


def _person(user: str) -> str:
    """Return the person behind a user name: `sudo_<name>` is <name>."""
    return user.removeprefix(SUDO)
