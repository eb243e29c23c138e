"""Open the way to a master: resolve its name, connect.

Why its own file: the daemon and `salt-g call` dial alike, and a test hands over another way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from salt_g.errors import NoReply, SaltGError
from salt_g.minion import masters
from salt_g.minion.channel import Channel
from salt_g.minion.identity import Identity
from salt_g.minion.masters import Place
from salt_g.transport.interfaces import Requesting
from salt_g.transport.request_client import RequestClient
from salt_g.transport.zeromq import GreenContext


class Dialer:
    """Connects to masters over the network; one for each program."""

    def __init__(self, opts: Mapping[str, Any]) -> None:
        self._opts = opts
        self._context = GreenContext()

    def connect(self, place: Place) -> Requesting:
        """Return the way to a master's request server; its name is resolved anew each time."""
        address = masters.uri(masters.resolve(place, self._opts), place.port)
        idle = int(self._opts.get("tcp_keepalive_idle") or 300)
        return RequestClient(address, context=self._context, keepalive_idle=idle)


def open_channel(
    opts: Mapping[str, Any],
    identity: Identity,
    dialer: Dialer,
    *,
    call: Callable[[str], Any] | None = None,
    grains: Callable[[], Mapping[str, Any]] = dict,
) -> Channel:
    """Return a channel to the first master that lets us in; raises the last one's error."""
    error: SaltGError = NoReply("master", 0)
    for name in masters.configured(opts, call=call):
        place = masters.place_of(name, opts)
        channel = Channel(opts, identity, lambda place=place: dialer.connect(place), grains=grains)  # type: ignore[misc]
        try:
            channel.sign_in()
        except SaltGError as exc:
            channel.close()
            error = exc
        else:
            return channel
    raise error
