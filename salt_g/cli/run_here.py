"""Call a runner in this process, where no master runs.

Why its own file: few runs need it. The files, keys and the store of this master are there, the store
only to be read; whatever needs minions or the bus is refused with the socket's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from salt_g.api import CallContext
from salt_g.cli.run_shown import Printer
from salt_g.errors import MasterUnreachable

#: What only a running master offers, see `salt_g/fleet.py`.
_OF_A_DAEMON = ("client", "presence", "calls", "events")


def run(
    opts: Mapping[str, Any],
    printer: Printer,
    fun: str,
    args: list[Any],
    kwargs: dict[str, Any],
    *,
    why: MasterUnreachable,
) -> int:
    """Call a runner and print what it returns; return the exit code. Raises `why` when it needs a master."""
    from salt_g import jid
    from salt_g.master.calling import ORCHESTRATIONS, call_function

    refusals: list[MasterUnreachable] = []

    def refuse() -> NoReturn:
        refusals.append(why)
        raise why

    context = _context(opts, printer, refuse)
    made = jid.make()
    if fun in ORCHESTRATIONS:
        kwargs.setdefault("orchestration_jid", made)
    job = {"jid": made, "fun": fun, "arg": args}
    outcome = call_function(context.replace(job=job), "runner", fun, args, kwargs)
    if refusals:
        raise MasterUnreachable(f"{fun} needs the running master: {why}") from why
    if outcome.get("retcode") == printer.REFUSED:
        return printer.refused(outcome, documentation(opts, fun))
    return printer.result(outcome)


def documentation(opts: Mapping[str, Any], name: str) -> dict[str, str]:
    """Return {function: documentation} of the runners that begin with a name."""
    from salt_g.master.calling import call_function

    def refuse() -> NoReturn:
        raise MasterUnreachable("documentation needs no master")

    context = _context(opts, Printer(opts, is_quiet=True), refuse)
    docs = call_function(context, "runner", "doc.runner", [], {})["return"]
    return {fun: text for fun, text in docs.items() if fun.startswith(name)}


class _Progress:
    """What a runner says, printed at once; see `fleet.Progress`."""

    def __init__(self, printer: Printer) -> None:
        self._printer = printer

    def fire(self, data: Mapping[str, Any], suffix: str = "progress") -> None:
        self._printer.progress(suffix, data)

    def write(self, text: str) -> None:
        self._printer.progress("output", {"text": text})


def _context(opts: Mapping[str, Any], printer: Printer, refuse: Callable[[], NoReturn]) -> CallContext:
    from salt_g.cache.banks import Banks
    from salt_g.cache.jobs import Jobs
    from salt_g.cache.store import Store
    from salt_g.keys.store import KeyStore
    from salt_g.master.context import master_context

    store = Store(opts["cachedir"])
    context = master_context(
        opts,
        job_cache=Jobs(store),
        banks=Banks(store),
        keys=KeyStore(opts["pki_dir"]),
        progress=_Progress(printer),
    )
    missing = dict.fromkeys(_OF_A_DAEMON, refuse)
    return context.replace(services=context.services.replace(**missing))
