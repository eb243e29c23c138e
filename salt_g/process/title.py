"""Name of this process in lists of processes.

`ps -e`, `top`, `pgrep` and beacons show the name of at most 15 characters, `ps -f` the command line; changing
that needs the library setproctitle.
Source: proc_pid_comm(5).
"""

from __future__ import annotations

import contextlib

#: Word that stock appends to the command line of a daemon's first process.
MAIN = "MainProcess"


def show_as(name: str) -> None:
    """Show this process under a name, and mark its command line if that can be changed here."""
    with contextlib.suppress(ImportError):
        import setproctitle

        setproctitle.setproctitle(f"{setproctitle.getproctitle()} {MAIN}")
    # A system without /proc, or with a closed one, goes on with the name of the program.
    with contextlib.suppress(OSError), open("/proc/self/comm", "w", encoding="utf-8") as file:
        file.write(name)
