"""Test functions for runners."""

from __future__ import annotations

import time
from typing import Any

from salt_g.api import opts, own_arguments, services
from salt_g.services.daemons import MasterServices

_WORDS = {
    "us": [
        *("foo", "bar", "baz", "qux", "quux", "quuz", "corge"),
        *("grault", "garply", "waldo", "fred", "plugh", "xyzzy", "thud"),
    ],
    "uk": ["wibble", "wobble", "wubble", "flob"],
}


def arg(*args: Any, **kwargs: Any) -> dict[str, Any]:
    """Return the arguments, without those that begin with two underscores.

    Example::

        salt-g run test.arg foo bar=baz
    """
    return {"args": list(args), "kwargs": own_arguments(kwargs)}


def raw_arg(*args: Any, **kwargs: Any) -> dict[str, Any]:
    """Return all arguments.

    Example::

        salt-g run test.raw_arg foo __bar=baz
    """
    return {"args": list(args), "kwargs": kwargs}


def metasyntactic(locality: str = "us") -> list[str] | None:
    """Return the metasyntactic variable names of a country (`us`, `uk`).

    Example::

        salt-g run test.metasyntactic locality=uk
    """
    return _WORDS.get(locality)


def stdout_print() -> str:
    """Print 'foo' and return 'bar'.

    Example::

        salt-g run test.stdout_print
    """
    services(MasterServices).progress.write("foo")
    return "bar"


def sleep(s_time: float = 10) -> bool:
    """Print the number of seconds, sleep that long, return True.

    Example::

        salt-g run test.sleep s_time=5
    """
    services(MasterServices).progress.write(str(s_time))
    time.sleep(s_time)
    return True


def stream() -> bool:
    """Report progress 99 times within ten seconds, then return True.

    Example::

        salt-g run test.stream
    """
    for done in range(1, 100):
        services(MasterServices).progress.fire({"message": f"Runner is {done}% done"})
        time.sleep(0.1)
    return True


def get_opts() -> dict[str, Any]:
    """Return the settings of the master.

    Example::

        salt-g run test.get_opts
    """
    return opts.copy()
