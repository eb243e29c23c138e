"""Configured masters of this minion and their addresses.

Only addresses are handled here; no connection is opened.
Shapes: `master` is a name, a list of them, or (`master_type: func`) a function that returns either; a name
may include a port (`host:4506`, `[::1]:4506`). A channel is opened to a MasterAddress.
Units: seconds.
Errors: ConfigError for a setting that names no usable master; OSError for a name that cannot be resolved.
"""

from __future__ import annotations

import logging
import random
import socket
import time
import zlib
from collections.abc import Callable, MutableSequence, Sequence
from typing import Any, NamedTuple

from salt_g.errors import ConfigError
from salt_g.minion.settings import MasterListSettings, ResolverSettings

log = logging.getLogger(__name__)

#: Values of `master_type` with which the masters of a list are tried in order.
ONE_OF_MANY = ("failover", "distributed")


class MasterAddress(NamedTuple):
    """Master's configured name and port; with `is_one_of_many` other masters are tried if it fails."""

    name: str
    host: str
    port: int
    is_one_of_many: bool = False


def place_of(name: str, settings: MasterListSettings, *, is_one_of_many: bool = False) -> MasterAddress:
    """Return the address of a master named in the settings."""
    host, port = name.strip(), settings.master_port
    if not settings.is_ip_only:
        host, port = _split(host, port)
    if not _is_number(settings.master_port):
        raise ConfigError([f"master_port: {settings.master_port!r} is not a port"])
    if not _can_be_host(host) or not _is_number(port):
        raise ConfigError([f"master: {name!r} is neither a host nor host:port"])
    return MasterAddress(name, host, int(port), is_one_of_many)


def places_of(names: Sequence[str], settings: MasterListSettings) -> list[MasterAddress]:
    """Return the addresses of the masters that one session tries in turn; raises ConfigError."""
    return [place_of(name, settings, is_one_of_many=len(names) > 1) for name in names]


def _is_number(port: str) -> bool:
    """Return whether a port has ASCII digits only; `isdigit` also accepts superscripts, unlike `int`."""
    return port.isascii() and port.isdigit()


def takes_turns(settings: MasterListSettings) -> bool:
    """Return whether several masters are tried one after another instead of being used in parallel."""
    return settings.master_type in ONE_OF_MANY


def configured(
    settings: MasterListSettings,
    *,
    call: Callable[[str], Any] | None = None,
    shuffle: Callable[[MutableSequence[str]], None] = random.shuffle,
) -> list[str]:
    """Return the names of the masters, in the order in which to try them.

    With `master_type: func`, `master` names an execution function, which is called through `call`.
    """
    named = settings.master
    if settings.master_type == "func" and call is not None:
        named = call(str(named))
    names = [str(name) for name in named] if isinstance(named, (list, tuple)) else [str(named)]
    names = [name for name in dict.fromkeys(names) if name]
    if not names:
        raise ConfigError(["master: the setting names no master"])
    if settings.master_type == "distributed":
        # A minion begins with the same master at every start; different minions begin with different ones.
        first = zlib.crc32(settings.id.encode()) % len(names)
        return names[first:] + names[:first]
    if settings.is_shuffled:
        shuffle(names)
    return names


def resolve(
    place: MasterAddress,
    settings: ResolverSettings,
    *,
    look_up: Callable[..., Sequence[Any]] = socket.getaddrinfo,
    sleep: Callable[[float], None] = time.sleep,
) -> str:
    """Return the IP address of a master; try every `retry_dns` s, up to `retry_dns_count` times.

    With `retry_dns: 0`, or if other masters can be tried instead, raise OSError at the first failure.
    """
    family = socket.AF_INET6 if settings.ipv6 else socket.AF_UNSPEC
    pause = 0.0 if place.is_one_of_many else settings.retry_dns
    count = settings.retry_dns_count
    asked = 0
    while True:
        try:
            found = look_up(place.host, place.port, family, socket.SOCK_STREAM)
            return _preferred(found, settings)
        except OSError as exc:
            asked += 1
            if pause <= 0 or (count is not None and asked >= max(1, count)):
                raise OSError(exc.errno, f"master {place.name!r}: {exc.strerror or exc}") from exc
            log.error(
                "master %r cannot be resolved (%s), trying again in %g s; the setting `master` names it",
                *(place.name, exc, pause),
            )
        sleep(pause)


def _split(text: str, port: str) -> tuple[str, str]:
    """Return (name, port), split from `name:port`; an IPv6 address with a port is in brackets."""
    if text.startswith("["):
        host, _, rest = text[1:].partition("]")
        return host, rest.removeprefix(":") or port
    if text.count(":") == 1:
        host, _, given = text.partition(":")
        return host, given or port
    return text, port


def _can_be_host(text: str) -> bool:
    try:
        text.encode("idna")
    except UnicodeError:
        return False
    return bool(text)


def _preferred(found: Sequence[Any], settings: ResolverSettings) -> str:
    """Return the first address; if `ipv6` is unset, prefer IPv4, on which masters listen by default."""
    if not found:
        raise OSError(0, "the name has no address")
    addresses = [str(entry[4][0]) for entry in found]
    if settings.ipv6 is None:
        addresses.sort(key=lambda address: ":" in address)
    return addresses[0]
