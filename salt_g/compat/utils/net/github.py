"""Stock's `salt.utils.github`: public keys of GitHub users."""

from typing import Any

from salt_g.compat.utils.net import http
from salt_g.compat.utils.values import json


def get_user_pubkeys(users: Any) -> dict[str, Any]:
    """Return {user: {number: public key}}; an item {user: [number, ...]} selects some of a user's keys."""
    if not isinstance(users, list):
        return {"Error": "A list of users is expected"}
    found: dict[str, Any] = {}
    for item in users:
        user, numbers = next(iter(item.items())) if isinstance(item, dict) else (item, ())
        answer = http.query(f"https://api.github.com/users/{user}/keys", "GET", decode=False, text=True)
        chosen = {str(number) for number in numbers}
        keys = json.loads(answer["text"])
        found[user] = {key["id"]: key["key"] for key in keys if not chosen or str(key["id"]) in chosen}
    return found


__all__ = ["get_user_pubkeys"]
