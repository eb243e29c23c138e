"""Overview of all minions with an accepted key, with the few facts that a list of the fleet shows.

A client asks only for the changes since its last query, so that even 10,000 minions cost little.
Shapes: a row is {id, os, os_version, os_family, kernel, addresses, version, python, seen, connected,
last_run, resources}; `changes` returns {boot, number, is_whole, rows: [row], gone: [id]}, `boot` changes with
each restart. Without cached grains of a minion, its facts are None.
Units: `seen` in seconds since the epoch, full minutes.
"""

from __future__ import annotations

import collections
import ipaddress
import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from salt_g.master.fleet.last_runs import LastRuns
from salt_g.master.publishing.target_resolution import CachedMinionData
from salt_g.process.offload import yield_to_hub
from salt_g.shapes.loads import LoadFields

#: Minions examined between two yields to other greenlets: some 5 ms.
_SLICE = 250
#: Grains shown, by their names in the overview; texts are cut, because a minion chooses them.
_GRAINS = {
    "os": "os",
    "os_version": "osrelease",
    "os_family": "os_family",
    "kernel": "kernel",
    "version": "saltversion",
}
_LONGEST, _MOST_ADDRESSES = 100, 8
#: Rounding of the time of the last request (s); without it, every row would change all the time.
_MINUTE = 60
Row = dict[str, Any]


class MinionSession(Protocol):
    """Interface to a minion's session: the time of its last request, see `admission/sessions.py`."""

    seen: float


class _Kept(NamedTuple):
    """Row, the data from which it was made, and the number of its last change."""

    sources: tuple[Any, ...]
    row: Row
    number: int


class Overview:
    """Overview of the minions, whose rows are computed on request."""

    def __init__(
        self,
        *,
        accepted: Callable[[], Iterable[str]],
        data: CachedMinionData,
        session_of: Callable[[str], MinionSession | None],
        connected: Callable[[], set[str]],
        managers: Callable[[], Iterable[str]],
        last_runs: LastRuns,
        epoch: float,
    ) -> None:
        """Initialize; `managers` yields the managing minion of each resource.

        `epoch` is the Unix time at which the clock of sessions was 0.
        """
        self._epoch = epoch
        self._accepted = accepted
        self._data = data
        self._session_of = session_of
        self._connected = connected
        self._managers = managers
        self._last_runs = last_runs
        self._boot = secrets.token_hex(4)
        self._number = 0
        self._kept: dict[str, _Kept] = {}
        self._gone: collections.OrderedDict[str, int] = collections.OrderedDict()

    def changes(self, load: LoadFields) -> dict[str, Any]:
        """Serve `overview` {boot, number}: the rows changed since then, or all rows if `boot` differs."""
        since = load.get("number")
        is_whole = load.get("boot") != self._boot or not isinstance(since, int)
        self._renew()
        after = since if isinstance(since, int) and not is_whole else -1
        rows = [kept.row for kept in self._kept.values() if kept.number > after]
        gone = [] if is_whole else [id for id, number in self._gone.items() if number > after]
        return {
            "boot": self._boot,
            "number": self._number,
            "is_whole": is_whole,
            "rows": rows,
            "gone": gone,
        }

    def _renew(self) -> None:
        """Compute the rows of minions that have changed."""
        number = self._number + 1
        ids, connected = sorted(self._accepted()), self._connected()
        resources = collections.Counter(self._managers())
        for count, id in enumerate(ids, 1):
            session = self._session_of(id)
            seen = self._time_of(session.seen) if session is not None and session.seen else 0
            known = self._data.get(id)
            grains = known[0] if known else None
            run = self._last_runs.get(id)
            sources = (grains, seen, id in connected, run, resources[id])
            kept = self._kept.get(id)
            if kept is None or not _are_same(kept.sources, sources):
                self._kept[id] = _Kept(sources, _row(id, sources), number)
                self._gone.pop(id, None)
            if count % _SLICE == 0:
                yield_to_hub()
        # Compared with the ids seen above, because minions come and go during the loop.
        for id in self._kept.keys() - set(ids):
            del self._kept[id]
            self._gone[id] = number
        self._number = number

    def _time_of(self, seen: float) -> int:
        """Return a time on the clock of sessions as Unix time, rounded down to the minute."""
        return int((self._epoch + seen) // _MINUTE * _MINUTE)


def _are_same(old: tuple[Any, ...], new: tuple[Any, ...]) -> bool:
    """Return whether a row would stay the same; minion data is replaced, never modified."""
    return old[0] is new[0] and old[3] is new[3] and old[1:3] == new[1:3] and old[4] == new[4]


def _row(id: str, sources: tuple[Any, ...]) -> Row:
    grains, seen, is_connected, run, resources = sources
    facts = {name: _text(grains.get(grain)) if grains else None for name, grain in _GRAINS.items()}
    return {
        "id": id,
        **facts,
        "addresses": _addresses(grains or {}),
        "seen": seen or None,
        "connected": is_connected,
        "last_run": dict(run) if run else None,
        "resources": resources,
    }


def _text(value: Any) -> str | None:
    return str(value)[:_LONGEST] if isinstance(value, (str, int, float)) and value != "" else None


def _addresses(grains: Mapping[str, Any]) -> list[str]:
    """Return the addresses at which other hosts can reach a minion, IPv4 first."""
    found: list[str] = []
    for name in ("ipv4", "ipv6"):
        listed = grains.get(name)
        for text in listed if isinstance(listed, list) else ():
            if len(found) < _MOST_ADDRESSES and isinstance(text, str) and _is_reachable(text):
                found.append(text)
    return found


def _is_reachable(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_link_local)
