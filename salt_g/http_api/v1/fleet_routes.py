"""Routes of what minions have: functions, resources, schedules."""

from __future__ import annotations

from typing import Any

from salt_g.http_api.api_services import Answer
from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.orders import one_result, runner
from salt_g.http_api.v1.route import Called

#: Most functions in an answer.
MOST_FUNCTIONS = 200
#: Signs that a search for functions may have; others would make it another pattern.
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")


def find_functions(called: Called) -> Answer:
    """Answer GET /functions: functions of a minion by the beginning of their names."""
    word, id = called.query["q"], called.query["on"]
    if not word or not set(word) <= _SAFE:
        raise Refusal(400, "q is the beginning of a function's name, such as pkg.in")
    if not id:
        raise Refusal(400, "on is missing; name the minion whose functions are meant")
    specs = _of(called, id, "sys.argspec", f"{word}*")
    docs = _of(called, id, "sys.doc", f"{word}*")
    names = sorted(specs)
    items = [_shown(name, specs[name], docs.get(name)) for name in names[:MOST_FUNCTIONS]]
    return Answer({"items": items, "next": None, "total": len(names)})


def list_resources(called: Called) -> Answer:
    """Answer GET /resources: what minions manage for others."""
    found = runner(called, "resource.list", type=called.query["type"], minion=called.query["minion"])
    items = [
        {"srn": srn, "minion": one["minion"], "type": one["type"], "lease": one.get("lease")}
        for srn, one in sorted(found.items())
        if srn > called.query["after"]
    ]
    page = items[: called.query["limit"]]
    return Answer(
        {"items": page, "next": page[-1]["srn"] if len(items) > len(page) else None, "total": len(found)}
    )


def show_schedules(called: Called) -> Answer:
    """Answer GET /schedules: the schedules of minions, as they say themselves."""
    order = {
        **{"client": "local", "tgt": called.query["tgt"], "tgt_type": called.query["tgt_type"]},
        **{"fun": "schedule.list", "kwarg": {"return_yaml": False, "show_all": True}},
    }
    answers = one_result(called, order)
    known = {id: jobs for id, jobs in (answers or {}).items() if isinstance(jobs, dict)}
    return Answer({"minions": known, "silent": sorted(set(answers or {}) - set(known))})


def _of(called: Called, id: str, fun: str, word: str) -> dict[str, Any]:
    """Return the answer of one minion; raise Refusal without one."""
    order = {"client": "local", "tgt": [id], "tgt_type": "list", "fun": fun, "arg": [word]}
    answer = (one_result(called, order) or {}).get(id)
    if not isinstance(answer, dict):
        raise Refusal(504, f"{id} does not answer; name a minion that is connected")
    return answer


def _shown(name: str, spec: dict[str, Any], doc: Any) -> dict[str, Any]:
    """Return a function with its arguments: those at the end have defaults."""
    names, defaults = spec.get("args") or [], spec.get("defaults") or []
    first = len(names) - len(defaults)
    arguments = [
        {
            "name": argument,
            "required": place < first,
            "default": None if place < first else defaults[place - first],
        }
        for place, argument in enumerate(names)
    ]
    return {
        **{"name": name, "arguments": arguments, "doc": doc or ""},
        **{"takes_more": bool(spec.get("varargs")), "takes_any": bool(spec.get("kwargs"))},
    }
