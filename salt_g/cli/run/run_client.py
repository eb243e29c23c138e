"""Begin a runner, follow what it says, get its outcome.

Why its own file: `salt-g run` prints all of it, `salt-g match` and the documentation want the outcome only;
where no master runs, `run_local.py` calls it in this process.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import salt_g.cli.run.run_local as run_local
from salt_g.cli.run.run_local import OnProgress
from salt_g.client.connect import open_link
from salt_g.client.link import Link
from salt_g.client.publishing import error_of
from salt_g.errors import MasterUnreachable

#: How long the master may take to begin (s).
_BEGIN_TIMEOUT = 30.0
#: How long one wait for an event is (s).
_WAIT = 3600.0


def run_silently(
    opts: Mapping[str, Any], fun: str, args: list[Any], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """Run a runner and return its outcome; raises ClientError when the master refuses."""
    try:
        link = open_link(opts)
    except MasterUnreachable as exc:
        return run_local.call(opts, _ignore, fun, args, kwargs, why=exc)
    try:
        tag = begin(link, runner_load(fun, args, kwargs))["tag"]
        return follow(link, tag, _ignore)
    finally:
        link.close()


def runner_load(fun: str, args: list[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return the command that runs a runner."""
    return {"cmd": "runner", "fun": fun, "kwarg": {"arg": args, "kwarg": kwargs}}


def begin(link: Link, load: dict[str, Any]) -> dict[str, Any]:
    """Begin a runner, whose events the link then follows, and return {tag, jid}.

    Raises ClientError when the master refuses.
    """
    reply = link.ask(load, timeout=_BEGIN_TIMEOUT, follow=True)
    if isinstance(reply, dict) and "tag" in reply:
        return reply
    error = reply.get("error") if isinstance(reply, dict) else reply
    raise error_of(error or "the master gave no answer that makes sense to a request to run a function")


def follow(link: Link, tag: str, on_progress: OnProgress) -> dict[str, Any]:
    """Tell what a runner says until it has ended; return its outcome."""
    while True:
        event = link.next_event(_WAIT)
        if event is None or not event.tag.startswith(f"{tag}/"):
            continue
        suffix = event.tag[len(tag) + 1 :]
        if suffix == "ret":
            return event.data
        on_progress(suffix, event.data)


def _ignore(suffix: str, data: Mapping[str, Any]) -> None:
    """Print nothing."""
