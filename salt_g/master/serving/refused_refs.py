"""Events about branches and tags that signed trees do not allow to advance."""

from __future__ import annotations

from collections.abc import Iterable

from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.git.verified_refs import RefusedRef


class RefusedRefs:
    """Reporter of refused refs: fires one event for each refused commit of a branch or tag."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._reported: dict[str, set[RefusedRef]] = {}

    def report(self, backend: str, refused: Iterable[RefusedRef]) -> None:
        """Fire an event for each newly refused ref; `backend` is `gitfs` or `git_pillar`."""
        now = set(refused)
        for one in sorted(now - self._reported.get(backend, set())):
            self._bus.fire_payload(payloads.ref_refused(backend, one._asdict()))
        self._reported[backend] = now
