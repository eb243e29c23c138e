"""Control of active runs: list, pause, resume, end."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from salt_g.api import current, opts, services
from salt_g.errors import CommandExecutionError
from salt_g.regex.name_patterns import matches_name
from salt_g.report.event_lines import event_line

if TYPE_CHECKING:
    from salt_g.services.protocols import Watching


def running(concurrent: bool = False) -> list[str]:
    """Return a line for each active state run on this minion; [] with `concurrent`.

    Example::

        salt-g state.running
    """
    own = str(current().job.get("jid", ""))
    return [] if concurrent else services().states.lock.conflicts(own)


def pause(jid: str, state_id: str | None = None, duration: int | None = None) -> None:
    """Pause a run before a state ID (the next one if None), for `duration` seconds or until `resume`.

    Example::

        salt-g state.pause 20260101120000000000 nginx 60
    """
    services().states.pauses.pause(str(jid), state_id, duration=duration)


def resume(jid: str, state_id: str | None = None) -> None:
    """Resume a paused run; without a state ID remove all its pauses.

    Example::

        salt-g state.resume 20260101120000000000
    """
    services().states.pauses.resume(str(jid), state_id)


#: Old name of `resume`.
rm_pause = resume


def soft_kill(jid: str, state_id: str | None = None) -> None:
    """End a run before a state ID (the next one if None); running states are finished.

    Example::

        salt-g state.soft_kill 20260101120000000000
    """
    services().states.pauses.kill(str(jid), state_id)


def get_pauses(jid: Any = None) -> dict[str, Any]:
    """Return {jid: pauses} of all active runs, or of those in `jid` (one or a list); remove stale pauses.

    Example::

        salt-g state.get_pauses
    """
    states = services().states
    wanted = (
        states.pauses.jids()
        if jid is None
        else [str(one) for one in (jid if isinstance(jid, list) else [jid])]
    )
    active = {job["jid"] for job in states.lock.others("")}
    for old in set(wanted) - active:
        states.pauses.forget(old)
    return {one: states.pauses.read(one) for one in wanted if one in active}


def clear_cache() -> list[str]:
    """Remove the cached high data of this minion; return the names of the files.

    Example::

        salt-g state.clear_cache
    """
    return services().states.cache.clear()


def event(
    tagmatch: str = "*",
    count: int = -1,
    quiet: bool = False,
    sock_dir: str | None = None,
    pretty: bool = False,
    node: str = "minion",
) -> None:
    """Print the events of this machine's minion that match `tagmatch`, each as `TAG<tab>JSON`.

    `tagmatch` is a glob or a regular expression; the function returns after `count` events (-1: never);
    `quiet` only waits for them; `pretty` indents the JSON; `sock_dir` must be that of the settings (use `-c`
    for another one). Raises CommandExecutionError if no minion is running.

    Example::

        salt-g state.event 'salt/job/*' count=1
    """
    if node != "minion":
        raise CommandExecutionError("follow the bus of a master with salt-g event, or salt-g run state.event")
    if sock_dir not in (None, opts.get("sock_dir")):
        raise CommandExecutionError(
            f"the sock_dir of the settings is not {sock_dir!r}; choose other settings with -c"
        )
    bus = getattr(services(), "events", None)
    try:
        if bus is None:
            raise ConnectionRefusedError
        with bus.watch() as watching:
            _print_events(watching, tagmatch, count=count, quiet=quiet, pretty=pretty)
    except OSError as exc:
        raise CommandExecutionError(
            f"no event bus to follow: no running minion uses the sock_dir {opts.get('sock_dir')}"
        ) from exc


def _print_events(watching: Watching, tagmatch: str, *, count: int, quiet: bool, pretty: bool) -> None:
    while count != 0:
        found = watching.get()
        if found is None:
            raise CommandExecutionError("the minion whose events were followed has ended")
        if not matches_name(found.tag, tagmatch):
            continue
        if not quiet:
            # The printed output is the purpose of the function; it returns nothing.
            sys.stdout.write(event_line(found.tag, found.data, pretty=pretty) + "\n")
            sys.stdout.flush()
        count -= 1 if count > 0 else 0
