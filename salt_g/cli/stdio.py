"""Standard streams that are safe for printing, whatever their state at start-up.

A stream can be closed, have another encoding, or be redirected to a full disk; commands need not check.
"""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Mapping
from typing import Any, TextIO

#: Name of the codec error handler for characters that a stream's encoding lacks.
_AS_FAR_AS_POSSIBLE = "salt_g_print"
#: Outputters whose output programs parse, so that nothing else may be written to standard output.
FOR_PROGRAMS = frozenset(("json", "yaml", "raw", "pprint", "quiet"))


def fit() -> None:
    """Replace closed streams with the null device, and accept all text on all streams.

    Otherwise a file opened later would get the descriptor of the closed stream, and programs would print into
    that file.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            _open_null(number)
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (open until exit)
    codecs.register_error(_AS_FAR_AS_POSSIBLE, _printable)
    _set_errors(sys.stdout, _AS_FAR_AS_POSSIBLE)
    # Decode as Python decodes arguments that are not valid UTF-8.
    _set_errors(sys.stdin, "surrogateescape")


def notices(opts: Mapping[str, Any]) -> TextIO:
    """Return the stream for notices: stderr if a program reads standard output, else stdout."""
    return sys.stderr if opts.get("output") in FOR_PROGRAMS else sys.stdout


def is_terminal(stream: TextIO) -> bool:
    """Return whether a stream is a terminal that supports colours and cursor movement."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def is_watched() -> bool:
    """Return whether both standard output and standard error are terminals that can redraw a line."""
    return is_terminal(sys.stdout) and is_terminal(sys.stderr)


def flush() -> str:
    """Flush printed output; return the error text, '' on success or if the reader closed the pipe."""
    problem = ""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            pass
        except OSError as exc:
            problem = f"cannot write the output: {exc.strerror}"
    return problem


def _open_null(number: int) -> None:
    try:
        os.fstat(number)
    except OSError:
        null = os.open(os.devnull, os.O_RDWR)
        if null != number:
            os.dup2(null, number)
            os.close(null)


def _set_errors(stream: Any, way: str) -> None:
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors=way)


def _printable(exc: UnicodeError) -> tuple[bytes, int]:
    """Return a replacement for characters that cannot be encoded; surrogates become the original bytes."""
    if not isinstance(exc, UnicodeEncodeError):
        raise exc
    text = exc.object[exc.start : exc.end]
    return b"".join(map(_bytes_of, text)), exc.end


def _bytes_of(character: str) -> bytes:
    code = ord(character)
    return (
        bytes([code - 0xDC00]) if 0xDC80 <= code <= 0xDCFF else character.encode("ascii", "backslashreplace")
    )
