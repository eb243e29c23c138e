"""Table of all routes of /v1."""

from __future__ import annotations

from salt_g.http_api.v1 import (
    fleet_routes,
    history_routes,
    job_routes,
    key_routes,
    lock_routes,
    mailbox_routes,
    me_routes,
    minion_query,
    minion_routes,
    plan_routes,
    rollout_routes,
    stream_routes,
    token_routes,
)
from salt_g.http_api.v1.bodies import schema_of
from salt_g.http_api.v1.route import AFTER, Parameter, V1Route, limit
from salt_g.http_api.v1.schemas import TEXT, ref

_FILTER = Parameter("filter", "words such as os:Debian, status:failed, id:web* or part of an id")
_SKIP = Parameter(
    "skip", "number of rows to skip before the page, for a table that is scrolled", 0, 10**6, minimum=0
)
_TARGET = Parameter("tgt", "a target; the ids of a list are separated by commas")
_TYPES = ("glob", "list", "pcre", "grain", "grain_pcre", "pillar", "pillar_exact", "pillar_pcre")
_TARGET_TYPE = Parameter(
    "tgt_type",
    "type of the target",
    "glob",
    choices=(*_TYPES, "compound", "nodegroup", "ipcidr", "range"),
)

#: Routes about the logged-in user and the API itself.
ABOUT = (
    V1Route("GET", "/me", me_routes.show_me, "the user and their rights", answer=ref("Me"), right="a login"),
    V1Route(
        *("GET", "/health", me_routes.show_health, "whether a master serves the API"),
        answer=ref("Health"),
        right="none",
        is_open=True,
    ),
    V1Route(
        *("GET", "/logins", me_routes.show_logins, "modules of external_auth that a login may name"),
        answer=ref("Logins"),
        right="none",
        is_open=True,
    ),
    V1Route(
        *("GET", "/metrics", me_routes.show_metrics, "metrics of the API for Prometheus"),
        answer=TEXT,
        kind=me_routes.METRICS_KIND,
        right="a login",
    ),
)
#: Routes of minions.
MINIONS = (
    V1Route(
        *("GET", "/minions", minion_routes.list_minions, "minions by page"),
        answer=ref("MinionPage"),
        right="some function on a minion shows it, grains.items its facts, state.apply its last run",
        takes=(
            _FILTER,
            Parameter("sort", f"one of {', '.join(minion_query.SORTED_BY)}; a leading - reverses the order"),
            AFTER,
            Parameter("fields", f"some of {', '.join(minion_query.FIELDS)}, separated by commas"),
            _SKIP,
            limit(100, 10_000),
        ),
    ),
    V1Route(
        *(
            "GET",
            "/minions/summary",
            minion_routes.summarize_minions,
            "counts of minions, each with its filter",
        ),
        answer=ref("Summary"),
        right="as for /minions",
        takes=(_FILTER,),
    ),
    V1Route(
        *("GET", "/minions/{id}", minion_routes.show_minion, "a minion and its grains"),
        answer=ref("MinionDetail"),
        right="grains.items on the minion",
        refuses=(404,),
    ),
    V1Route(
        *("GET", "/targets/explain", minion_routes.explain_target, "which minions a target matches, and why"),
        answer=ref("Explained"),
        right="some function on the minions; for `why` and for pillar, the runner match.explain",
        takes=(
            _TARGET._replace(is_needed=True),
            _TARGET_TYPE,
            Parameter("why", "explain the minions", is_flag=True),
        ),
    ),
)
#: Routes of jobs.
_SEEN = "a job of the user, or the right to start the same job on its minions"
_RESUME = Parameter("last_event_id", "continue after this event; the header Last-Event-ID does the same")
_VERDICTS = ("failed", "silent", "would change", "changed", "ok")
JOBS = (
    V1Route(
        *("GET", "/jobs", job_routes.list_jobs, "jobs by page, the newest first"),
        answer=ref("JobPage"),
        right=_SEEN,
        takes=(
            AFTER,
            Parameter("fun", "a function; * and ? are wild"),
            Parameter("user", "who started it"),
            Parameter("verdict", "verdict on the job", choices=_VERDICTS),
            limit(50, 200),
        ),
    ),
    V1Route(
        *("POST", "/jobs", job_routes.start_job, "start a job; Idempotency-Key makes repeating safe"),
        answer=ref("Started"),
        right="the function on all minions of the target",
        body=schema_of(job_routes.JOB_FIELDS, when_back={"minimum": 1, "maximum": job_routes.MAX_WHEN_BACK}),
        status=202,
        refuses=(409, 422),
    ),
    V1Route(
        *("GET", "/jobs/{jid}", job_routes.show_job, "a job"),
        answer=ref("JobDetail"),
        right=_SEEN,
        refuses=(404,),
    ),
    V1Route(
        *("DELETE", "/jobs/{jid}", job_routes.stop_job, "end a job, and report on which minions it ended"),
        answer=ref("Stopped"),
        right=f"{_SEEN}; saltutil.kill_job on the minions that have not returned",
        refuses=(404,),
    ),
    V1Route(
        *("GET", "/jobs/{jid}/returns", job_routes.list_returns, "returns of a job by page, sorted by id"),
        answer=ref("ReturnPage"),
        right=_SEEN,
        takes=(AFTER, limit(100, 1000)),
        refuses=(404,),
    ),
    V1Route(
        *("GET", "/jobs/{jid}/report", job_routes.show_report, "report of a job, state by state"),
        answer=ref("Report"),
        right=_SEEN,
        refuses=(404, 413),
    ),
    V1Route(
        *("GET", "/jobs/{jid}/steps", stream_routes.stream_steps, "live steps of a job, then its events"),
        answer=TEXT,
        kind=stream_routes.KIND,
        right=_SEEN,
        takes=(_RESUME,),
        refuses=(404,),
    ),
    V1Route(
        *("GET", "/events", stream_routes.stream_events, "events as they happen"),
        answer=TEXT,
        kind=stream_routes.KIND,
        right="events about what the user does or may do; @events for all events",
        takes=(Parameter("tag", "beginning of the tags wanted"), _RESUME),
    ),
)
#: Routes of keys and invitations.
KEYS = (
    V1Route(
        *("GET", "/keys", key_routes.list_keys, "keys of minions by page"),
        answer=ref("KeyPage"),
        right="wheel key.finger",
        takes=(
            AFTER,
            Parameter("state", "state of the keys", choices=tuple(key_routes.STATES.values())),
            limit(100, 10_000),
        ),
    ),
    *(
        V1Route(
            *("POST", f"/keys/{{id}}:{word}", handler, f"{word} a key"),
            answer=ref("KeyDone"),
            right=f"wheel key.{word}",
            refuses=(404,),
        )
        for word, handler in (
            ("accept", key_routes.accept_key),
            ("reject", key_routes.reject_key),
            ("delete", key_routes.delete_key),
        )
    ),
    V1Route(
        *("GET", "/invitations", key_routes.list_invitations, "invitations, without their codes"),
        answer=ref("InvitationPage"),
        right="wheel key.invitations",
    ),
    V1Route(
        *("POST", "/invitations", key_routes.make_invitation, "invite a minion; the code is shown once"),
        answer=ref("NewInvitation"),
        right="wheel key.invite",
        body=schema_of(key_routes.INVITATION_FIELDS, uses={"minimum": 1, "maximum": 10_000}),
        status=201,
    ),
    V1Route(
        *("DELETE", "/invitations/{number}", key_routes.revoke_invitation, "revoke an invitation"),
        answer=ref("Revoked"),
        right="wheel key.revoke_invitation",
        refuses=(404,),
    ),
)
#: Routes of functions, resources and schedules.
FLEET = (
    V1Route(
        *("GET", "/functions", fleet_routes.find_functions, "functions of a minion with their arguments"),
        answer=ref("FunctionPage"),
        right="sys.argspec and sys.doc on the minion",
        takes=(
            Parameter("q", "the beginning of a function's name, such as pkg.in", is_needed=True),
            Parameter("on", "the id of the minion whose functions are meant", is_needed=True),
        ),
        refuses=(404,),
    ),
    V1Route(
        *("GET", "/resources", fleet_routes.list_resources, "resources by page"),
        answer=ref("ResourcePage"),
        right="runner resource.list",
        takes=(AFTER, Parameter("type", "type"), Parameter("minion", "managing minion"), limit(100, 10_000)),
    ),
    V1Route(
        *("GET", "/schedules", fleet_routes.show_schedules, "schedules of minions"),
        answer=ref("Schedules"),
        right="schedule.list on the minions",
        takes=(_TARGET._replace(default="*"), _TARGET_TYPE),
    ),
)
#: Routes of rollouts.
ROLLOUTS = (
    V1Route(
        *("GET", "/rollouts", rollout_routes.list_rollouts, "rollouts by page, the newest first"),
        answer=ref("RolloutPage"),
        right="to have started the rollout, or runner rollout.list",
        takes=(AFTER, limit(50, 200)),
    ),
    V1Route(
        *("POST", "/rollouts", rollout_routes.start_rollout, "run a job, or apply a plan, in waves"),
        answer=ref("NewRollout"),
        right="the job, its checks and, with undo, state.undo on all minions of the target",
        body=schema_of(rollout_routes.ROLLOUT_FIELDS),
        status=202,
        refuses=(409,),
    ),
    V1Route(
        *("GET", "/rollouts/{jid}", rollout_routes.show_rollout, "a rollout with its waves"),
        answer=ref("Rollout"),
        right="to have started it, or runner rollout.status",
        refuses=(404,),
    ),
    *(
        V1Route(
            *("POST", f"/rollouts/{{jid}}:{word}", handler, about),
            answer=ref("Rollout"),
            right=f"to have started it, or runners rollout.{word} and rollout.status",
            refuses=(404, 409),
        )
        for word, handler, about in (
            ("pause", rollout_routes.pause_rollout, "start on no further minions"),
            ("resume", rollout_routes.resume_rollout, "continue with the next wave"),
            ("stop", rollout_routes.stop_rollout, "end before reaching further minions"),
        )
    ),
)
#: Routes of the history of changes.
_SEES_HISTORY = "to see everything (@events, or all functions on all minions), or runner {}"
_SINCE = Parameter("since", "how far back, in seconds", maximum=400 * 86400)
HISTORY = (
    V1Route(
        *("GET", "/history", history_routes.list_changes, "what state runs changed, by page"),
        answer=ref("ChangePage"),
        right=_SEES_HISTORY.format("history.changes"),
        takes=(
            _SINCE._replace(default=30 * 86400),
            Parameter("name", "whole path, name or ID of a state"),
            Parameter("q", "part of a path, name, ID or function"),
            Parameter("minion", "id of the minion; * and ? are wild"),
            Parameter("cause", "why it changed", choices=("corrective", "intended", "unknown")),
            AFTER,
            limit(50, 500),
        ),
        refuses=(404,),
    ),
    V1Route(
        *("GET", "/history/texts/{digest}", history_routes.show_text, "the diff of a change"),
        answer=ref("Text"),
        right=_SEES_HISTORY.format("history.changes"),
        refuses=(404,),
    ),
    V1Route(
        *("GET", "/drift", history_routes.show_drift, "changes made on minions outside state runs"),
        answer=ref("Drift"),
        right=_SEES_HISTORY.format("history.drift"),
        takes=(_SINCE._replace(default=7 * 86400),),
        refuses=(404,),
    ),
)
#: Routes of the mailbox and of locks.
_OWN_LOCK = "the right @lock with {}, or all rights"
WAITING = (
    V1Route(
        *("GET", "/mailbox", mailbox_routes.list_orders, "jobs that wait for minions which are away"),
        answer=ref("OrderPage"),
        right="a login; users see their own orders, unlimited users all orders",
        takes=(AFTER, limit(100, 10_000)),
    ),
    V1Route(
        *("DELETE", "/mailbox/{order}", mailbox_routes.drop_order, "drop an order of the mailbox"),
        answer=ref("DroppedOrder"),
        right="a login; users drop their own orders, unlimited users any order",
        refuses=(404,),
    ),
    V1Route(
        *("GET", "/locks", lock_routes.list_locks, "locks and change freezes that are not over"),
        answer=ref("LockPage"),
        right="a login",
    ),
    V1Route(
        *("POST", "/locks", lock_routes.make_lock, "lock minions against changes"),
        answer=ref("Lock"),
        right=_OWN_LOCK.format("lock.add"),
        body=schema_of(lock_routes.LOCK_FIELDS),
        status=201,
    ),
    V1Route(
        *("DELETE", "/locks/{id}", lock_routes.drop_lock, "drop a lock"),
        answer=ref("Dropped"),
        right=_OWN_LOCK.format("lock.drop, for other users' locks lock.break"),
        refuses=(404, 409),
    ),
)
#: Routes of plans.
_SEES_PLAN = "to have made the plan, or state.apply_plan or state.approve_plan on all its minions"
_APPLIES = "state.apply_plan on all minions of the plan"
PLANS = (
    V1Route(
        *("GET", "/plans", plan_routes.list_plans, "plans that the master keeps, the newest first"),
        answer=ref("PlanPage"),
        right=_SEES_PLAN,
    ),
    V1Route(
        *("POST", "/plans", plan_routes.make_plan, "make a plan from a test run"),
        answer=ref("NewPlan"),
        right="the function with test=True on all minions of the target",
        body=schema_of(plan_routes.PLAN_FIELDS),
        status=202,
        refuses=(409,),
    ),
    V1Route(
        *("GET", "/plans/{id}", plan_routes.show_plan, "a plan"),
        answer=ref("PlanDetail"),
        right=_SEES_PLAN,
        refuses=(404,),
    ),
    V1Route(
        *("GET", "/plans/{id}/changes", plan_routes.list_changes, "changes of a plan, grouped by content"),
        answer=ref("PlannedChangePage"),
        right=_SEES_PLAN,
        takes=(AFTER, Parameter("minion", "only the changes of this minion"), limit(50, 500)),
        refuses=(404,),
    ),
    V1Route(
        *("POST", "/plans/{id}:close", plan_routes.close_plan, "accept no more results of the test run"),
        answer=ref("Plan"),
        right="to have made the plan",
        refuses=(404,),
    ),
    V1Route(
        *("POST", "/plans/{id}:approve", plan_routes.approve_plan, "approve a plan exactly as it is"),
        answer=ref("Plan"),
        right="state.approve_plan on all minions of the plan",
        refuses=(404,),
    ),
    V1Route(
        *("POST", "/plans/{id}:apply", plan_routes.apply_plan, "apply a plan, once"),
        answer=ref("Started"),
        right=_APPLIES,
        body=schema_of(plan_routes.APPLY_FIELDS),
        status=202,
        refuses=(404, 409),
    ),
    V1Route(
        *("DELETE", "/plans/{id}", plan_routes.drop_plan, "drop a plan"),
        answer=ref("Dropped"),
        right=f"to have made the plan, or {_APPLIES}",
        refuses=(404,),
    ),
)
#: Routes of scoped tokens.
_NO_TOKEN = "a login that is not a scoped token"
TOKENS = (
    V1Route(
        *("GET", "/tokens", token_routes.list_tokens, "the user's scoped tokens"),
        answer=ref("TokenPage"),
        right=_NO_TOKEN,
    ),
    V1Route(
        *("POST", "/tokens", token_routes.make_token, "make a scoped token, which is shown once"),
        answer=ref("NewToken"),
        right=f"{_NO_TOKEN}; the token never allows more than its user may do",
        body=schema_of(token_routes.TOKEN_FIELDS, name={"pattern": "^[A-Za-z0-9._-]{1,64}$"}),
        status=201,
    ),
    V1Route(
        *("DELETE", "/tokens/{id}", token_routes.revoke_token, "revoke one of the user's scoped tokens"),
        answer=ref("Revoked"),
        right=_NO_TOKEN,
        refuses=(404,),
    ),
)
ROUTES = (*ABOUT, *MINIONS, *JOBS, *KEYS, *FLEET, *PLANS, *ROLLOUTS, *HISTORY, *WAITING, *TOKENS)
