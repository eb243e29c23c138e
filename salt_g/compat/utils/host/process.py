"""Stock's `salt.utils.process`: pid files, and information about processes.

The classes that start processes are refused: engines and beacons run inside the daemon's process.
"""

import contextlib
import os
import signal
from collections.abc import Iterator
from typing import Any

import msgpack

from salt_g.compat.refusal import refuse
from salt_g.compat.utils.host.files import fopen
from salt_g.process import disk
from salt_g.process.command import identity

_ADVICE = "an engine runs beside the daemon's work already; for a program use `subprocess` or `cmd.run`"
MultiprocessingProcess = refuse("salt.utils.process.MultiprocessingProcess", _ADVICE)
Process = refuse("salt.utils.process.Process", _ADVICE)
ProcessManager = refuse("salt.utils.process.ProcessManager", _ADVICE)
SignalHandlingProcess = refuse("salt.utils.process.SignalHandlingProcess", _ADVICE)
SignalHandlingMultiprocessingProcess = SignalHandlingProcess
ThreadPool = refuse("salt.utils.process.ThreadPool", "use `concurrent.futures.ThreadPoolExecutor`")
daemonize = refuse("salt.utils.process.daemonize", _ADVICE)
#: Index of the start time (ticks since boot) among the fields after the name in /proc/PID/stat.
_START = 19


def appendproctitle(name: str) -> None:
    """Do nothing, because the process title is set by the daemon or command."""


def daemonize_if(opts: Any) -> None:
    """Do nothing, because jobs do not block the minion."""


def notify_systemd() -> bool:
    """Return False, because the daemon itself reports to systemd that it is ready."""
    return False


def os_is_running(pid: int) -> bool:
    """Return whether a process exists."""
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def get_process_info(pid: int | None = None) -> dict[str, Any] | None:
    """Return {pid, name, start_time (s since 1970)} of a process, by default this one; None if it is gone."""
    number = os.getpid() if pid is None else int(pid)
    try:
        with open(f"/proc/{number}/stat", encoding="utf-8", errors="replace") as file:
            before, _, fields = file.read().rpartition(")")
        with open("/proc/stat", encoding="utf-8") as file:
            booted = next(int(line.split()[1]) for line in file if line.startswith("btime"))
    except OSError:
        return None
    started = booted + int(fields.split()[_START]) / os.sysconf("SC_CLK_TCK")
    return {"pid": number, "name": before.partition("(")[2], "start_time": started}


def set_pidfile(pidfile: str, user: str) -> None:
    """Write the id of this process to a file; as root, make `user` its owner."""
    os.makedirs(os.path.dirname(pidfile) or ".", exist_ok=True)
    disk.write_whole(pidfile, str(os.getpid()), mode=0o644)
    if os.geteuid() == 0:
        owner = identity(user)
        os.chown(pidfile, owner.uid, owner.gid)


def check_pidfile(pidfile: str) -> bool:
    """Return whether a pid file exists."""
    return os.path.isfile(pidfile)


def get_pidfile(pidfile: str) -> int:
    """Return the process id in a pid file, or -1 if there is none."""
    try:
        with fopen(pidfile) as file:
            return int(file.read().strip())
    except (OSError, ValueError, TypeError):
        return -1


def check_mantle_of_responsibility(file_name: str) -> int | None:
    """Return the id of the running process that has claimed a file, or None."""
    try:
        with open(file_name, "rb") as file:
            claimed = msgpack.unpackb(file.read(), raw=False)
    except (OSError, ValueError, msgpack.UnpackException):
        return None
    if not isinstance(claimed, dict) or get_process_info(claimed.get("pid", -1)) != claimed:
        return None
    return int(claimed["pid"])


def claim_mantle_of_responsibility(file_name: str) -> bool:
    """Claim a file for this process; return False if another running process has it."""
    if (holder := check_mantle_of_responsibility(file_name)) is not None:
        return holder == os.getpid()
    os.makedirs(os.path.dirname(file_name) or ".", exist_ok=True)
    disk.write_whole(file_name, msgpack.packb(get_process_info(), use_bin_type=True))
    return True


def clean_proc(proc: Any, wait_for_kill: float = 10) -> None:
    """End a process of `multiprocessing` or `subprocess`; kill it if it survives for `wait_for_kill` s."""
    if proc is None:
        return
    proc.terminate()
    wait = getattr(proc, "join", None) or proc.wait
    with contextlib.suppress(Exception):
        wait(wait_for_kill)
    if proc.is_alive() if hasattr(proc, "is_alive") else proc.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(proc.pid, signal.SIGKILL)


@contextlib.contextmanager
def default_signals(*signals: int) -> Iterator[None]:
    """Give signals their default effect for the duration of a `with` block."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


__all__ = ["MultiprocessingProcess", "Process", "ProcessManager", "SignalHandlingMultiprocessingProcess"]
__all__ += ["SignalHandlingProcess", "ThreadPool", "appendproctitle", "check_mantle_of_responsibility"]
__all__ += ["check_pidfile", "claim_mantle_of_responsibility", "clean_proc", "daemonize", "daemonize_if"]
__all__ += ["default_signals", "get_pidfile", "get_process_info", "notify_systemd", "os_is_running"]
__all__ += ["set_pidfile"]
