"""Log of a pillar worker: its records go to the master, which writes them like its own.

So there is one log, with one format, one rotation and one set of handlers. Each record is one message of a
socket pair, written by the kernel as a whole, whichever thread logs.
Shapes: a record is a JSON map of the attributes in `ATTRIBUTES`.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os

#: Attributes of a record that are relayed; `msg` is the finished text.
ATTRIBUTES = ("name", "levelno", "levelname", "created", "msecs", "pathname", "filename", "module", "lineno")
#: Most characters of a text and of a traceback: a message of the socket has its limit.
LONGEST = 16 * 1024


class Relay(logging.Handler):
    """Handler of a worker, writing to a file descriptor."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor

    def createLock(self) -> None:  # noqa: N802 - the name of the standard library
        """Do without a lock: the kernel keeps messages apart."""
        self.lock = None

    def emit(self, record: logging.LogRecord) -> None:
        """Send a record; without a master nobody reads it."""
        fields = {name: getattr(record, name) for name in ATTRIBUTES}
        fields["msg"] = record.getMessage()[:LONGEST]
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        fields["exc_text"] = record.exc_text and record.exc_text[-LONGEST:]
        with contextlib.suppress(OSError):
            os.write(self._descriptor, json.dumps(fields).encode("ascii"))


def write_here(message: bytes) -> None:
    """Log a record of a worker in this process; raise ValueError for anything else."""
    fields = json.loads(message)
    if not isinstance(fields, dict) or not isinstance(fields.get("name"), str):
        raise ValueError("a pillar worker sent something else than a log record")
    logger = logging.getLogger(fields["name"])
    if logger.isEnabledFor(int(fields.get("levelno", 0))):
        logger.handle(logging.makeLogRecord(fields))
