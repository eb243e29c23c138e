"""Orders that routes of /v1 send for the user: execution functions, runners and wheel functions."""

from __future__ import annotations

from typing import Any

from salt_g.http_api.messages import Refusal
from salt_g.http_api.orders import NO_RIGHT
from salt_g.http_api.v1.route import Called

#: HTTP statuses for the errors that a command reports, by kind of error (`why`).
_STATUSES = {"unknown": 404, "right": 403, "state": 409}


def one_result(called: Called, order: dict[str, Any]) -> Any:
    """Run an order and return its only result; raise Refusal if it fails."""
    [result] = called.parts.orders.run(called.parts.orders.check(order), called.client)
    return result


def wheel(called: Called, fun: str, **kwarg: Any) -> Any:
    """Call a wheel function and return its value; raise Refusal, with 400 if the function failed."""
    result = one_result(called, {"client": "wheel", "fun": fun, "kwarg": kwarg})
    data = result["data"]
    if not data.get("success", True):
        raise Refusal(400, str(data.get("return"))[:1000])
    return data.get("return")


def command(called: Called, cmd: str, **fields: Any) -> dict[str, Any]:
    """Send a command with the user's token to the master and return the reply; raise Refusal if it fails.

    The same rights apply as on the command line. The token is also sent in `kwargs`, where publications have
    it. `why` in a reply is the kind of its error.
    """
    token = called.user.token
    load = {"cmd": cmd, "token": token, **fields, "kwargs": {"token": token}}
    reply = called.parts.orders.ask(load, called.request.source)
    if not isinstance(reply, dict) or not reply:
        raise Refusal(503, "the master does not know this command; does it run the same version of salt-g?")
    error = reply.get("error")
    if isinstance(error, dict):
        raise Refusal(401, NO_RIGHT)
    if error:
        raise Refusal(_STATUSES.get(str(reply.get("why")), 400), str(error))
    return reply


def check_may_order(called: Called) -> None:
    """Raise Refusal unless the client `local_async`, which changes to plans and locks need, is enabled."""
    called.parts.orders.check({"client": "local_async", "fun": "test.ping", "tgt": "*"})


def runner(called: Called, fun: str, **kwarg: Any) -> Any:
    """Call a runner and return its value; raise Refusal if it fails."""
    return one_result(called, {"client": "runner", "fun": fun, "kwarg": kwarg})
