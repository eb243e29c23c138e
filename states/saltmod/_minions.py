"""Job requests, permitted failures and events shared by `salt.state` and `salt.function`."""

from __future__ import annotations

from typing import Any

from salt_g.api import current, is_ssh_setting, opts, services

#: Request for a job on minions; passed to `saltutil.cmd` and fired as an event.
Request = dict[str, Any]


#: State arguments included in each request.
_ALWAYS = ("ret", "timeout", "tgt_type", "ssh", "expect_minions")
#: State arguments included in a request if set.
_WHEN_FILLED = ("ret_config", "ret_kwargs")


def request_for(arguments: dict[str, Any], *, arg: list[Any], kwarg: dict[str, Any]) -> Request:
    """Return the request for `saltutil.cmd`; `arguments` are the `locals()` of the state."""
    request: Request = {"arg": arg, "kwarg": kwarg, **{key: arguments[key] for key in _ALWAYS}}
    request.update({key: arguments[key] for key in _WHEN_FILLED if arguments[key]})
    if arguments["ssh"]:
        request.update({name: value for name, value in arguments["kwargs"].items() if is_ssh_setting(name)})
    elif "roster" in arguments["kwargs"]:
        request["roster"] = arguments["kwargs"]["roster"]
    if arguments["batch"] is not None:
        request["batch"] = str(arguments["batch"])
    if arguments["subset"] is not None:
        request["subset"] = arguments["subset"]
    if arguments["failhard"] is True or opts.get("failhard"):
        request["failhard"] = True
    return request


def fire_arguments(result: dict[str, Any]) -> None:
    """Fire an event with the arguments of an orchestration step."""
    jid = current().low.get("__orchestration_jid__")
    events = getattr(services(), "events", None)
    if jid and events is not None:
        events.fire(f"salt/run/{jid}/args", result)


def forgiven(fail_minions: Any) -> tuple[list[str], list[str]]:
    """Return (minions that may fail, warnings) for `fail_minions`, a list or comma-separated text."""
    if fail_minions is None:
        return [], []
    if isinstance(fail_minions, str):
        return [id.strip() for id in fail_minions.split(",")], []
    if isinstance(fail_minions, list):
        return fail_minions, []
    return [], ["'fail_minions' needs to be a list or a comma separated string. Ignored."]


def jid_of(answers: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return {"__jid__": jid} of the job that these returns belong to, or {} if unknown."""
    first = next(iter(answers.values()), {})
    return {"__jid__": first["jid"]} if "jid" in first else {}


def returned(answer: dict[str, Any]) -> tuple[bool, Any]:
    """Return (whether a minion has returned, its return)."""
    for key in ("ret", "return"):
        if key in answer:
            return True, answer[key]
    return False, False
