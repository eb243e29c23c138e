"""Calls of runners in this process, for use when no master is running.

Files, pillar, keys and the store of this master are available, the store read-only (`stopped_master.py`). A
runner that needs minions or the bus is refused with the name of the missing socket.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from salt_g.errors import MasterUnreachable

if TYPE_CHECKING:
    from salt_g.shapes import Arguments, Opts
    from salt_g.shapes.loads import CallEvent

#: Callback for a runner's progress: last part of the event tag, data.
OnProgress = Callable[[str, Mapping[str, Any]], None]


def call(
    opts: Opts,
    on_progress: OnProgress,
    fun: str,
    args: list[Any],
    kwargs: Arguments,
    *,
    why: MasterUnreachable,
    jid: str = "",
) -> CallEvent:
    """Call a runner and return its outcome.

    `why` is the reason for the missing connection. Raise MasterUnreachable if the runner needs a master, or
    if a running master refuses this user, who then has no access to its store and keys either. `jid` defaults
    to a new one.
    """
    if isinstance(why.__cause__, PermissionError):
        raise why
    from salt_g.cli.run.stopped_master import stopped_context
    from salt_g.data import jid as jids
    from salt_g.master.calls.plugin_call import ORCHESTRATIONS, call_function

    refusals: list[MasterUnreachable] = []

    def refuse() -> NoReturn:
        refusals.append(why)
        raise why

    context = stopped_context(opts, _Progress(on_progress), refuse)
    made = jid or jids.make()
    if fun in ORCHESTRATIONS:
        kwargs.setdefault("orchestration_jid", made)
    job = {"jid": made, "fun": fun, "arg": args}
    outcome = call_function(context.replace(job=job), "runner", fun, args, kwargs)
    if refusals:
        raise MasterUnreachable(f"{fun} needs the running master: {why}") from why
    return outcome


class _Progress:
    """Progress of a runner, reported without a bus; implements `services.daemons.Progress`."""

    def __init__(self, on_progress: OnProgress) -> None:
        self._on_progress = on_progress

    def fire(self, data: Mapping[str, Any], suffix: str = "progress") -> None:
        self._on_progress(suffix, data)

    def write(self, text: str) -> None:
        self._on_progress("output", {"text": text})
