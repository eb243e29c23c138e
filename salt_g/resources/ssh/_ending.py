"""The end of what a job has started on a host: marked when it starts, found, killed and listed.

Commands have a variable with the job in their environment, as those of a minion have, so that daemons are
found whose parents are gone. A process is known by its number and the time of its birth.
Shapes: what was ended is {pid: command}.
"""

from __future__ import annotations

from salt_g.process import command
from salt_g.process.job_marks import VARIABLE
from salt_g.process.process_tree import shown_command

#: Kills the process $1 with its group, its session and all below, and with $2 all that are marked so; without
#: /proc only the process and its group. `of` reads proc_pid_stat(5). Prints `PID COMMAND` of each.
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
#: What is in the command line of our own shell there, which is ended with a script but is not the job's.
_OWN_SHELL = "command -v setsid >/dev/null && command -v cat >/dev/null"


def mark_of_job(host_id: str) -> str:
    """Return `NAME=value` for the environment of the current job's commands on a host, '' outside of jobs."""
    jid = command.programs.get().jid
    return f"{VARIABLE}={jid}:{host_id}:" if jid else ""


def marked(argv: list[str], mark: str) -> list[str]:
    """Return a command that has a mark."""
    return ["env", mark, *argv] if mark else argv


def ended_by(output: str) -> dict[int, str]:
    """Return what KILL has ended, by what it printed."""
    ended = {}
    for line in output.splitlines():
        pid, _, words = line.partition(" ")
        if pid.isdigit() and _OWN_SHELL not in words:
            ended[int(pid)] = shown_command(words.strip())
    return ended
