"""Stock's `salt.utils.pagerduty`: requests to PagerDuty, sent by the execution function `http.query`."""

import json
from collections.abc import Mapping
from typing import Any

from salt_g import __version__
from salt_g.compat.utils.net import http

_CLIENT = f"salt-g {__version__}"


def query(
    method: str = "GET",
    profile_dict: Mapping[str, Any] | None = None,
    url: str | None = None,
    path: str = "api/v1",
    action: str | None = None,
    api_key: str | None = None,
    service: str | None = None,
    params: Mapping[str, Any] | None = None,
    data: Mapping[str, Any] | None = None,
    subdomain: str | None = None,
    client_url: str | None = None,
    description: str | None = None,
    opts: Any = None,
    verify_ssl: bool = True,
) -> str:
    """Send a request and return the text of the answer.

    `profile_dict` has `pagerduty.api_key`, `pagerduty.subdomain` and `pagerduty.service`; arguments take
    precedence. For methods other than GET, service key, client, event type and description are added to
    `data`. Raises KeyError without a subdomain, ValueError without an answer.
    """
    profile = profile_dict or {}
    key = api_key or profile.get("pagerduty.api_key")
    account = f"https://{subdomain or profile['pagerduty.subdomain']}.pagerduty.com"
    headers = {"User-Agent": _CLIENT, "Authorization": f"Token token={key}"}
    body = dict(data or {})
    if method != "GET":
        headers["Content-type"] = "application/json"
        service = service or profile.get("pagerduty.service")
        body.update({"service_key": service} if service else {})
        body |= {"client": _CLIENT, "client_url": client_url or account}
        body.setdefault("event_type", "trigger")
        body["description"] = description or body.get("description") or "SaltStack Event Triggered"
    address = url or "/".join([account, path, *([action] if action else [])])
    sent = {"params": dict(params or {}), "header_dict": headers, "data": json.dumps(body)}
    answer = http.query(address, method, **sent, decode=False, text=True, verify_ssl=verify_ssl, opts=opts)
    if "error" in answer:
        raise ValueError(f"PagerDuty did not answer {method} {address}: {answer['error']}")
    return str(answer.get("text", answer.get("body", "")))


def list_items(
    action: str,
    key: str,
    profile_dict: Mapping[str, Any] | None = None,
    api_key: str | None = None,
    opts: Any = None,
) -> dict[Any, Any]:
    """Return the items of a kind (`services`, `incidents`, ...) as {value of `key`: item}."""
    found = json.loads(query(profile_dict=profile_dict, api_key=api_key, action=action, opts=opts))
    return {item[key]: item for item in found[action]}


__all__ = ["list_items", "query"]
