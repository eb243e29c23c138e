"""Standard streams that take what commands print, whatever the starter of the program has left of them.

Why its own file: a stream may be closed, of another encoding, or on a full disk; commands need not know.
"""

from __future__ import annotations

import codecs
import os
import sys
from typing import Any

#: Name of the way to print characters that a stream's encoding does not have.
_AS_FAR_AS_POSSIBLE = "salt_g_print"


def fit() -> None:
    """Put the null device in the place of what was closed, and let every text be printed and read.

    A file that is opened later would otherwise get the number of the closed stream, and what programs
    print there.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            _occupy(number)
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (until we end)
    codecs.register_error(_AS_FAR_AS_POSSIBLE, _printable)
    _set_errors(sys.stdout, _AS_FAR_AS_POSSIBLE)
    # As words of the command line that are no UTF-8.
    _set_errors(sys.stdin, "surrogateescape")


def flush() -> str:
    """Write what was printed; return why that could not be done, '' when it was or nobody reads any more."""
    problem = ""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            pass
        except OSError as exc:
            problem = f"what was printed could not be written: {exc.strerror}"
    return problem


def _occupy(number: int) -> None:
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
    """Return what stands for characters that cannot be encoded: bytes that were no text are bytes again."""
    if not isinstance(exc, UnicodeEncodeError):
        raise exc
    text = exc.object[exc.start : exc.end]
    return b"".join(map(_bytes_of, text)), exc.end


def _bytes_of(character: str) -> bytes:
    code = ord(character)
    return (
        bytes([code - 0xDC00]) if 0xDC80 <= code <= 0xDCFF else character.encode("ascii", "backslashreplace")
    )
