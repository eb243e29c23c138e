"""Calls of a resource type's functions with a time limit.

`init`, `grains`, `discover`, `ping` and `shutdown` are all foreign code that waits for devices; every failure
becomes a reason in one line.
Units: seconds.
Errors: TypeCallFailed, whose text has the reason.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import gevent

from salt_g.errors import SaltGError

log = logging.getLogger(__name__)


class TypeCallFailed(SaltGError):
    """A type's function raised, or exceeded its time limit."""


def call_with_timeout(timeout: float, function: Callable[..., Any], *args: Any) -> Any:
    """Return the value of the function; raise TypeCallFailed when it raises or takes too long."""
    # A BaseException, so that no `except Exception` of the function swallows it.
    limit = gevent.Timeout(timeout)
    limit.start()
    try:
        return function(*args)
    except gevent.Timeout as exc:
        if exc is not limit:
            raise
        raise TypeCallFailed(f"no answer within {timeout:g} s") from None
    # Foreign code may raise anything, including SystemExit, which must not end this process.
    except (Exception, SystemExit) as exc:
        log.debug("a function of a resource type raised", exc_info=True)
        raise TypeCallFailed(f"{type(exc).__name__}: {exc}" if str(exc) else type(exc).__name__) from exc
    finally:
        limit.close()
