"""Call a type's function with an end: a device that hangs is one device's trouble.

Why its own file: `init`, `grains`, `discover`, `ping` and `shutdown` are all foreign code that waits for
devices; whatever they do becomes a reason in one line.
Units: seconds.
Errors: Failed, whose text says what went wrong.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import gevent

from salt_g.errors import SaltGError

log = logging.getLogger(__name__)


class TypeCallFailed(SaltGError):
    """A type's function raised, or did not end in its time."""


def bounded(timeout: float, function: Callable[..., Any], *args: Any) -> Any:
    """Return what the function returns; raises Failed when it raises or takes too long."""
    # No `except Exception` of the function may swallow it: gevent's timeouts are none.
    limit = gevent.Timeout(timeout)
    limit.start()
    try:
        return function(*args)
    except gevent.Timeout as exc:
        if exc is not limit:
            raise
        raise TypeCallFailed(f"no answer within {timeout:g} s") from None
    # Foreign code may raise anything, and may want to end its process, which is not its own here.
    except (Exception, SystemExit) as exc:
        log.debug("a function of a resource type raised", exc_info=True)
        raise TypeCallFailed(f"{type(exc).__name__}: {exc}" if str(exc) else type(exc).__name__) from exc
    finally:
        limit.close()
