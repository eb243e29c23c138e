"""Returner that writes returns and events to the standard output, for testing."""

from __future__ import annotations

import sys

from salt_g.shapes.loads import EventData, ReturnLoad


def returner(ret: ReturnLoad) -> None:
    """Write a return.

    Example::

        salt-g call test.ping --return local
    """
    sys.stdout.write(f"{ret}\n")


def event_return(events: list[EventData]) -> None:
    """Write events.

    Example::

        salt-g master    # with `event_return: local`
    """
    sys.stdout.write(f"{events}\n")
