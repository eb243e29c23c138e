"""Log handler for systemd's journal: priority and fields, by the native protocol of its socket.

Used where standard error is the journal, as in a service. A line that cannot be sent to the socket is
written to standard error with its priority as a prefix, which the journal also reads.
Source: systemd.journal-fields(7), sd-daemon(3), "Native Journal Protocol" of systemd's documentation.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Callable, Iterator, Mapping

#: Socket of the journal.
SOCKET = "/run/systemd/journal/socket"
#: (lowest log level, syslog priority)
_PRIORITIES = ((50, 2), (40, 3), (30, 4), (20, 6), (0, 7))


def is_standard_error() -> bool:
    """Return whether standard error is the journal's stream, by its device and inode in JOURNAL_STREAM."""
    stream = os.environ.get("JOURNAL_STREAM", "")
    if not stream:
        return False
    try:
        status = os.fstat(2)
    except OSError:
        return False
    return stream == f"{status.st_dev}:{status.st_ino}"


class JournalHandler(logging.Handler):
    """Handler that sends records with their fields; never waits for the journal."""

    def __init__(
        self, fields: Mapping[str, str], *, jid: Callable[[], str] = str, address: str = SOCKET
    ) -> None:
        """Initialize; `fields` are added to each record, `jid` returns the id of the current job."""
        super().__init__()
        self._fields = fields
        self._jid = jid
        self._address = address
        self._socket: socket.socket | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Send a record."""
        text = self.format(record)
        try:
            self._opened().sendto(_packed(self._fields_of(record, text)), self._address)
        except OSError:
            # There is no journal, its queue is full, or the record exceeds the size limit of a datagram.
            _write_line(text, priority_of(record.levelno))

    def close(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        super().close()

    def _opened(self) -> socket.socket:
        if self._socket is None:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._socket.setblocking(False)
        return self._socket

    def _fields_of(self, record: logging.LogRecord, text: str) -> Iterator[tuple[str, str]]:
        yield "MESSAGE", text
        yield "PRIORITY", str(priority_of(record.levelno))
        yield "CODE_FILE", record.pathname
        yield "CODE_LINE", str(record.lineno)
        yield "CODE_FUNC", record.funcName or ""
        yield "LOGGER", record.name
        yield "SALT_JID", self._jid()
        yield from self._fields.items()


def priority_of(level: int) -> int:
    """Return the priority of a level, 2 (critical) to 7 (debug)."""
    return next(priority for lowest, priority in _PRIORITIES if level >= lowest)


def _packed(fields: Iterator[tuple[str, str]]) -> bytes:
    """Return the datagram of all fields that are not empty."""
    return b"".join(_field(name, value) for name, value in fields if value)


def _field(name: str, value: str) -> bytes:
    data = value.encode("utf-8", "replace")
    if "\n" not in value:
        return b"%b=%b\n" % (name.encode(), data)
    return b"%b\n%b%b\n" % (name.encode(), len(data).to_bytes(8, "little"), data)


def _write_line(text: str, priority: int) -> None:
    for line in text.splitlines():
        print(f"<{priority}>{line}", file=sys.stderr)
