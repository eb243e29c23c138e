"""Runners called in this process if no master is running.

Files, keys and the store of this master are available, the store read-only. A runner that needs minions or
the bus is refused with the name of the missing socket.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from salt_g.api import CallContext
from salt_g.errors import MasterUnreachable

if TYPE_CHECKING:
    from salt_g.shapes import Arguments, Opts
    from salt_g.shapes.loads import CallEvent

#: Receives progress of a runner: end of the tag, data.
OnProgress = Callable[[str, Mapping[str, Any]], None]
#: Services of a running master only; see `salt_g/services/daemons.py`.
_OF_A_DAEMON = ("client", "presence", "calls", "events", "metrics")


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

    `why`, the reason for the missing connection, is re-raised if the runner needs a master, or if a master is
    running that refuses this user: its store and keys are closed to that user as well. `jid` defaults to a
    new one.
    """
    if isinstance(why.__cause__, PermissionError):
        raise why
    from salt_g.data import jid as jids
    from salt_g.master.calls.plugin_call import ORCHESTRATIONS, call_function

    refusals: list[MasterUnreachable] = []

    def refuse() -> NoReturn:
        refusals.append(why)
        raise why

    context = _context(opts, on_progress, refuse)
    made = jid or jids.make()
    if fun in ORCHESTRATIONS:
        kwargs.setdefault("orchestration_jid", made)
    job = {"jid": made, "fun": fun, "arg": args}
    outcome = call_function(context.replace(job=job), "runner", fun, args, kwargs)
    if refusals:
        raise MasterUnreachable(f"{fun} needs the running master: {why}") from why
    return outcome


class _Progress:
    """Progress of a runner, reported at once; see `services.daemons.Progress`."""

    def __init__(self, on_progress: OnProgress) -> None:
        self._on_progress = on_progress

    def fire(self, data: Mapping[str, Any], suffix: str = "progress") -> None:
        self._on_progress(suffix, data)

    def write(self, text: str) -> None:
        self._on_progress("output", {"text": text})


def _context(opts: Opts, on_progress: OnProgress, refuse: Callable[[], NoReturn]) -> CallContext:
    from salt_g.cache.banks import Banks
    from salt_g.cache.jobs import Jobs
    from salt_g.cache.store_choice import open_store
    from salt_g.cli.key.key_files import key_files
    from salt_g.keys.store import KeyStore
    from salt_g.master.calls.call_context import master_context
    from salt_g.master.publishing.target_explain import TargetExplain
    from salt_g.master.publishing.target_resolution import TargetResolution
    from salt_g.master.serving.minion_data import MinionData
    from salt_g.master.settings import TargetSettings

    store, keys = open_store(opts), key_files(opts)
    banks = Banks(store)
    expected = TargetResolution(TargetSettings.of(opts), keys, MinionData(banks))
    context = master_context(
        opts,
        job_cache=Jobs(store),
        banks=banks,
        keys=KeyStore(keys),
        targets=expected,
        explaining=TargetExplain(expected, banks, nodegroups=opts["nodegroups"] or {}),
        progress=_Progress(on_progress),
    )
    missing = dict.fromkeys(_OF_A_DAEMON, refuse)
    return context.replace(services=context.services.replace(**missing))
