"""`salt.state`: states run on minions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.api import call, opts
from salt_g.report.run_verdict import succeeded
from salt_g.shapes import StateReturn
from salt_g.states._outcome import failed, outcome
from salt_g.states.saltmod._minions import (
    Request,
    fire_arguments,
    forgiven,
    jid_of,
    request_for,
    returned,
)

#: Maximum number of warnings repeated from the states on minions.
_MOST_WARNINGS = 10


def state(
    name: str, tgt: Any, ssh: bool = False, tgt_type: str = "glob", ret: Any = "", ret_config: Any = None,
    ret_kwargs: Any = None, highstate: bool | None = None, sls: Any = None, top: str | None = None,
    saltenv: str | None = None, test: bool | None = None, pillar: dict[str, Any] | None = None,
    pillarenv: str | None = None, expect_minions: bool = True, exclude: Any = None,
    fail_minions: Any = None, allow_fail: int = 0, concurrent: bool = False,
    timeout: float | None = None, batch: Any = None, queue: Any = False, subset: int | None = None,
    orchestration_jid: str | None = None, failhard: bool | None = None, **kwargs: Any,
) -> StateReturn:  # fmt: skip
    """Run the highstate, a top file or SLS on the minions targeted by `tgt`.

    One of `highstate: True`, `top` (name of a top file) and `sls` (a name or a list) selects the states.
    `test`, `pillar`, `pillarenv`, `saltenv`, `exclude`, `queue`, `concurrent` are passed to the runs; `batch`
    limits how many minions run at once, `subset` how many run at all. `fail_minions` lists minions that may
    fail, `allow_fail` is the number of other minions that may fail; with `expect_minions: False`, it is not
    an error if no minion returns. On a masterless minion, the states run there.

    Example::

        webservers:
          salt.state:
            - tgt: 'web*'
            - sls: [apache, django]
    """
    chosen = _what(highstate, top, sls)
    try:
        allowed = int(allow_fail)
    except ValueError:
        return failed(name, "Passed invalid value for 'allow_fail', must be an int")
    if chosen is None:
        return failed(name, "No highstate or sls specified, no execution made")
    if not isinstance(concurrent, bool):
        return failed(name, "Must pass in boolean for value of 'concurrent'")
    if misspelt := _misspelt_test(kwargs):
        return failed(name, f"The argument {misspelt!r} is not known, nearest: 'test'; no execution made")
    fun, arg = chosen
    request = request_for(locals(), arg=arg, kwarg=_options_of_run(locals()))
    answers = _run(name, tgt, fun, request)
    if not answers and expect_minions:
        return failed(name, "No minions returned")
    return _state_return(name, answers, fail_minions, allowed, is_test=bool(test or opts.get("test")))


def _what(highstate: Any, top: str | None, sls: Any) -> tuple[str, list[Any]] | None:
    """Return (function, arguments) of the request, or None if nothing is requested."""
    if highstate:
        return "state.highstate", []
    if top:
        return "state.top", [top]
    if sls:
        return "state.sls", [",".join(sls) if isinstance(sls, list) else sls]
    return None


def _misspelt_test(keywords: Mapping[str, Any]) -> str:
    """Return a keyword that looks like a misspelt `test`, which would make changes unintentionally, or ''."""
    import difflib

    near = (key for key in keywords if difflib.get_close_matches(key.lower(), ("test",), cutoff=0.75))
    return next(near, "")


def _options_of_run(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return those arguments of `state` that are passed to the run on a minion."""
    given = {key: arguments[key] for key in ("pillarenv", "saltenv", "exclude", "queue", "concurrent")}
    given["test"] = arguments["test"] if arguments["test"] is not None else opts.get("test") or None
    given["pillar"] = arguments["pillar"] or None
    return {key: value for key, value in given.items() if value is not None}


