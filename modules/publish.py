"""Jobs published by a minion, as far as the master permits (`peer`, `peer_run`).

Shapes: returns are {minion id: value}.
Units: seconds.
Source: wire specification, section 9.5.
"""

from __future__ import annotations

import logging
import re
import time
from typing import Any

from salt_g.api import opts, services
from salt_g.errors import CommandExecutionError, InvocationError, SaltGError, YamlError
from salt_g.formats import yaml_load

log = logging.getLogger(__name__)

#: Pause between two polls for returns.
_LOOK_INTERVAL = 0.3
#: A function's name.
_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+\Z")


def publish(
    tgt: Any,
    fun: str,
    arg: Any = None,
    tgt_type: str = "glob",
    returner: str = "",
    timeout: float = 5,
    via_master: str | None = None,
) -> dict[str, Any]:
    """Run a function on other minions and return {id: return}.

    `arg` is a list, also as YAML, or comma-separated text. The setting `peer` of the master must allow the
    call. The master of the present job publishes the new job; `via_master` is only checked to be a master
    of this minion.

    Example::

        salt-g publish.publish 'web*' test.ping
    """
    if via_master:
        _check_master(via_master)
    return {id: entry["ret"] for id, entry in _published(tgt, fun, arg, tgt_type, returner, timeout).items()}


def full_data(
    tgt: Any, fun: str, arg: Any = None, tgt_type: str = "glob", returner: str = "", timeout: float = 5
) -> dict[str, Any]:
    """Run a function as `publish.publish` does and return {id: {"ret": return, ...}}.

    Example::

        salt-g publish.full_data 'web*' test.ping
    """
    return _published(tgt, fun, arg, tgt_type, returner, timeout)


def runner(fun: str, arg: Any = None, timeout: float = 5) -> Any:
    """Run a runner function on the master and return its result, {} if `peer_run` forbids it.

    Example::

        salt-g publish.runner manage.up
    """
    if _is_local():
        log.warning("Local mode detected. No runner is run.")
        return None
    load = {"cmd": "minion_runner", "fun": fun, "arg": _arguments(arg), "tmo": timeout, "no_parse": []}
    return _ask(load, timeout)


def _check_master(name: str) -> None:
    """Raise InvocationError unless the minion has a master of this name."""
    named = opts.get("master")
    names = [str(each) for each in (named if isinstance(named, (list, tuple)) else [named])]
    if not any(each == name or each.startswith(f"{name}:") for each in names):
        has = ", ".join(names)
        raise InvocationError(f"via_master: {name!r} is not a master of this minion; its masters are {has}")


def _published(
    tgt: Any, fun: str, arg: Any, tgt_type: str, returner: str, timeout: float
) -> dict[str, dict[str, Any]]:
    if not _NAME.match(fun):
        raise InvocationError(f"{fun!r} is not the name of a function")
    if fun.startswith("publish."):
        log.info("Cannot publish publish calls. Returning {}")
        return {}
    if _is_local():
        log.warning("Local mode detected. Function %s is not published.", fun)
        return {}
    load = {"cmd": "minion_pub", "fun": fun, "arg": _arguments(arg), "tgt": tgt, "tgt_type": tgt_type}
    job = _ask({**load, "ret": returner, "tmo": timeout, "form": "full", "no_parse": []}, timeout)
    if not isinstance(job, dict) or not job.get("jid"):
        return {}
    return _gathered(str(job["jid"]), list(job.get("minions") or ()), float(timeout))


def _gathered(jid: str, expected: list[str], timeout: float) -> dict[str, dict[str, Any]]:
    """Poll the master for returns until all expected minions have returned or the time is up."""
    end = time.monotonic() + timeout
    found: dict[str, dict[str, Any]] = {}
    while True:
        answer = _ask({"cmd": "pub_ret", "jid": jid}, timeout)
        found = {id: value for id, value in answer.items() if isinstance(value, dict)} if answer else found
        if (expected and set(expected) <= found.keys()) or time.monotonic() >= end:
            return found
        time.sleep(_LOOK_INTERVAL)


def _ask(load: dict[str, Any], timeout: float) -> Any:
    master = getattr(services(), "master", None)
    if master is None:
        raise CommandExecutionError("this call has no master that could publish")
    try:
        return master.ask(load, timeout=float(timeout) + 5)
    except SaltGError as exc:
        log.error("the master did not publish the job: %s", exc)
        return {}


def _arguments(arg: Any) -> list[Any]:
    if arg is None:
        return []
    if isinstance(arg, str):
        listed = _yaml_list(arg) if arg.startswith("[") else None
        return [part.strip() for part in arg.split(",")] if listed is None else listed
    return list(arg) if isinstance(arg, (list, tuple)) else [arg]


def _yaml_list(text: str) -> list[Any] | None:
    """Return a list written in YAML, None for other text."""
    try:
        found = yaml_load.load(text)
    except YamlError:
        return None
    return found if isinstance(found, list) else None


def _is_local() -> bool:
    return opts.get("file_client") == "local" and not opts.get("use_master_when_local")


__all__ = ["full_data", "publish", "runner"]
