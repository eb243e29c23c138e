"""Logging configuration: destinations, formats, levels.

Libraries only call `logging.getLogger(__name__)`; the program configures the log. Importing this file imports
`logging` (10 ms), so programs that only print a line avoid the import.

Levels are stock's: in addition to Python's, `profile` (15), `trace` (5), `garbage` (1), `all` (0) and `quiet`
(1000, nothing at all). Formats can use stock's fields `bracketname`, `colorlevel`, `jid`, .... Untrusted text
cannot forge a line: control characters are escaped, and further lines are indented. Where standard error is
systemd's journal, lines go there with priority and fields (`journal.py`).
Source: stock's formats and colours; its handlers open files at once, ours with the first line.
"""

from __future__ import annotations

import contextlib
import contextvars
import copy
import functools
import logging
import math
import os
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from salt_g import safe_files
from salt_g.errors import CommandExecutionError
from salt_g.formats import ansi
from salt_g.process import disk, secret_hiding
from salt_g.process.offload import unpatched

#: {name in the settings: log level}
LEVELS = {
    "all": 0,
    "garbage": 1,
    "trace": 5,
    "debug": 10,
    "profile": 15,
    "info": 20,
    "warning": 30,
    "error": 40,
    "critical": 50,
    "quiet": 1000,
}
#: Minimum time between two reports that a log file cannot be written (s).
_REPORT_INTERVAL = 600.0
#: Id of the job of the running greenlet, "" outside of a job; shown for `%(jid)s` in a format.
current_jid: contextvars.ContextVar[str] = contextvars.ContextVar("salt_g_log_jid", default="")
#: Set while log messages must be hidden (`no_log`): lines are logged without their content.
is_hidden: contextvars.ContextVar[bool] = contextvars.ContextVar("salt_g_log_hidden", default=False)

#: {level name: (colour of the name, colour of the message)}
_COLORS = {
    "CRITICAL": ("LIGHT_RED", "LIGHT_RED"),
    "ERROR": ("LIGHT_RED", "RED"),
    "WARNING": ("LIGHT_YELLOW", "YELLOW"),
    "INFO": ("LIGHT_GREEN", "GREEN"),
    "PROFILE": ("LIGHT_CYAN", "LIGHT_CYAN"),
    "DEBUG": ("LIGHT_CYAN", "CYAN"),
    "TRACE": ("LIGHT_MAGENTA", "MAGENTA"),
    "GARBAGE": ("LIGHT_BLUE", "BLUE"),
}
#: Maximum length of a message (characters); longer ones are cut, so that a peer cannot fill the disk.
_LONGEST = 1 << 16
#: Separator before each further line of a message.
_CONTINUATION = "\n    "
#: Pattern of characters that are escaped, compiled at the first message.
_CONTROL = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]"
#: Value of `log_fmt_console` and `log_fmt_logfile` that means JSON.
JSON = "json"
#: Handlers that the last `set_up` added.
_handlers: list[logging.Handler] = []
#: Mode of a new log file.
_FILE_MODE = 0o600


class Logger(logging.Logger):
    """Logger with stock's additional levels, which users' modules use."""

    def profile(self, message: object, *args: Any, **kwargs: Any) -> None:
        """Log at the level `profile`, which is for durations."""
        self.log(LEVELS["profile"], message, *args, **{"stacklevel": 2, **kwargs})

    def trace(self, message: object, *args: Any, **kwargs: Any) -> None:
        """Log at the level `trace`, below `debug`."""
        self.log(LEVELS["trace"], message, *args, **{"stacklevel": 2, **kwargs})

    def garbage(self, message: object, *args: Any, **kwargs: Any) -> None:
        """Log at the level `garbage`, below `trace`."""
        self.log(LEVELS["garbage"], message, *args, **{"stacklevel": 2, **kwargs})

    def _log(
        self, level: int, *args: Any, exc_info_on_loglevel: int | str | None = None, **kwargs: Any
    ) -> None:
        """Log; `exc_info_on_loglevel` adds the traceback when that level is shown."""
        if exc_info_on_loglevel is not None:
            kwargs["exc_info"] = self.isEnabledFor(level_of(exc_info_on_loglevel))
        # Also skip the frame of this method.
        kwargs["stacklevel"] = kwargs.get("stacklevel", 1) + 1
        super()._log(level, *args, **kwargs)


def level_of(name: str | int | None) -> int:
    """Return the number of a log level; an unknown name counts as `warning`."""
    return name if isinstance(name, int) else LEVELS.get(str(name).lower(), LEVELS["warning"])


