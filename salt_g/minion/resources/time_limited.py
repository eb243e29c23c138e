"""Time-limited calls of a resource type's functions.

`init`, `grains`, `discover`, `ping` and `shutdown` are third-party code that waits for devices; every failure
is reported as a one-line reason.
Units: seconds.
Errors: TypeCallFailed, whose message is the reason.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import gevent

from salt_g.errors import SaltGError

log = logging.getLogger(__name__)


class TypeCallFailed(SaltGError):
    """Raised when a type's function raises, or exceeds its time limit."""


def call_with_timeout(timeout: float, function: Callable[..., Any], *args: Any) -> Any:
    """Call a function and return its value; raise TypeCallFailed if it raises or exceeds `timeout`."""
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
