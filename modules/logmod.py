"""Log messages, mostly from templates: `{% do salt.log.warning('odd') %}`."""

from __future__ import annotations

import logging
import sys

log = logging.getLogger(__name__)

__virtualname__ = "log"


def debug(message: str) -> bool:
    """Log a message at level debug; return True.

    Example::

        salt-g log.debug 'He Who Must Not Be Named'
    """
    return _write(logging.DEBUG, message)


def info(message: str) -> bool:
    """Log a message at level info; return True.

    Example::

        salt-g log.info 'He Who Must Not Be Named'
    """
    return _write(logging.INFO, message)


def warning(message: str) -> bool:
    """Log a message at level warning; return True.

    Example::

        salt-g log.warning 'He Who Must Not Be Named'
    """
    return _write(logging.WARNING, message)


def error(message: str) -> bool:
    """Log a message at level error; return True.

    Example::

        salt-g log.error 'He Who Must Not Be Named'
    """
    return _write(logging.ERROR, message)


def critical(message: str) -> bool:
    """Log a message at level critical; return True.

    Example::

        salt-g log.critical 'He Who Must Not Be Named'
    """
    return _write(logging.CRITICAL, message)


def exception(message: str) -> bool:
    """Log a message at level error, with the exception being handled if there is one; return True.

    Example::

        salt-g log.exception 'He Who Must Not Be Named'
    """
    log.error("%s", message, exc_info=sys.exc_info()[0] is not None)
    return True


def _write(level: int, message: str) -> bool:
    log.log(level, "%s", message)
    return True
