"""Schemas of the responses and request bodies of /v1, as components of the OpenAPI document."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer", "minimum": 0}
FLAG: Schema = {"type": "boolean"}
ANY: Schema = {}
OPEN: Schema = {"type": "object"}


def obj(required: dict[str, Schema], **optional: Schema) -> Schema:
    """Return the schema of an object with these keys and no others."""
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }


def many(of: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": of}


def by_name(of: Schema) -> Schema:
    """Return the schema of an object with arbitrary keys."""
    return {"type": "object", "additionalProperties": of}


def maybe(of: Schema) -> Schema:
    """Return the schema of a value that may be null."""
    return {"anyOf": [of, {"type": "null"}]}


def ref(name: str) -> Schema:
    """Return the reference to a component."""
    return {"$ref": f"#/components/schemas/{name}"}


def page(of: Schema, **more: Schema) -> Schema:
    """Return the schema of a page; `next` is the value of `after` for the next page, null on the last."""
    return obj({"items": many(of), "next": maybe(TEXT), **more})


VERDICT: Schema = {"enum": ["failed", "silent", "would change", "changed", "ok"]}
STATUS: Schema = {"enum": ["failed", "would change", "changed", "ok", "none"]}
COUNTS = by_name(COUNT)

COMPONENTS: dict[str, Schema] = {
    # A request that cannot be parsed has no known route, so its answer also has stock's field `return`.
    "Problem": obj({"status": COUNT, "title": TEXT, "detail": TEXT, "hint": TEXT}, **{"return": TEXT}),
    "Me": obj(
        {
            "user": TEXT,
            "eauth": TEXT,
            "expires": NUMBER,
            "permissions": many(ANY),
            "token": maybe(obj({"name": TEXT, "limits": many(ANY)})),
            "sees_all": FLAG,
        }
    ),
    "Health": obj({"status": {"enum": ["ok", "no master"]}, "version": TEXT}),
    "Logins": obj({"eauth": many(TEXT)}),
    "LastRun": obj({"jid": TEXT, "fun": TEXT, "user": TEXT, "verdict": VERDICT, "counts": COUNTS}),
    # Rows contain only the requested fields.
    "Minion": {
        "type": "object",
        "properties": {
            "id": TEXT,
            "os": maybe(TEXT),
            "os_version": maybe(TEXT),
            "os_family": maybe(TEXT),
            "kernel": maybe(TEXT),
            "version": maybe(TEXT),
            "addresses": many(TEXT),
            "seen": maybe(NUMBER),
            "connected": FLAG,
            "status": STATUS,
            "last_run": maybe(ref("LastRun")),
            "resources": COUNT,
        },
        "required": ["id"],
        "additionalProperties": False,
    },
    "MinionPage": page(ref("Minion"), total=COUNT),
    "MinionDetail": obj({"minion": ref("Minion"), "grains": maybe(OPEN)}),
    "Summary": obj(
        {
            "total": COUNT,
            "status": obj(dict.fromkeys(("ok", "changed", "would change", "failed", "none", "away"), COUNT)),
            "facets": by_name(many(obj({"value": TEXT, "count": COUNT, "filter": TEXT}))),
        }
    ),
    "Explained": obj(
        {
            "count": COUNT,
            "ids": many(TEXT),
            "more": COUNT,
            "why": by_name(obj({"matched": FLAG, "terms": many(OPEN)}, note=TEXT)),
        }
    ),
}

TARGET: Schema = {"type": ["string", "array", "object"]}
JOB = obj(
    {
        "jid": TEXT,
        "fun": TEXT,
        "arg": many(ANY),
        "tgt": TARGET,
        "tgt_type": TEXT,
        "user": TEXT,
        "began": TEXT,
        "expected": COUNT,
        "returned": COUNT,
        "counts": COUNTS,
        "verdict": VERDICT,
    }
)
RETURN = obj(
    {"id": TEXT, "verdict": VERDICT, "counts": COUNTS, "return": ANY, "retcode": ANY, "success": FLAG}
)
KEY = obj({"id": TEXT, "state": {"enum": ["accepted", "pending", "rejected", "denied"]}, "fingerprint": TEXT})
ARGUMENT = obj({"name": TEXT, "required": FLAG, "default": ANY})
FUNCTION = obj(
    {
        "name": TEXT,
        "arguments": many(ref("Argument")),
        "doc": TEXT,
        "takes_more": FLAG,
        "takes_any": FLAG,
    }
)
COMPONENTS.update(
    {
        "Job": JOB,
        "JobPage": page(ref("Job")),
        "JobDetail": obj({"job": ref("Job"), "minions": many(TEXT), "missing": many(TEXT)}),
        "Started": obj(
            {"jid": TEXT, "minions": many(TEXT)},
            kept=obj({"order": TEXT, "minions": many(TEXT), "until": NUMBER}),
        ),
        "Return": RETURN,
        "ReturnPage": page(ref("Return")),
        "Report": {
            "type": "object",
            "properties": {"jid": TEXT, "counts": COUNTS, "minions": by_name(OPEN)},
            "required": ["jid", "counts", "minions"],
        },
        "Stopped": obj({"ended": by_name(TEXT), "not_running": many(TEXT), "silent": many(TEXT)}),
        "Key": KEY,
        "KeyPage": page(ref("Key"), total=COUNT),
        "KeyDone": obj({"id": TEXT, "done": {"enum": ["accept", "reject", "delete"]}}),
        "Invitation": obj(
            {"number": TEXT, "id": TEXT, "by": TEXT, "expires": NUMBER, "uses": COUNT, "left": COUNT},
            used=by_name(TEXT),
        ),
        "InvitationPage": page(ref("Invitation")),
        "NewInvitation": obj(
            {"number": TEXT, "code": TEXT, "finger": TEXT, "expires": NUMBER, "command": TEXT}
        ),
        "Revoked": obj({"revoked": TEXT}),
        "Argument": ARGUMENT,
        "Function": FUNCTION,
        "FunctionPage": page(ref("Function"), total=COUNT),
        "Resource": obj({"srn": TEXT, "minion": TEXT, "type": TEXT, "lease": maybe(NUMBER)}),
        "ResourcePage": page(ref("Resource"), total=COUNT),
        "Token": obj(
            {
                "id": TEXT,
                "name": TEXT,
                "limits": many(ANY),
                "from": many(TEXT),
                "began": NUMBER,
                "expires": NUMBER,
            }
        ),
        "TokenPage": page(ref("Token")),
        "NewToken": obj(
            {"token": TEXT, "name": TEXT, "limits": many(ANY), "from": many(TEXT), "expires": NUMBER}
        ),
        "Schedules": obj({"minions": by_name(by_name(ANY)), "silent": many(TEXT)}),
    }
)

ORDER = obj(
    {
        "order": TEXT,
        "user": TEXT,
        "made": NUMBER,
        "until": NUMBER,
        "fun": {"type": ["string", "array"]},
        "arg": many(ANY),
        "tgt": TARGET,
        "tgt_type": maybe(TEXT),
        "waiting": many(TEXT),
        "sent": by_name(TEXT),
    }
)
LOCK = obj(
    {
        "id": TEXT,
        "target": TARGET,
        "tgt_type": TEXT,
        "owner": TEXT,
        "reason": TEXT,
        "since": NUMBER,
        "until": NUMBER,
        "is_freeze": FLAG,
    }
)
COMPONENTS.update(
    {
        "Order": ORDER,
        "OrderPage": page(ref("Order"), total=COUNT),
        "DroppedOrder": obj({"dropped": TEXT, "minions": COUNT}),
        "Lock": LOCK,
        "LockPage": page(ref("Lock")),
        "Dropped": obj({"dropped": TEXT}),
    }
)

PLAN = obj(
    {
        **{"id": TEXT, "name": TEXT, "fun": TEXT, "arg": many(ANY), "user": TEXT, "jid": TEXT},
        **{"made": NUMBER, "until": NUMBER, "is_closed": FLAG, "counts": COUNTS},
        "minions": COUNT,
        "refused": COUNT,
        "approvals": many(obj({"user": TEXT, "at": NUMBER})),
        "applied": many(obj({"jid": TEXT, "user": TEXT, "at": NUMBER})),
        "state": {"enum": ["testing", "waiting", "ready", "applied"]},
    }
)
PLANNED_CHANGE = obj(
    {
        **dict.fromkeys(("fun", "id", "name", "shown", "text", "opaque"), TEXT),
        "verdict": {"enum": ["change", "fails", "unreadable"]},
        "minions": many(TEXT),
        "count": COUNT,
        "cut": COUNT,
    }
)
COMPONENTS.update(
    {
        "Plan": PLAN,
        "PlanPage": page(ref("Plan")),
        "NewPlan": obj({"id": TEXT, "jid": TEXT, "minions": many(TEXT)}),
        "PlanDetail": obj({"plan": ref("Plan"), "minions": many(TEXT), "refused": by_name(TEXT)}),
        "PlannedChange": PLANNED_CHANGE,
        "PlannedChangePage": page(ref("PlannedChange"), total=COUNT, idle=many(TEXT)),
    }
)

_CHANGED: dict[str, Schema] = {
    **dict.fromkeys(("id", "name", "fun", "text"), TEXT),
    **dict.fromkeys(("added", "removed"), maybe(COUNT)),
    "minions": many(TEXT),
    "count": COUNT,
}
COMPONENTS.update(
    {
        "Change": obj(
            {
                **_CHANGED,
                **{"at": NUMBER, "jid": TEXT, "user": TEXT, "test": FLAG},
                "cause": {"enum": ["corrective", "intended", "unknown"]},
            }
        ),
        "ChangePage": page(ref("Change")),
        "Text": obj({"text": TEXT}),
        "Drift": obj(
            {
                "items": many(obj({**_CHANGED, "last": NUMBER, "state": {"enum": ["found", "corrected"]}})),
                "not_tested": many(TEXT),
                "more": COUNT,
                "is_cut": FLAG,
            }
        ),
    }
)

WAVE = obj(
    {
        "size": COUNT,
        "state": {"enum": ["waiting", "running", "soaking", "checking", "done", "failed"]},
        "done": COUNT,
        "count": COUNT,
        "failures": COUNT,
        "minions": many(TEXT),
        "failed": by_name(TEXT),
    }
)
COMPONENTS.update(
    {
        "Wave": WAVE,
        "Rollout": obj(
            {
                **{"jid": TEXT, "function": ANY, "arguments": many(ANY), "target": ANY, "user": TEXT},
                "state": {"enum": ["running", "paused", "stopped", "done", "undone"]},
                "waves": many(ref("Wave")),
                **dict.fromkeys(("reached", "total", "untouched", "undone"), COUNT),
                "stopped": maybe(TEXT),
                "started": NUMBER,
                "ended": maybe(NUMBER),
                "away": many(TEXT),
                "undo_failed": by_name(TEXT),
            }
        ),
        "NewRollout": obj({"jid": TEXT}),
        "RolloutPage": page(ref("Rollout"), total=COUNT),
    }
)