def set_up(
    opts: Mapping[str, Any],
    *,
    console_level: str | None = None,
    logfile_level: str | None = None,
    counts_floods: bool = False,
) -> None:
    """Send the log to the console and the file of the settings; can be called again.

    The levels default to those of the settings (`log_level`, `log_level_logfile`). Daemons set
    `counts_floods`, so that repeated lines caused by peers are counted instead of written.
    """
    logging.setLoggerClass(Logger)
    for name in ("profile", "trace", "garbage", "quiet"):
        logging.addLevelName(LEVELS[name], name.upper())
    _remove_handlers()
    level = level_of(console_level or opts.get("log_level"))
    file_level = level_of(logfile_level or opts.get("log_level_logfile") or level)
    handlers = [_console(opts, level), _file(opts, file_level)]
    for handler in handlers:
        handler.addFilter(_hide_content)
        if counts_floods:
            handler.addFilter(_flood_filter())
        logging.root.addHandler(handler)
    _handlers.extend(handlers)
    _lock_for_threads(handlers)
    logging.root.setLevel(min(handler.level for handler in handlers))
    for name, wanted in (opts.get("log_granular_levels") or {}).items():
        _set_level(name, level_of(wanted))


def add_handler(handler: logging.Handler) -> None:
    """Add a user's handler to the log; it is kept when `set_up` is called again."""
    handler.addFilter(_hide_content)
    _lock_for_threads([handler])
    logging.root.addHandler(handler)


def _lock_for_threads(handlers: Sequence[logging.Handler]) -> None:
    """Protect the log with native locks, because offloaded work logs from native threads.

    With gevent's locks, threads sometimes deadlock. Greenlets of one thread can hold a native RLock at
    the same time, which is harmless: no switch happens while it is held, except in a handler that waits
    for its peer.
    """
    logging._lock = unpatched("RLock")()  # type: ignore[attr-defined]
    for handler in handlers:
        handler.lock = unpatched("RLock")()


def sanitize(text: str) -> str:
    """Return untrusted text for a log line: cut, control characters escaped, further lines indented."""
    text = _cut(text).replace("\r\n", "\n").rstrip("\n")
    return re.sub(_CONTROL, _escaped, text).replace("\n", _CONTINUATION)


def _cut(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]} ({len(text) - _LONGEST} more characters)"


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def _hide_content(record: logging.LogRecord) -> bool:
    """Hide the content of a record while `is_hidden` is set, otherwise its secrets; return True."""
    if is_hidden.get():
        record.msg, record.args = "(not shown, because of no_log)", ()
        record.exc_info = record.exc_text = record.stack_info = None
        return True
    if isinstance(record.args, tuple) and any(
        isinstance(each, CommandExecutionError) for each in record.args
    ):
        record.args = tuple(map(_redacted_error, record.args))
    if secret_hiding.is_active():
        _hide_secrets(record)
    return True


def _redacted_error(value: object) -> object:
    """Return an argument of a record; the command output quoted in an error is redacted."""
    from salt_g.process.redaction import RedactedOutput  # Imported lazily: only needed after failures.

    return RedactedOutput(value) if isinstance(value, CommandExecutionError) else value


def _traceback(exc_info: Any) -> str:
    """Return a traceback with redacted messages, which can quote output; code is shown unchanged."""
    from salt_g.process.redaction import redacted_output  # Imported lazily: only needed after failures.

    lines = logging.Formatter().formatException(exc_info).split("\n")
    return "\n".join(line if line.startswith("  ") else redacted_output(line) for line in lines)


def _hide_secrets(record: logging.LogRecord) -> None:
    """Replace known secrets in a record for all handlers, users' too; its traceback becomes text."""
    record.msg, record.args = secret_hiding.hide(record.getMessage()), ()
    if record.exc_info:
        record.exc_text = _traceback(record.exc_info)
        record.exc_info = None
    record.exc_text = secret_hiding.hide(record.exc_text)
    record.stack_info = secret_hiding.hide(record.stack_info)


def _flood_filter() -> logging.Filter:
    from salt_g.telemetry.log_rate_limit import LogRateLimit  # Imported lazily: for daemons only.

    return LogRateLimit()


def _remove_handlers() -> None:
    while _handlers:
        handler = _handlers.pop()
        logging.root.removeHandler(handler)
        # Closing flushes again what could not be written to a full disk, and can fail again.
        with contextlib.suppress(OSError):
            handler.close()


def _set_level(name: str, level: int) -> None:
    logging.getLogger(name).setLevel(level)
    if name.partition(".")[0] == "salt":
        # Stock's configs name packages of `salt`; ours have the same names below `salt_g`.
        logging.getLogger(name.replace("salt", "salt_g", 1)).setLevel(level)


