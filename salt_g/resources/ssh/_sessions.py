"""Execution of commands in separate sessions on a persistent connection.

`_connection.py` opens a session; this file runs its command to the end, or has it killed on the host. As on a
minion, the environment of a job's commands contains a mark of the job, by which daemons are found even after
their parents have ended. A process is identified by its pid and start time.
Shapes: the login shell prints its pid before the command starts, after a mark on both streams; a profile's
output precedes it and is ignored. Killed processes are {pid: command}.
Units: seconds.
Errors: MuxError, CommandTimeout; CommandExecutionError if the connection ends during a command, or on too
much output.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from salt_g.errors import CommandExecutionError, CommandTimeout
from salt_g.process import command
from salt_g.process.command import Finished
from salt_g.process.job_marks import VARIABLE
from salt_g.process.process_tree import shown_command
from salt_g.resources.ssh._mux import Session
from salt_g.resources.ssh._streams import BoundedOutput, pipe_to_read, pipe_to_write, read_all, write_all

#: Mark printed before the output of every command.
MARK = "salt-g began "
#: Time to wait for output after a command has ended, because a daemon started by it may keep the stream open
#: (s).
DRAINING = 2.0

#: Kills the process $1 with its group, its session and all descendants, and, if $2 is set, all processes with
#: $2 in their environment; without /proc, only the process and its group. `of` reads proc_pid_stat(5). Prints
#: `PID COMMAND` of each.
KILL = r"""
of() {
    { IFS= read -r line < "/proc/$1/stat"; } 2>/dev/null || return 1
    set -- ${line##*) }
    parent=$2 session=$4 born=${20}
}
found=" $1 " seen= again=y
[ -z "$2" ] || for pid in $(grep -lsF -- "$2" /proc/[0-9]*/environ); do
    pid=${pid#/proc/}
    found="$found${pid%/environ} "
done
while [ -n "$again" ]; do
    again=
    for pid in /proc/[0-9]*; do
        pid=${pid#/proc/}
        case $found in *" $pid "*) continue;; esac
        of "$pid" || continue
        case $found in *" $parent "*) ;; *) [ "$session" = "$1" ] || continue;; esac
        found="$found$pid " again=y
    done
done
for pid in $found; do
    of "$pid" || continue
    seen="$seen $pid:$born"
    printf '%s ' "$pid"; { tr '\0\n' '  ' < "/proc/$pid/cmdline"; } 2>/dev/null; echo
done
kill -s TERM -- "-$1" $found 2>/dev/null
(
    sleep 1
    for pid in $seen; do of "${pid%:*}" && [ "$born" = "${pid#*:}" ] && kill -s KILL "${pid%:*}"; done
    kill -s KILL -- "-$1"
    [ -r /proc/self/stat ] || kill -s KILL -- "$1"
) </dev/null >/dev/null 2>&1 &
"""
#: Text by which our own shell on the host is recognized in a command line: it is killed with a script but
#: does not belong to the job.
_OWN_SHELL = "command -v setsid >/dev/null && command -v cat >/dev/null"

#: Session, and our ends of the pipes for its standard input, output and error.
Opened = tuple[Session, tuple[int, int, int]]


class SessionCommand:
    """Command that runs in a session.

    `kill` ends the command on the host by its pid; `kill_later` does so without waiting for the host.
    """

    def __init__(
        self,
        place: str,
        opened: Opened,
        *,
        kill: Callable[[int], object],
        kill_later: Callable[[int], None],
    ) -> None:
        self._place = place
        self._session, self._ends = opened
        self._kill = kill
        self._kill_later = kill_later
        self._out, self._err = BoundedOutput(), BoundedOutput()

    def run(self, stdin: bytes, timeout: float | None, shown: str) -> Finished:
        """Run the command to its end; kill it on the host if it is abandoned."""
        import gevent

        from salt_g.process.supervisor import LoggedGreenlets

        to_it, from_it, complaints = self._ends
        streams = LoggedGreenlets(f"ssh command on {self._place}", limit=len(self._ends))
        streams.spawn(write_all, to_it, stdin, name="stdin")
        readers = [
            streams.spawn(read_all, from_it, self._out.take, name="stdout"),
            streams.spawn(read_all, complaints, self._err.take, name="stderr"),
        ]
        is_done = False
        limit = gevent.Timeout(timeout)
        limit.start()
        try:
            retcode = self._session.wait()
            is_done = True
            gevent.joinall(readers, timeout=DRAINING)
        except gevent.Timeout as exc:
            if exc is not limit:
                raise
            pid = self._pid()
            self._kill(pid)
            is_done = True
            raise CommandTimeout(shown, timeout or 0, pid=pid) from None
        finally:
            limit.close()
            self._session.close()
            streams.stop()
            if not is_done:
                self._kill_later(self._pid())
        return self._finished(retcode)

    def _finished(self, retcode: int | None) -> Finished:
        for stream in (self._out, self._err):
            stream.check(self._place)
        pid, out = after_mark(bytes(self._out.data))
        _, err = after_mark(bytes(self._err.data))
        if retcode is None:
            raise CommandExecutionError(
                f"the connection to {self._place} has ended while a command ran, or the command was killed"
                " there"
            )
        return Finished(pid, retcode, out, err)

    def _pid(self) -> int:
        return after_mark(bytes(self._out.data))[0]


def after_mark(data: bytes) -> tuple[int, bytes]:
    """Return (the pid after the mark, output after it); all of the output if there is no mark."""
    before, mark, after = data.partition(MARK.encode())
    if not mark:
        return 0, before
    number, _, rest = after.partition(b"\n")
    return int(number) if number.strip().isdigit() else 0, rest


def mark_of_job(host_id: str) -> str:
    """Return `NAME=value` for the environment of the current job's commands on a host, '' outside of jobs."""
    jid = command.programs.get().jid
    return f"{VARIABLE}={jid}:{host_id}:" if jid else ""


def marked(argv: list[str], mark: str) -> list[str]:
    """Return a command line that sets a mark in the command's environment."""
    return ["env", mark, *argv] if mark else argv


def ended_by(output: str) -> dict[int, str]:
    """Return {pid: command} of the killed processes, from the output of KILL."""
    ended = {}
    for line in output.splitlines():
        pid, _, words = line.partition(" ")
        if pid.isdigit() and _OWN_SHELL not in words:
            ended[int(pid)] = shown_command(words.strip())
    return ended


def opened(path: str, command: str, *, tty: bool) -> Opened:
    """Open a session on a control socket and start a command in it; raises MuxError."""
    session = Session(path)
    pairs = [pipe_to_write(), pipe_to_read(), pipe_to_read()]
    ours = (pairs[0][0], pairs[1][0], pairs[2][0])
    theirs: list[Any] = [end for _, end in pairs]
    try:
        session.open(command, (theirs[0], theirs[1], theirs[2]), tty=tty)
    except BaseException:
        session.close()
        for end in ours:
            os.close(end)
        raise
    finally:
        for end in theirs:
            os.close(end)
    return session, ours
