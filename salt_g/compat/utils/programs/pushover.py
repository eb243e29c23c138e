"""Stock's `salt.utils.pushover`: requests to Pushover, sent by the execution function `http.query`."""

import json
import urllib.parse
from collections.abc import Mapping
from typing import Any

from salt_g.compat.utils.net import http

_URL = "https://api.pushover.net"
_PATHS = {"message": "messages.json", "validate_user": "users/validate.json", "validate_sound": "sounds.json"}
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def query(
    function: str,
    token: str | None = None,
    api_version: str = "1",
    method: str = "POST",
    header_dict: Mapping[str, Any] | None = None,
    data: Any = None,
    query_params: Mapping[str, Any] | None = None,
    opts: Any = None,
) -> dict[str, Any]:
    """Call a function (`message`, `validate_user`, `validate_sound`).

    Returns {res: True, message: answer of `http.query`}, or {res: False, message: reason} if it is unknown.
    """
    if function not in _PATHS:
        return {"message": f"Pushover has no function {function!r}; known: {', '.join(_PATHS)}", "res": False}
    sent = {"params": dict(query_params or {}), "data": data, "header_dict": header_dict}
    answer = http.query(
        f"{_URL}/{api_version}/{_PATHS[function]}", method, **sent, decode=True, decode_type="json", text=True
    )
    return {"message": answer, "res": True}


def validate_sound(sound: str, token: str) -> dict[str, Any]:
    """Return {res, message}: whether Pushover knows a sound."""
    answer = query("validate_sound", token, method="GET", query_params={"token": token})["message"]
    if (reason := _refusal(answer)) is not None:
        return {"message": reason, "res": False}
    if sound in answer["dict"].get("sounds", ()):
        return {"message": f"Valid sound {sound}.", "res": True}
    return {"message": f"Warning: {sound} not a valid sound.", "res": False}


def validate_user(user: str, device: str | None, token: str) -> dict[str, Any]:
    """Return {result, message}: whether Pushover knows a user or group, and the device if given."""
    fields = {"user": user, "token": token, **({"device": device} if device else {})}
    data = urllib.parse.urlencode(fields)
    answer = query("validate_user", token, header_dict=_FORM, data=data)["message"]
    if (reason := _refusal(answer)) is not None:
        return {"message": reason, "result": False}
    return {"message": "User key is valid.", "result": True}


def _refusal(answer: Mapping[str, Any]) -> str | None:
    """Return the reason why Pushover refused a request, or None if it did not."""
    found = answer.get("dict")
    if not isinstance(found, Mapping):
        try:
            found = json.loads(answer.get("body") or "null")
        except ValueError:
            found = None
    if "error" not in answer and isinstance(found, Mapping) and found.get("status", 1) == 1:
        return None
    reasons = found.get("errors") if isinstance(found, Mapping) else None
    return ", ".join(map(str, reasons)) if reasons else str(answer.get("error", "no answer"))


__all__ = ["query", "validate_sound", "validate_user"]
