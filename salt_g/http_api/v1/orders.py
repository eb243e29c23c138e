"""Orders that routes of /v1 send for their user: functions of minions, runners and wheel functions."""

from __future__ import annotations

from typing import Any

from salt_g.http_api.messages import Refusal
from salt_g.http_api.orders import NO_RIGHT
from salt_g.http_api.v1.route import Called

#: Statuses of problems that a command reports, by their kind.
_STATUSES = {"unknown": 404, "right": 403, "state": 409}


def one_result(called: Called, order: dict[str, Any]) -> Any:
    """Return the only result of an order; raise Refusal."""
    [result] = called.parts.orders.run(called.parts.orders.check(order), called.client)
    return result


def wheel(called: Called, fun: str, **kwarg: Any) -> Any:
    """Call a wheel function and return its value; raise Refusal, with 400 when it failed."""
    result = one_result(called, {"client": "wheel", "fun": fun, "kwarg": kwarg})
    data = result["data"]
    if not data.get("success", True):
        raise Refusal(400, str(data.get("return"))[:1000])
    return data.get("return")


def command(called: Called, cmd: str, **fields: Any) -> dict[str, Any]:
    """Return the reply to a command that has the same rights as on the command line; raise Refusal.

    The proof stands where publications have it too. `why` of a problem says what kind it is.
    """
    token = called.user.token
    load = {"cmd": cmd, "token": token, **fields, "kwargs": {"token": token}}
    reply = called.parts.orders.ask(load, called.request.source)
    if not isinstance(reply, dict) or not reply:
        raise Refusal(503, "the master does not know this command; is it of the same version?")
    error = reply.get("error")
    if isinstance(error, dict):
        raise Refusal(401, NO_RIGHT)
    if error:
        raise Refusal(_STATUSES.get(str(reply.get("why")), 400), str(error))
    return reply


def check_may_order(called: Called) -> None:
    """Raise Refusal unless the API may start jobs: what decides about jobs needs the same client."""
    called.parts.orders.check({"client": "local_async", "fun": "test.ping", "tgt": "*"})


def runner(called: Called, fun: str, **kwarg: Any) -> Any:
    """Call a runner and return its value; raise Refusal."""
    return one_result(called, {"client": "runner", "fun": fun, "kwarg": kwarg})
