"""Routes for functions, resources and schedules of minions."""

from __future__ import annotations

from typing import Any

from salt_g.http_api.api_services import Answer
from salt_g.http_api.known.function_lists import Functions
from salt_g.http_api.known.sights import sight_of
from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.route import Called
from salt_g.http_api.v1.route_orders import one_result, runner

#: Maximum number of functions in an answer.
MOST_FUNCTIONS = 200
#: Functions called on a minion: they return the arguments and the documentation.
_ASKED = ("sys.argspec", "sys.doc")
#: Characters allowed in a search for functions; others could act as wildcards.
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")


def find_functions(called: Called) -> Answer:
    """Answer GET /functions: functions of a minion whose names begin with a word."""
    word, id = called.query["q"], called.query["on"]
    if not set(word) <= _SAFE:
        raise Refusal(400, "q must be the beginning of a function's name, such as pkg.in")
    found = _known(called, id, word) if _may_ask(called, id) else _functions(called, id, word)
    items = [found[name] for name in sorted(found)[:MOST_FUNCTIONS]]
    return Answer({"items": items, "next": None, "total": len(found)})


def list_resources(called: Called) -> Answer:
    """Answer GET /resources: resources and the minions that manage them."""
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
    """Answer GET /schedules: the schedules that minions report."""
    order = {
        **{"client": "local", "tgt": called.query["tgt"], "tgt_type": called.query["tgt_type"]},
        **{"fun": "schedule.list", "kwarg": {"return_yaml": False, "show_all": True}},
    }
    answers = one_result(called, order)
    known = {id: jobs for id, jobs in (answers or {}).items() if isinstance(jobs, dict)}
    return Answer({"minions": known, "silent": sorted(set(answers or {}) - set(known))})


def _may_ask(called: Called, id: str) -> bool:
    """Return whether the user may ask this minion, so that a cached answer may be used."""
    rights = called.parts.orders.ask({"cmd": "rights", "token": called.user.token}, called.request.source)
    if not isinstance(rights, dict) or "permissions" not in rights:
        return False
    sight = sight_of(called.parts, rights, called.request.source)
    return all(sight.may_run(fun, [id]) for fun in _ASKED)


def _known(called: Called, id: str, word: str) -> Functions:
    called.parts.orders.check(_order(id, "sys.argspec", word))
    row = called.parts.fleet.rows().get(id)
    version = str(row["version"]) if row else ""
    return called.parts.function_lists.get(id, version, word, lambda: _functions(called, id, word))


def _functions(called: Called, id: str, word: str) -> Functions:
    """Ask a minion for its functions that begin with a word, and return them."""
    specs, docs = (_of(called, id, fun, f"{word}*") for fun in _ASKED)
    return {name: _shown(name, spec, docs.get(name)) for name, spec in specs.items()}


def _order(id: str, fun: str, word: str) -> dict[str, Any]:
    return {"client": "local", "tgt": [id], "tgt_type": "list", "fun": fun, "arg": [word]}


def _of(called: Called, id: str, fun: str, word: str) -> dict[str, Any]:
    """Call a function on one minion and return the answer; raise Refusal if there is none."""
    answer = (one_result(called, _order(id, fun, word)) or {}).get(id)
    if not isinstance(answer, dict):
        if id not in called.parts.fleet.rows():
            raise Refusal(404, f"there is no minion {id[:100]!r}; GET /v1/minions lists them")
        raise Refusal(504, f"{id} does not answer; name a minion that is connected")
    return answer


def _shown(name: str, spec: dict[str, Any], doc: Any) -> dict[str, Any]:
    """Return a function as /v1 shows it; `defaults` of the spec belong to the last arguments."""
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