class _ConsoleHandler(logging.StreamHandler):  # type: ignore[type-arg]  # no generic before Python 3.11
    """Handler that writes to the current standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)


class _LazyHandler(logging.Handler):
    """Handler that is created at its first line, because opening a log file costs time and can fail."""

    def __init__(self, make: Callable[[], logging.Handler], place: str) -> None:
        super().__init__()
        self._make = make
        self._place = place
        self._handler: logging.Handler | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if self._handler is None:
            self._handler = self._made()
        self._handler.emit(record)

    def close(self) -> None:
        if self._handler is not None:
            self._handler.close()
        super().close()

    def _made(self) -> logging.Handler:
        try:
            handler = self._make()
        except OSError as exc:
            # Set first, so that the warning below does not recurse.
            self._handler = logging.NullHandler()
            message = "Failed to open log file, do you have permission to write to %s? (%s)"
            logging.getLogger(__name__).warning(message, self._place, exc.strerror)
            return self._handler
        handler.setFormatter(self.formatter)
        return handler


class _JsonFormatter(logging.Formatter):
    """Formatter that writes one JSON object per line; JSON itself escapes control characters."""

    def __init__(self, opts: Mapping[str, Any]) -> None:
        super().__init__()
        self._opts = opts

    def format(self, record: logging.LogRecord) -> str:
        # Imported lazily: few programs log JSON, and every one that logs loads this file.
        import datetime
        import json

        moment = datetime.datetime.fromtimestamp(record.created, datetime.timezone.utc)
        fields = {
            "time": moment.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "line": record.lineno,
            "pid": record.process,
            "id": self._opts.get("id"),
            "jid": current_jid.get(),
            "message": _whole_text(record.getMessage()),
        }
        if record.exc_info:
            fields["exception"] = _whole_text(_traceback(record.exc_info))
        elif record.exc_text:
            fields["exception"] = _whole_text(record.exc_text)
        return json.dumps({name: value for name, value in fields.items() if value}, ensure_ascii=True)


def _whole_text(text: str) -> str:
    """Return text for a JSON line: cut if too long, surrogates escaped (strict parsers reject them)."""
    return _cut(text).encode("utf-8", "backslashreplace").decode("utf-8")


class _Formatter(logging.Formatter):
    """Formatter with stock's fields and escaped untrusted text."""

    def __init__(self, form: str, dates: str, opts: Mapping[str, Any], *, colored: bool) -> None:
        super().__init__(form, dates)
        self._opts = opts
        self._colors = ansi.palette(colored)

    def format(self, record: logging.LogRecord) -> str:
        record = copy.copy(record)
        record.msg, record.args = sanitize(record.getMessage()), None
        if record.exc_info:
            # Another handler may have cached the traceback in its own format.
            record.exc_text = None
        elif record.exc_text:
            record.exc_text = f"    {sanitize(record.exc_text)}"
        self._add_fields(record)
        return super().format(record)

    def formatException(self, ei: Any) -> str:  # noqa: N802 (the name is logging's)
        return "    " + sanitize(_traceback(ei))

    def _add_fields(self, record: logging.LogRecord) -> None:
        level, message = _COLORS.get(record.levelname, (ansi.END, ansi.END))
        name = f"[{record.name:<17}]"
        levelname = f"[{record.levelname:<8}]"
        process = f"[{record.process!s:>5}]"
        record.__dict__.update(
            bracketname=name,
            bracketlevel=levelname,
            bracketprocess=process,
            colorname=self._painted("LIGHT_GREEN", name),
            colorlevel=self._painted(level, levelname),
            colorprocess=self._painted("LIGHT_BLUE", process),
            colormsg=self._painted(message, record.msg),
            jid=self._filled("log_fmt_jid", "jid", current_jid.get()),
            minion_id=self._filled("log_fmt_minion_id", "minion_id", self._opts.get("id") or ""),
        )

    def _painted(self, color: str, text: str) -> str:
        return f"{self._colors[color]}{text}{self._colors[ansi.END]}"

    def _filled(self, setting: str, name: str, value: str) -> str:
        form = self._opts.get(setting)
        return form % {name: value} if form and value else ""


def _formatter(form: str, dates: str, opts: Mapping[str, Any], *, colored: bool) -> logging.Formatter:
    """Return the formatter for a line format; the format `json` writes one JSON object per line."""
    return _JsonFormatter(opts) if form == JSON else _Formatter(form, dates, opts, colored=colored)


