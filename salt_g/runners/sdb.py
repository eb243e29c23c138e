"""Values from secret stores by URI (`sdb://<profile>/<key>`), with the master's profiles.

A profile is a mapping in the master's settings with a `driver`: `env`, `yaml`, or a user's plugin.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import call

__func_alias__ = {"set_": "set"}


def get(uri: str) -> Any:
    """Return the value of a URI; a text that is not an `sdb://` URI is returned unchanged.

    Example::

        salt-g run sdb.get sdb://mysecrets/user1:password
    """
    return call("sdb.get", uri)


def set_(uri: str, value: Any) -> Any:
    """Store the value of a URI; return the driver's result, False for an invalid URI.

    Example::

        salt-g run sdb.set sdb://mysecrets/token bar
    """
    return call("sdb.set", uri, value)


def delete(uri: str) -> Any:
    """Delete the value of a URI; return the driver's result, False for an invalid URI.

    Example::

        salt-g run sdb.delete sdb://mysecrets/token
    """
    return call("sdb.delete", uri)


def get_or_set_hash(uri: str, length: int = 8, chars: str | None = None) -> Any:
    """Return the value of a URI; if there is none, store `length` random `chars` first.

    Example::

        salt-g run sdb.get_or_set_hash sdb://mysecrets/key 32
    """
    return call("sdb.get_or_set_hash", uri, length, **({"chars": chars} if chars else {}))
