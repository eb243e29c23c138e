"""What `salt.state` and `salt.function` share: how a job is asked for, who may fail, what the bus is told."""

from __future__ import annotations

from typing import Any

from salt_g.api import current, opts, services

#: What a job on minions is asked for with; goes to `saltutil.cmd` and into an event.
Request = dict[str, Any]


#: Arguments of the states that go into each request.
_ALWAYS = ("ret", "timeout", "tgt_type", "ssh", "expect_minions")
#: Those that go into a request when they say something.
_WHEN_FILLED = ("ret_config", "ret_kwargs")


def request_for(arguments: dict[str, Any], *, arg: list[Any], kwarg: dict[str, Any]) -> Request:
    """Return what to ask `saltutil.cmd` for; `arguments` are the `locals()` of the state."""
    request: Request = {"arg": arg, "kwarg": kwarg, **{key: arguments[key] for key in _ALWAYS}}
    request.update({key: arguments[key] for key in _WHEN_FILLED if arguments[key]})
    if "roster" in arguments["kwargs"]:
        request["roster"] = arguments["kwargs"]["roster"]
    if arguments["batch"] is not None:
        request["batch"] = str(arguments["batch"])
    if arguments["subset"] is not None:
        request["subset"] = arguments["subset"]
    if arguments["failhard"] is True or opts.get("failhard"):
        request["failhard"] = True
    return request


def tell_arguments(told: dict[str, Any]) -> None:
    """Fire what a state of this orchestration is about to ask for."""
    jid = current().low.get("__orchestration_jid__")
    events = getattr(services(), "events", None)
    if jid and events is not None:
        events.fire(f"salt/run/{jid}/args", told)


def forgiven(fail_minions: Any) -> tuple[list[str], list[str]]:
    """Return (who may fail, warnings) of the argument `fail_minions`: a list or a text with commas."""
    if fail_minions is None:
        return [], []
    if isinstance(fail_minions, str):
        return [id.strip() for id in fail_minions.split(",")], []
    if isinstance(fail_minions, list):
        return fail_minions, []
    return [], ["'fail_minions' needs to be a list or a comma separated string. Ignored."]


def jid_of(answers: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return {"__jid__": jid} of the job that minions have answered, {} when it is not known."""
    first = next(iter(answers.values()), {})
    return {"__jid__": first["jid"]} if "jid" in first else {}


def returned(answer: dict[str, Any]) -> tuple[bool, Any]:
    """Return (whether there is one, the return) of what came from one minion."""
    for key in ("ret", "return"):
        if key in answer:
            return True, answer[key]
    return False, False
