"""Reactions of this master's reactor: listing and changes at run time."""

from __future__ import annotations

from typing import Any

from salt_g.api import opts, services
from salt_g.errors import CommandExecutionError
from salt_g.services.daemons import MasterServices
from salt_g.shapes.loads import EventData, SetResult

#: Time limit for the reactor's answer (s).
_TIMEOUT = 30.0
_TAG = "salt/reactors/manage"

__func_alias__ = {"list_": "list"}


def list_(saltenv: str = "base", test: bool | None = None) -> list[dict[str, Any]]:
    """Return [{tag: [file or function, ...]}] of all reactions.

    Example::

        salt-g run reactor.list
    """
    answer: list[dict[str, Any]] = _ask("list", "list-results", {}).get("reactors") or []
    return answer


def add(event: str, reactors: str | list[str], saltenv: str = "base", test: bool | None = None) -> SetResult:
    """Add a reaction: the files to run for events whose tags match a glob; return {status, comment}.

    Example::

        salt-g run reactor.add 'salt/cloud/*/destroyed' reactors='/srv/reactor/destroy/*.sls'
    """
    wanted = [reactors] if isinstance(reactors, str) else list(reactors)
    answer: SetResult = _ask("add", "add-complete", {"event": event, "reactors": wanted})["result"]
    return answer


def delete(event: str, saltenv: str = "base", test: bool | None = None) -> SetResult:
    """Remove the reaction that was added for a glob of event tags; return {status, comment}.

    Example::

        salt-g run reactor.delete 'salt/cloud/*/destroyed'
    """
    answer: SetResult = _ask("delete", "delete-complete", {"event": event})["result"]
    return answer


def is_leader() -> Any:
    """Return whether the reactor is enabled.

    Example::

        salt-g run reactor.is_leader
    """
    return _ask("is_leader", "leader/value", {})["result"]


def set_leader(value: bool = True) -> Any:
    """Enable or disable the reactor.

    Example::

        salt-g run reactor.set_leader False
    """
    return _ask("set_leader", "leader/value", {"id": opts["id"], "value": value})["result"]


def _ask(question: str, answer: str, data: EventData) -> dict[str, Any]:
    """Query the reactor over the bus; raises CommandExecutionError without a reactor or an answer."""
    if not _is_configured():
        raise CommandExecutionError("Reactor system is not running.")
    events = services(MasterServices).events
    with events.watch(f"{_TAG}/{answer}") as watching:
        events.fire(f"{_TAG}/{question}", data)
        event = watching.get(_TIMEOUT)
    if event is None:
        raise CommandExecutionError(f"the reactor did not answer {question!r} within {_TIMEOUT:g} s")
    found: dict[str, Any] = event.data
    return found


def _is_configured() -> bool:
    engines = opts.get("engines")
    if engines:
        return any("reactor" in engine for engine in engines)
    return bool(opts.get("reactor"))
