"""`salt-g run state.event`: print the events of the master's bus as they arrive.

The function runs in this process and not on the master, where its output would cause further events.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from salt_g.cli import exit_codes
from salt_g.cli.watch.event import print_event
from salt_g.client.link import Link
from salt_g.errors import InvocationError
from salt_g.regex.name_patterns import matches_name

if TYPE_CHECKING:
    from salt_g.shapes import Arguments, Opts

#: Timeout of one wait for an event (s).
_WAIT = 3600.0


def follow_bus(link: Link, opts: Opts, args: list[Any], kwargs: Arguments) -> int:
    """Print the events that the arguments of the runner `state.event` select; return the exit code."""
    try:
        wanted = inspect.signature(_wanted).bind(*args, **kwargs)
    except TypeError as exc:
        raise InvocationError(f"state.event: {exc}") from exc
    return _wanted(*wanted.args, **wanted.kwargs)(link, opts)


def _wanted(
    tagmatch: str = "*",
    count: int = -1,
    quiet: bool = False,
    sock_dir: str | None = None,
    pretty: bool = False,
    node: str = "master",
) -> Callable[[Link, Opts], int]:
    """Return a function that prints the selected events; the parameters are those of the runner."""
    if node != "master":
        raise InvocationError("state.event: to follow the bus of a minion, use salt-g call state.event")

    def print_events(link: Link, opts: Opts) -> int:
        left = count
        link.subscribe("")
        while left != 0:
            event = link.next_event(_WAIT)
            if event is None or not matches_name(event.tag, tagmatch):
                continue
            if not quiet and (code := print_event(event, opts, pretty=pretty)):
                return code
            left -= 1 if left > 0 else 0
        return exit_codes.OK

    return print_events
