"""Description, logs and life cycle of a pod."""

from __future__ import annotations

from typing import Any

from salt_g.api import connection_functions
from salt_g.errors import CommandExecutionError


def logs(
    tail: int | None = None, container: str = "", previous: bool = False, since: int | None = None
) -> str:
    """Return the log of the pod's container: the last `tail` lines, or those of the last `since` seconds.

    `previous` selects the container that ran before the last restart.

    Example::

        salt-g shop.web-0 k8s.logs tail=50
    """
    pod = _call("pod")
    wanted = {
        "container": container or pod.container,
        "tailLines": tail,
        "sinceSeconds": since,
        "previous": "true" if previous else None,
    }
    query = {name: str(value) for name, value in wanted.items() if value not in (None, "")}
    return str(_call("ask", "GET", f"{pod.path}/log", query=query, as_text=True))


def describe() -> dict[str, Any]:
    """Return the pod's description and its events, as the API lists them.

    Example::

        salt-g shop.web-0 k8s.describe
    """
    pod = _call("pod")
    query = {"fieldSelector": f"involvedObject.kind=Pod,involvedObject.name={pod.name}"}
    returned = _call("ask", "GET", f"/api/v1/namespaces/{pod.namespace}/events", query=query)
    events = [
        {name: one.get(name) for name in ("type", "reason", "message", "count", "lastTimestamp")}
        for one in returned.get("items") or ()
    ]
    return {"pod": _call("about"), "events": events}


def delete(grace: int | None = None) -> bool:
    """Delete the pod; its programs get `grace` seconds to end (default: the pod's own setting).

    Example::

        salt-g shop.web-0 k8s.delete grace=5
    """
    body = {"apiVersion": "v1", "kind": "DeleteOptions"}
    options = {} if grace is None else {"gracePeriodSeconds": int(grace)}
    _call("ask", "DELETE", _call("pod").path, body={**body, **options})
    return True


def restart(grace: int | None = None) -> bool:
    """Restart a pod by deleting it; refused unless a controller (deployment, stateful set, …) recreates it.

    Example::

        salt-g shop.web-0 k8s.restart
    """
    owners = _call("about")["metadata"].get("ownerReferences") or ()
    if not any(one.get("controller") for one in owners):
        raise CommandExecutionError(
            "no controller owns this pod, so it would not be recreated; see k8s.delete"
        )
    return delete(grace)


def _call(name: str, *args: Any, **options: Any) -> Any:
    return connection_functions[f"k8s_pod.{name}"](*args, **options)
