"""Log of `salt-g ssh`, whose lines about a host begin with its id and are printed only with a log level.

A minion has a log for the messages of its functions; here many hosts share one terminal, and their results
already say what failed.
"""

from __future__ import annotations

import contextlib
import contextvars
import logging
from collections.abc import Iterator

from salt_g.shapes import Opts
from salt_g.telemetry import log

_host: contextvars.ContextVar[str] = contextvars.ContextVar("salt_g_ssh_host", default="")


def set_up(opts: Opts, *, shows_hosts: bool) -> None:
    """Set up the log on the console and in the configured file."""
    log.set_up(opts)

    def named(record: logging.LogRecord) -> bool:
        host = _host.get()
        if not host or getattr(record, "host", None):
            return not host or shows_hosts
        record.host = host
        record.msg, record.args = f"{host}: {record.getMessage()}", ()
        return shows_hosts

    for handler in logging.root.handlers:
        handler.addFilter(named)


@contextlib.contextmanager
def lines_of(host: str) -> Iterator[None]:
    """Attribute the lines of a `with` block to a host."""
    token = _host.set(host)
    try:
        yield
    finally:
        _host.reset(token)
