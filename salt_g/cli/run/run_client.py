"""Client for runner calls: start a runner, follow its progress events, return its outcome.

`salt-g run` prints everything; `salt-g match` and the documentation need only the outcome. If no master is
running, `run_local.py` calls the runner in this process instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import salt_g.cli.run.run_local as run_local
from salt_g.cli.run.run_local import OnProgress
from salt_g.client.connect import open_link
from salt_g.client.link import Link
from salt_g.client.publishing import error_of
from salt_g.errors import MasterUnreachable
from salt_g.shapes.loads import CallEvent, Load, is_outcome

if TYPE_CHECKING:
    from salt_g.shapes import Arguments, Opts

#: Timeout for the master to start a runner (s).
_BEGIN_TIMEOUT = 30.0
#: Timeout of one wait for an event (s).
_WAIT = 3600.0


def run_silently(opts: Opts, fun: str, args: list[Any], kwargs: Arguments) -> CallEvent:
    """Run a runner and return its outcome; raise ClientError if the master refuses."""
    try:
        link = open_link(opts)
    except MasterUnreachable as exc:
        return run_local.call(opts, _ignore, fun, args, kwargs, why=exc)
    try:
        tag = begin(link, runner_load(fun, args, kwargs))["tag"]
        return follow(link, tag, _ignore)
    finally:
        link.close()


def runner_load(fun: str, args: list[Any], kwargs: Arguments) -> Load:
    """Return the request that asks the master to call a runner."""
    return {"cmd": "runner", "fun": fun, "kwarg": {"arg": args, "kwarg": kwargs}}


def begin(link: Link, load: Load) -> Load:
    """Start a runner, subscribe the connection to its events, and return {tag, jid}.

    Raise ClientError if the master refuses.
    """
    reply = link.ask(load, timeout=_BEGIN_TIMEOUT, follow=True)
    if isinstance(reply, dict) and "tag" in reply:
        return reply
    error = reply.get("error") if isinstance(reply, dict) else reply
    raise error_of(error or "malformed answer from the master to a runner request")


def follow(link: Link, tag: str, on_progress: OnProgress) -> CallEvent:
    """Report the progress of a runner until it ends; return its outcome.

    Raise MasterUnreachable if the connected master no longer runs it.
    """
    while True:
        event = link.next_event(_WAIT)
        if event is None or not event.tag.startswith(f"{tag}/"):
            continue
        suffix = event.tag[len(tag) + 1 :]
        if suffix == "ret" and is_outcome(event.data):
            return event.data
        if suffix == "left":
            raise MasterUnreachable("this master no longer runs the function.")
        on_progress(suffix, event.data)


def _ignore(suffix: str, data: Mapping[str, Any]) -> None:
    """Ignore the progress of a runner."""
