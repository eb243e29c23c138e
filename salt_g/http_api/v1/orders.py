"""Orders that routes of /v1 send for their user: functions of minions, runners and wheel functions."""

from __future__ import annotations

from typing import Any

from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.route import Called


def one_result(called: Called, order: dict[str, Any]) -> Any:
    """Return the only result of an order; raise Refusal."""
    [result] = called.parts.orders.run(called.parts.orders.check(order), called.client)
    return result


def wheel(called: Called, fun: str, **kwarg: Any) -> Any:
    """Return what a wheel function returns; raise Refusal, with 400 when it failed."""
    result = one_result(called, {"client": "wheel", "fun": fun, "kwarg": kwarg})
    data = result["data"]
    if not data.get("success", True):
        raise Refusal(400, str(data.get("return"))[:1000])
    return data.get("return")


def runner(called: Called, fun: str, **kwarg: Any) -> Any:
    """Return what a runner returns; raise Refusal."""
    return one_result(called, {"client": "runner", "fun": fun, "kwarg": kwarg})
