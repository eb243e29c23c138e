"""Stock's `salt.utils.slack`: requests to Slack, sent by the execution function `http.query`."""

from collections.abc import Mapping
from typing import Any

from salt_g import api
from salt_g.compat.utils.net import http

_URL = "https://slack.com/api"
#: {function: (path, key of the response with the result)}
_FUNCTIONS = {
    "rooms": ("conversations.list", "channels"),
    "users": ("users.list", "members"),
    "message": ("chat.postMessage", "channel"),
}


def query(
    function: str,
    api_key: str | None = None,
    args: Mapping[str, Any] | None = None,
    method: str = "GET",
    header_dict: Mapping[str, Any] | None = None,
    data: Any = None,
    opts: Any = None,
) -> dict[str, Any]:
    """Call a function (`rooms`, `users`, `message`) and return {res: success, message: answer or reason}.

    `api_key` defaults to the setting `slack.api_key` or `slack: {api_key}`.
    """
    key = api_key or api.call("config.get", "slack.api_key") or api.call("config.get", "slack:api_key")
    if not key:
        return {"message": "No Slack api key found.", "res": False}
    if function not in _FUNCTIONS:
        return {
            "message": f"Slack has no function {function!r}; known: {', '.join(_FUNCTIONS)}",
            "res": False,
        }
    path, part = _FUNCTIONS[function]
    headers = {**({"Accept": "application/json"} if header_dict is None else header_dict)}
    headers["Authorization"] = f"Bearer {key}"
    sent = {"params": dict(args or {}), "data": data, "header_dict": headers}
    answer = http.query(f"{_URL}/{path}", method, **sent, decode=True, status=True, opts=opts)
    found = answer.get("dict") or {}
    if "error" in answer or not found.get("ok"):
        return {"message": answer.get("error") or found.get("error", "no answer"), "res": False}
    return {"message": found.get(part), "res": True}


__all__ = ["query"]
