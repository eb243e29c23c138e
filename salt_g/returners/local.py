"""Returner that writes returns and events to the standard output, for testing."""

from __future__ import annotations

import sys
from typing import Any


def returner(ret: dict[str, Any]) -> None:
    """Write a return.

    Example::

        salt-g call test.ping --return local
    """
    sys.stdout.write(f"{ret}\n")


def event_return(events: list[dict[str, Any]]) -> None:
    """Write events.

    Example::

        salt-g master    # with `event_return: local`
    """
    sys.stdout.write(f"{events}\n")
