"""Returner that sends returns to syslog, as JSON.

syslog.level: LOG_ERR
syslog.facility: LOG_DAEMON
syslog.tag: mysalt
syslog.options: [LOG_PID]
"""

from __future__ import annotations

import logging
import syslog
from typing import Any

from salt_g.returners._options import as_json, options, prepared_jid
from salt_g.shapes.loads import ReturnLoad

log = logging.getLogger(__name__)

__virtualname__ = "syslog"

_DEFAULTS: dict[str, Any] = {"level": "LOG_INFO", "facility": "LOG_USER", "tag": None, "options": []}
#: Maximum length of a syslog tag (characters).
_LONGEST_TAG = 32


def __virtual__() -> str:
    """Return the virtual name `syslog`."""
    return __virtualname__


def returner(ret: ReturnLoad) -> None:
    """Send a return.

    Example::

        salt-g '*' test.ping --return syslog
    """
    chosen = options("syslog", ret, _DEFAULTS)
    problem = _problem(chosen)
    if problem:
        log.error("returner syslog: %s", problem)
        return
    flags = sum({_number(name) for name in chosen["options"]})
    if chosen["tag"]:
        syslog.openlog(chosen["tag"], flags)
    else:
        syslog.openlog(logoption=flags)
    syslog.syslog(_number(chosen["facility"]) | _number(chosen["level"]), as_json(ret))
    syslog.closelog()


def prep_jid(nocache: bool = False, passed_jid: str | None = None) -> str:
    """Return the jid of a new job.

    Example::

        salt-g master    # with `master_job_cache: syslog`
    """
    return prepared_jid(passed_jid)


def _problem(chosen: dict[str, Any]) -> str:
    named = [("level", chosen["level"]), ("facility", chosen["facility"])]
    named += [("option", name) for name in chosen["options"]]
    for what, name in named:
        if not str(name).startswith("LOG_") or not isinstance(getattr(syslog, str(name), None), int):
            return f"{name!r} is not a valid syslog {what}"
    tag = chosen["tag"]
    if tag and (not isinstance(tag, str) or len(tag) > _LONGEST_TAG):
        return f"the tag must be text of at most {_LONGEST_TAG} characters"
    return ""


def _number(name: str) -> int:
    return int(getattr(syslog, name))
