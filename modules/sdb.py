"""Values from secret stores by URI: `sdb://<profile>/<key>`.

A profile is a mapping in the settings (or in pillar) with a `driver`: `env`, `yaml`, or a user's plugin.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from salt_g.api import current, opts, pillar
from salt_g.errors import InvocationError, NoSuchFunction
from salt_g.process import secret_hiding

__func_alias__ = {"set_": "set"}

_PREFIX = "sdb://"


def get(uri: Any, strict: bool = False) -> Any:
    """Return the value of a URI; other values and URIs with an unknown profile are returned unchanged.

    With `strict` both raise InvocationError instead.

    Example::

        salt-g sdb.get sdb://mymemcached/foo
    """
    if not _is_uri(uri):
        if strict:
            raise InvocationError(f'SDB uri must start with "{_PREFIX}"')
        return uri
    name, key = _parts(uri)
    profile = _profile(name)
    if profile is None:
        if strict:
            raise InvocationError(f'SDB profile "{name}" wasnt found in the minion configuration')
        return uri
    return _noted(_driver(profile, "get")(key, profile=profile), uri)


def set_(uri: str, value: Any) -> Any:
    """Store a value under a URI; return the driver's result, or False if the URI has no known profile.

    Example::

        salt-g sdb.set sdb://mymemcached/foo bar
    """
    profile, key = _profile_and_key(uri)
    if profile is None:
        return False
    return _driver(profile, "set_", "set")(key, _noted(value, uri), profile=profile)


def delete(uri: str) -> Any:
    """Delete the value of a URI; return the driver's result, or False if the URI has no known profile.

    Example::

        salt-g sdb.delete sdb://mymemcached/foo
    """
    profile, key = _profile_and_key(uri)
    if profile is None:
        return False
    return _driver(profile, "delete")(key, profile=profile)


def get_or_set_hash(
    uri: str, length: int = 8, chars: str = "abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)"
) -> Any:
    """Return the value of a URI; if it is missing, store a text of `length` random `chars` first.

    Example::

        salt-g sdb.get_or_set_hash sdb://mymemcached/key 32
    """
    found = get(uri)
    if found and found != uri:
        return found
    source = random.SystemRandom()
    made = "".join(source.choice(chars) for _ in range(length))
    set_(uri, made)
    return made


def _noted(value: Any, uri: str) -> Any:
    """Return a value of a store, noting it as a secret if `pillar_secrets` is set."""
    if opts.get("pillar_secrets"):
        secret_hiding.note(value, uri)
    return value


def _is_uri(uri: Any) -> bool:
    return isinstance(uri, str) and uri.startswith(_PREFIX)


def _parts(uri: str) -> tuple[str, str]:
    name, _, key = uri.removeprefix(_PREFIX).partition("/")
    if not key:
        raise InvocationError(
            f'SDB uri must have a profile name as a first part of the uri before the "/": {uri}'
        )
    return name, key


def _profile(name: str) -> Mapping[str, Any] | None:
    found = opts.get(name) or pillar.get(name)
    return found if isinstance(found, Mapping) and "driver" in found else None


def _profile_and_key(uri: str) -> tuple[Mapping[str, Any] | None, str]:
    if not _is_uri(uri):
        return None, ""
    name, key = _parts(uri)
    return _profile(name), key


def _driver(profile: Mapping[str, Any], *names: str) -> Any:
    table = current().table("sdb")
    for name in names:
        function = table.get(f"{profile['driver']}.{name}")
        if function is not None:
            return function
    raise NoSuchFunction(f"{profile['driver']}.{names[0]}", reason=_reason(str(profile["driver"]), names[0]))


def _reason(driver: str, function: str) -> str:
    """Return why a driver lacks a function."""
    if any(name.startswith(f"{driver}.") for name in current().table("sdb")):
        return f"the sdb driver {driver!r} has no function {function.strip('_')!r}"
    return (
        f"there is no sdb driver {driver!r} here; drivers come with extensions (salt-g pip install "
        f"saltext.{driver}) and from _sdb directories, and need their libraries"
    )