def _run(name: str, tgt: Any, fun: str, request: Request) -> dict[str, dict[str, Any]]:
    """Return {id: return} of the minions, or of this machine if there is no master."""
    if opts.get("__role") == "minion" and opts.get("file_client") == "local" and not request["ssh"]:
        running = call(fun, *request["arg"], **request["kwarg"])
        return {opts["id"]: {"ret": running, "out": "highstate"}}
    fire_arguments({"type": "state", "tgt": tgt, "name": name, "args": request})
    answers: dict[str, dict[str, Any]] = call("saltutil.cmd", tgt, fun, **request)
    return answers


def _state_return(
    name: str, answers: dict[str, dict[str, Any]], fail_minions: Any, allowed: int, *, is_test: bool
) -> StateReturn:
    """Return the state return for the returns of the minions."""
    may_fail, warnings = forgiven(fail_minions)
    bad = [id for id, answer in answers.items() if not _is_good(answer)]
    failures = sorted(id for id in bad if id not in may_fail)
    good = [id for id in answers if id not in bad]
    changes = {
        id: False if answers[id].get("failed") or _is_error(answers[id]) else returned(answers[id])[1]
        for id in answers
        if id in bad or _has_changes(answers[id])
    }
    warnings = [*warnings, *_warned(answers)]
    extra: dict[str, Any] = {**jid_of(answers), **({"warnings": warnings} if warnings else {})}
    shown = {"out": "highstate", "ret": changes} if changes else {}
    if len(failures) > allowed:
        details = filter(None, (_detail(id, answers[id]) for id in failures))
        comment = "\n".join((f"Run failed on minions: {', '.join(failures)}", *details))
        return failed(name, comment, shown, **extra)
    comment = "States ran successfully."
    if changes:
        comment += f" Updating {', '.join(changes)}."
    unchanged = [id for id in good if id not in changes]
    if unchanged:
        comment += f" No changes made to {', '.join(unchanged)}."
    return outcome(name, None if is_test and changes else True, comment, shown, **extra)


def _warned(answers: dict[str, dict[str, Any]]) -> list[str]:
    """Return the warnings of states on minions, each prefixed with the ids of its minions."""
    found: dict[str, dict[str, None]] = {}
    for id, answer in answers.items():
        value = returned(answer)[1]
        for entry in value.values() if isinstance(value, Mapping) else ():
            warnings = entry.get("warnings") if isinstance(entry, Mapping) else None
            for warning in warnings if isinstance(warnings, list) else ():
                found.setdefault(str(warning), {})[id] = None
    shown = [f"{', '.join(ids)}: {warning}" for warning, ids in list(found.items())[:_MOST_WARNINGS]]
    return [*shown, *([f"{len(found) - len(shown)} further warnings"] if len(found) > len(shown) else [])]


def _is_good(answer: dict[str, Any]) -> bool:
    is_there, value = returned(answer)
    is_run = is_there and not answer.get("failed") and not _is_error(answer)
    return is_run and succeeded(value, nested=True)


def _is_error(answer: dict[str, Any]) -> bool:
    """Return whether the answer is an error of a host reached by SSH."""
    value = returned(answer)[1]
    return isinstance(value, dict) and {"_error", "stderr", "retcode"} <= value.keys()


def _has_changes(answer: dict[str, Any]) -> bool:
    value = returned(answer)[1]
    entries = value.values() if isinstance(value, Mapping) else ()
    return any(isinstance(entry, Mapping) and entry.get("changes") for entry in entries)


def _detail(id: str, answer: dict[str, Any]) -> str:
    """Return the reason for a minion's failure, or '' if its state returns explain it."""
    is_there, value = returned(answer)
    if not is_there:
        return f"Minion {id} did not return a state result."
    if _is_error(answer):
        return f"Host {id} failed: {value['stderr'].strip() or value['_error']}"
    if isinstance(value, (list, tuple)):
        text = "; ".join(str(item) for item in value if item)
        return (
            f"Minion {id} returned errors: {text}" if text else f"Minion {id} returned an empty error list."
        )
    return "" if isinstance(value, dict) else f"Minion {id} returned {value!r} instead of a state result."
