"""Messages to Slack, and its lists of channels and users (`slack`).

Settings (minion or pillar): `slack: {api_key, hook, api_url, hook_url}`, or with a dot (`slack.api_key`);
the two URLs select a server other than Slack's own.
Shapes: a refusal of the server is {"res": False, "message": its reason}.
Source: Slack's Web API (chat.postMessage, conversations.list, users.list) and incoming webhooks.
"""

from __future__ import annotations

import json
import logging
import urllib.parse
from typing import Any

from salt_g.api import call
from salt_g.errors import InvocationError

log = logging.getLogger(__name__)

__virtualname__ = "slack"

API_URL = "https://slack.com/api"
HOOK_URL = "https://hooks.slack.com/services"
_FORM = "application/x-www-form-urlencoded"


def __virtual__() -> str:
    return __virtualname__


def list_rooms(api_key: str | None = None) -> dict[str, Any]:
    """Return {"res": True, "message": [channel, ...]}. `api_key` defaults to the setting `slack.api_key`.

    Example::

        salt-g slack.list_rooms
    """
    return _listed("conversations.list", "channels", api_key)


def list_users(api_key: str | None = None) -> dict[str, Any]:
    """Return {"res": True, "message": [user, ...]}; `api_key` as in `slack.list_rooms`.

    Example::

        salt-g slack.list_users
    """
    return _listed("users.list", "members", api_key)


def find_room(name: str, api_key: str | None = None) -> Any:
    """Return the channel with this name (with or without `#`), or False if there is none.

    Example::

        salt-g slack.find_room random
    """
    return _named(name.removeprefix("#"), list_rooms(api_key))


def find_user(name: str, api_key: str | None = None) -> Any:
    """Return the user with this name, or False if there is none.

    Example::

        salt-g slack.find_user ann
    """
    return _named(name, list_users(api_key))


def post_message(
    channel: str,
    message: str,
    from_name: str | None = None,
    api_key: str | None = None,
    icon: str | None = None,
    attachments: Any = None,
    blocks: Any = None,
) -> Any:
    """Send a message to a channel; return True, or the server's refusal.

    from_name, icon
        A name, and the URL of a picture, in place of the app's own; Slack refuses them for current apps.
    attachments, blocks
        Lists of Slack's attachments and blocks.

    Example::

        salt-g slack.post_message '#builds' 'Build is done'
    """
    key = _api_key(api_key)
    for name, value in (("channel", channel), ("message", message)):
        if not value:
            log.error("%s is a required option.", name)
    form = {"channel": f"#{channel.removeprefix('#')}", "text": message}
    form |= {"attachments": json.dumps(attachments or []), "blocks": json.dumps(blocks or [])}
    overrides = {"username": from_name, "icon_url": icon}
    form |= {name: value for name, value in overrides.items() if value}
    if from_name or icon:
        log.warning("slack.post_message: Slack refuses from_name and icon for current apps; leave them out.")
    headers = {"Authorization": f"Bearer {key}", "Content-Type": _FORM}
    answer = _answer(
        "chat.postMessage", method="POST", header_dict=headers, data=urllib.parse.urlencode(form)
    )
    return True if answer["res"] else answer


def call_hook(
    message: str,
    attachment: str | None = None,
    color: str = "good",
    short: bool = False,
    identifier: str | None = None,
    channel: str | None = None,
    username: str | None = None,
    icon_emoji: str | None = None,
) -> Any:
    """Send a message to an incoming webhook; return True, or the server's refusal.

    attachment, color, short
        Text below the message, the colour of its border, and whether it may be shown beside others.
    identifier
        The last three parts of the webhook's URL, by default the setting `hook`.
    channel, username, icon_emoji
        Values that replace those of the webhook.

    Example::

        salt-g slack.call_hook 'Hello' identifier=T00000000/B00000000/XXXXXXXX
    """
    hook = identifier or _setting("hook")
    if not hook:
        raise InvocationError("No Slack WebHook url found.")
    payload: dict[str, Any] = {"text": message}
    if attachment:
        fields = [{"value": attachment, "short": short}]
        payload = {
            "attachments": [{"fallback": message, "color": color, "pretext": message, "fields": fields}]
        }
    overrides = {"channel": channel, "username": username, "icon_emoji": icon_emoji}
    payload |= {name: value for name, value in overrides.items() if value}
    answer = call(
        "http.query",
        f"{_setting('hook_url') or HOOK_URL}/{hook}",
        method="POST",
        header_dict={"Content-Type": _FORM},
        data=urllib.parse.urlencode({"payload": json.dumps(payload)}),
        raise_error=False,
    )
    if answer.get("body") == "ok":
        return True
    return {"res": False, "message": answer.get("body") or answer.get("error", "")}


def _listed(path: str, key: str, api_key: str | None) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {_api_key(api_key)}", "Accept": "application/json"}
    answer = _answer(path, method="GET", header_dict=headers)
    return {"res": True, "message": answer["message"].get(key, [])} if answer["res"] else answer


def _answer(path: str, **options: Any) -> dict[str, Any]:
    """Return {"res": whether the server accepted, "message": its answer, or the reason for its refusal}."""
    base = _setting("api_url") or API_URL
    found = call("http.query", f"{base}/{path}", decode=True, decode_type="json", **options)
    answer = found.get("dict") or {}
    if answer.get("ok"):
        return {"res": True, "message": answer}
    return {"res": False, "message": answer.get("error") or found.get("error", "no answer")}


def _named(name: str, listed: dict[str, Any]) -> Any:
    if not listed["res"]:
        return False
    return next((entry for entry in listed["message"] if entry.get("name") == name), False)


def _api_key(given: str | None) -> str:
    key = given or _setting("api_key")
    if not key:
        raise InvocationError("No Slack API key found.")
    return str(key)


def _setting(name: str) -> Any:
    return call("config.get", f"slack.{name}") or call("config.get", f"slack:{name}")