def _console(opts: Mapping[str, Any], level: int) -> logging.Handler:
    if "JOURNAL_STREAM" in os.environ:
        from salt_g.telemetry import journal  # Imported lazily: for services only.

        if journal.is_standard_error():
            return _journal(opts, level)
    handler = _ConsoleHandler()
    handler.setLevel(level)
    dates = opts.get("log_datefmt_console") or opts["log_datefmt"]
    wanted = opts.get("color") is not False and not os.environ.get("NO_COLOR")
    colored = wanted and os.environ.get("TERM") != "dumb"
    handler.setFormatter(_formatter(opts["log_fmt_console"], dates, opts, colored=colored))
    return handler


def _journal(opts: Mapping[str, Any], level: int) -> logging.Handler:
    """Return the journal's handler.

    Unless the format is JSON, a line is only the message: the journal has level, time and job as fields.
    """
    from salt_g.telemetry.journal import JournalHandler

    role = opts.get("__role") or ""
    identifier = f"salt-g-{role}" if role else "salt-g"
    handler = JournalHandler(
        {"SYSLOG_IDENTIFIER": identifier, "SALT_ID": str(opts.get("id") or "")}, jid=current_jid.get
    )
    handler.setLevel(level)
    form = JSON if opts["log_fmt_console"] == JSON else "%(message)s"
    handler.setFormatter(_formatter(form, opts["log_datefmt"], opts, colored=False))
    return handler


def _file(opts: Mapping[str, Any], level: int) -> logging.Handler:
    place = opts["log_file"]
    handler = _LazyHandler(lambda: _open(place, opts), place)
    handler.setLevel(level)
    handler.setFormatter(
        _formatter(opts["log_fmt_logfile"], opts["log_datefmt_logfile"], opts, colored=False)
    )
    return handler


def _open(place: str, opts: Mapping[str, Any]) -> logging.Handler:
    import logging.handlers

    if "://" in place:
        return _open_syslog(place)
    disk.make_private_leaf(os.path.dirname(place) or ".")
    os.close(safe_files.open_file(place, os.O_WRONLY | os.O_APPEND | os.O_CREAT, _FILE_MODE))
    size = opts.get("log_rotate_max_bytes") or 0
    if size > 0:
        number = opts.get("log_rotate_backup_count") or 0
        return _opened(
            logging.handlers.RotatingFileHandler(
                place, maxBytes=size, backupCount=number, encoding="utf-8", delay=True
            )
        )
    return _opened(logging.handlers.WatchedFileHandler(place, encoding="utf-8", delay=True))


def _opened(handler: logging.FileHandler) -> logging.FileHandler:
    """Make a handler open its file, now and after rotation, without following untrusted links."""
    handler._builtin_open = functools.partial(open, opener=safe_files.opener)  # type: ignore[attr-defined]
    handler.stream = handler._open()
    handler.handleError = _WriteErrors(handler)  # type: ignore[method-assign]
    return handler


class _WriteErrors:
    """Rate-limited report of lines that cannot be written, instead of logging's traceback for each."""

    def __init__(self, handler: logging.FileHandler) -> None:
        self._handler = handler
        self._reported = -math.inf

    def __call__(self, record: logging.LogRecord) -> None:
        exc = sys.exc_info()[1]
        if not isinstance(exc, OSError):
            logging.Handler.handleError(self._handler, record)
        elif time.monotonic() - self._reported > _REPORT_INTERVAL and sys.stderr is not None:
            self._reported = time.monotonic()
            path = self._handler.baseFilename
            with contextlib.suppress(OSError, ValueError):
                print(f"cannot write to the log file {path}: {exc.strerror}; lines are lost", file=sys.stderr)


def _open_syslog(address: str) -> logging.Handler:
    """Open `file:///dev/log/LOG_DAEMON`, `udp://host:514/LOG_USER` or the like; the facility is optional."""
    import logging.handlers
    import socket
    import urllib.parse

    syslog = logging.handlers.SysLogHandler
    url = urllib.parse.urlparse(address)
    path, _, last = url.path.rpartition("/")
    if not last.startswith("LOG_"):
        path, last = url.path, "LOG_USER"
    facility = getattr(syslog, last, None)
    if facility is None:
        raise OSError(0, f"the syslog facility {last!r} is unknown")
    if url.scheme == "file":
        os.stat(path)  # Without a syslog the handler would fail at each line, with a traceback.
        return syslog(path, facility)
    kind = socket.SOCK_STREAM if url.scheme == "tcp" else socket.SOCK_DGRAM
    return syslog((url.hostname or "localhost", url.port or logging.handlers.SYSLOG_UDP_PORT), facility, kind)
