"""Name of this process in lists of processes.

`ps -e`, `top`, `pgrep` and beacons show the name of at most 15 characters, `ps -f` the command line; changing
that needs the library setproctitle, but parts of it can be overwritten in place.
Source: proc_pid_comm(5), proc_pid_stat(5), proc_pid_mem(5).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection

#: Word that stock appends to the command line of a daemon's first process.
MAIN = "MainProcess"


def show_as(name: str) -> None:
    """Set the name of this process, and mark its command line if setproctitle is installed."""
    with contextlib.suppress(ImportError):
        import setproctitle

        setproctitle.setproctitle(f"{setproctitle.getproctitle()} {MAIN}")
    # Without a writable /proc, the process keeps the name of the program.
    with contextlib.suppress(OSError), open("/proc/self/comm", "w", encoding="utf-8") as file:
        file.write(name)


#: Indexes of `arg_start` and `arg_end` among the fields of /proc/self/stat that follow the name.
_ARGUMENTS = slice(45, 47)


def hide_arguments(prefixes: Collection[str]) -> None:
    """Overwrite the values after these prefixes in our command line, which all users of the host can read.

    The values were readable until now, for a few hundredths of a second. Without /proc they stay readable.
    """
    with contextlib.suppress(OSError, ValueError):
        with open("/proc/self/stat", "rb") as file:
            start, end = map(int, file.read().rpartition(b")")[2].split()[_ARGUMENTS])
        descriptor = os.open("/proc/self/mem", os.O_RDWR | os.O_CLOEXEC)
        try:
            words = os.pread(descriptor, end - start, start).split(b"\0")
            os.pwrite(descriptor, b"\0".join(_without_value(word, prefixes) for word in words), start)
        finally:
            os.close(descriptor)


def _without_value(word: bytes, prefixes: Collection[str]) -> bytes:
    """Return a word with the value after a prefix overwritten, at the same length."""
    kept = next((len(prefix) for prefix in prefixes if word.startswith(prefix.encode())), len(word))
    return word[:kept] + b"*" * (len(word) - kept)
