"""Processes, processors, memory and disks, as reported by psutil.

psutil comes with the extra `salt-g[ps]`; it is imported when a function is called, because it
loads slowly. Units: bytes, seconds, percent. Shapes: psutil's named tuples as dicts.
"""

from __future__ import annotations

import contextlib
import datetime
import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from salt_g.api import call
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._required import require

#: The command line of a `ps.psaux` call, which its own list leaves out.
_OWN_QUESTION = re.compile(r"salt.+ps\.psaux.+")


def __virtual__() -> bool | tuple[bool, str]:
    from importlib.util import find_spec  # cheaper than importing psutil itself

    if find_spec("psutil") is None:
        return False, (
            "The ps module cannot be loaded: python module psutil not installed."
            " Install it with: pip install 'salt-g[ps]'"
        )
    return True


def top(num_processes: int = 5, interval: float = 3) -> list[dict[str, Any]]:
    """Return the processes that use the most processor time, measured over `interval` seconds.

    Example::

        salt-g ps.top num_processes=3 interval=1
    """
    ps = _psutil()
    before = {process: _used(process) for process in ps.process_iter()}
    time.sleep(interval)
    usage = [(_used(process) - start, process) for process, start in before.items() if process.is_running()]
    busiest = (process for _, process in sorted(usage, key=lambda pair: pair[0], reverse=True))
    described = (_described(process) for process in busiest)
    return [about for about in described if about][:num_processes]


def get_pid_list() -> list[int]:
    """Return the ids of all processes.

    Example::

        salt-g ps.get_pid_list
    """
    return list(_psutil().pids())


def proc_info(pid: int, attrs: Sequence[str] | None = None) -> dict[str, Any]:
    """Return information about a process, or only the attributes `attrs`.

    Example::

        salt-g ps.proc_info 2322 attrs='["pid", "name"]'
    """
    ps = _psutil()
    try:
        return dict(ps.Process(pid).as_dict(attrs))
    except (ps.Error, AttributeError, ValueError) as exc:
        raise CommandExecutionError(str(exc)) from exc


def kill_pid(pid: int, signal: int = 15) -> bool:
    """Send a signal to a process; return whether the process exists.

    Example::

        salt-g ps.kill_pid 2000 signal=9
    """
    ps = _psutil()
    try:
        ps.Process(pid).send_signal(signal)
    except ps.NoSuchProcess:
        return False
    return True


def pkill(
    pattern: str, user: str | None = None, signal: int = 15, full: bool = False
) -> dict[str, Any] | None:
    """Send a signal to the processes whose name (with `full`: command line) contains the text `pattern`.

    `user` restricts them to the processes of one user. Returns {"killed": [pid, ...]}, or None if there are
    none.

    Example::

        salt-g ps.pkill httpd user=www-data
    """
    killed = []
    for process in _fitting(lambda line: pattern in line, user, full):
        with contextlib.suppress(_psutil().NoSuchProcess):
            process.send_signal(signal)
            killed.append(process.pid)
    return {"killed": killed} if killed else None


def pgrep(
    pattern: str, user: str | None = None, full: bool = False, pattern_is_regex: bool = False
) -> list[int] | None:
    """Return the ids of the processes whose name (with `full`: command line) contains the text `pattern`.

    With `pattern_is_regex`, `pattern` is a regular expression; `user` restricts the list to the processes of
    one user. Returns None if there are none.

    Example::

        salt-g ps.pgrep httpd
    """
    expression = re.compile(str(pattern) if pattern_is_regex else re.escape(str(pattern)))
    found = _fitting(lambda line: expression.search(line) is not None, user, full)
    return [process.pid for process in found] or None


def cpu_percent(interval: float = 0.1, per_cpu: bool = False) -> Any:
    """Return the utilization of the processors in percent, measured over `interval` seconds.

    Example::

        salt-g ps.cpu_percent per_cpu=True
    """
    return _psutil().cpu_percent(interval, bool(per_cpu))


def cpu_times(per_cpu: bool = False) -> Any:
    """Return the seconds that the processors spent in each mode, since boot.

    Example::

        salt-g ps.cpu_times
    """
    found = _psutil().cpu_times(bool(per_cpu))
    return [times._asdict() for times in found] if per_cpu else found._asdict()


def virtual_memory() -> dict[str, Any]:
    """Return total, available and used memory in bytes.

    Example::

        salt-g ps.virtual_memory
    """
    return dict(_psutil().virtual_memory()._asdict())


def swap_memory() -> dict[str, Any]:
    """Return total, free and used swap in bytes.

    Example::

        salt-g ps.swap_memory
    """
    return dict(_psutil().swap_memory()._asdict())


def disk_partitions(all: bool = False) -> list[dict[str, Any]]:
    """Return the mounted partitions; `all` adds the virtual ones.

    Example::

        salt-g ps.disk_partitions
    """
    return [dict(partition._asdict()) for partition in _psutil().disk_partitions(all)]


def disk_usage(path: str) -> dict[str, Any]:
    """Return total, used and free bytes of the file system that holds a path.

    Example::

        salt-g ps.disk_usage /home
    """
    return dict(_psutil().disk_usage(path)._asdict())


def disk_partition_usage(all: bool = False) -> list[dict[str, Any]]:
    """Return the mounted partitions with their usage.

    Example::

        salt-g ps.disk_partition_usage
    """
    return [{**partition, **disk_usage(partition["mountpoint"])} for partition in disk_partitions(all)]


def total_physical_memory() -> int:
    """Return the memory of this machine in bytes.

    Example::

        salt-g ps.total_physical_memory
    """
    return int(_psutil().virtual_memory().total)


def num_cpus() -> int | None:
    """Return the number of processors.

    Example::

        salt-g ps.num_cpus
    """
    count: int | None = _psutil().cpu_count()
    return count


def boot_time(time_format: str | None = None) -> int | str:
    """Return the boot time of this machine, in seconds since 1970 or formatted by strftime.

    Example::

        salt-g ps.boot_time time_format='%Y-%m-%d'
    """
    booted = int(_psutil().boot_time())
    if not time_format:
        return booted
    try:
        return datetime.datetime.fromtimestamp(booted).strftime(time_format)
    except TypeError as exc:
        raise InvocationError(f"Invalid format string: {exc}") from exc


def network_io_counters(interface: str | None = None) -> Any:
    """Return bytes, packets and errors of all interfaces together, or of one (False if it does not exist).

    Example::

        salt-g ps.network_io_counters interface=eth0
    """
    if not interface:
        return dict(_psutil().net_io_counters()._asdict())
    found = _psutil().net_io_counters(pernic=True).get(interface)
    return dict(found._asdict()) if found else False


def disk_io_counters(device: str | None = None) -> Any:
    """Return reads and writes of all disks together, or of one device (False if it does not exist).

    Example::

        salt-g ps.disk_io_counters device=sda1
    """
    if not device:
        return dict(_psutil().disk_io_counters()._asdict())
    found = _psutil().disk_io_counters(perdisk=True).get(device)
    return dict(found._asdict()) if found else False


def get_users() -> list[dict[str, Any]]:
    """Return the logged-in users with terminal, host and login time.

    Example::

        salt-g ps.get_users
    """
    return [dict(user._asdict()) for user in _psutil().users()]


def lsof(name: str) -> list[Any]:
    """Return [name, the output of `lsof` for commands whose names begin with that name].

    Example::

        salt-g ps.lsof apache2
    """
    return [str(name), call("cmd.run", ["lsof", "-c", str(name)], python_shell=False)]


def netstat(name: str) -> list[Any]:
    """Return [name, lines of `netstat -nap` that contain the name].

    Example::

        salt-g ps.netstat apache2
    """
    return _lines_with(name, "netstat", "-nap")


def ss(name: str) -> list[Any]:
    """Return [name, lines of `ss -neap` that contain the name].

    Example::

        salt-g ps.ss apache2
    """
    return _lines_with(name, "ss", "-neap")


def psaux(name: str) -> list[Any]:
    """Return [name, lines of `ps aux` that match the regular expression `name`, "N occurrence(s)."].

    Example::

        salt-g ps.psaux www-data.+apache2
    """
    expression = re.compile(str(name))
    lines = call("cmd.run", "ps aux").splitlines()
    found = [line for line in lines if expression.search(line) and not _OWN_QUESTION.search(line)]
    return [str(name), found, f"{len(found)} occurrence(s)."]


def status(status: str) -> list[dict[str, Any]]:
    """Return id and name of the processes in a state (`running`, `sleeping`, `zombie`, ...).

    Example::

        salt-g ps.status zombie
    """
    if not status:
        raise InvocationError("Filter is required for ps.status")
    processes = _psutil().process_iter(["pid", "name", "status"])
    return [{"pid": p.info["pid"], "name": p.info["name"]} for p in processes if p.info["status"] == status]


def _psutil() -> Any:
    import psutil

    return psutil


def _attempt(read: Callable[[], Any], default: Any) -> Any:
    """Return an attribute of a process, `default` if it has ended or access is denied."""
    try:
        return read()
    except (_psutil().Error, KeyError):
        return default


def _used(process: Any) -> float:
    return float(sum(_attempt(process.cpu_times, (0.0, 0.0))[:2]))


def _described(process: Any) -> dict[str, Any]:
    """Return the entry of a process for `top`, or {} if it has ended or access is denied."""
    times, memory = _attempt(process.cpu_times, None), _attempt(process.memory_info, None)
    if times is None or memory is None:
        return {}
    return {
        "cmd": _attempt(process.cmdline, []) or _attempt(process.name, []),
        "user": _attempt(process.username, None),
        "status": _attempt(process.status, None),
        "pid": process.pid,
        "create_time": _attempt(process.create_time, None),
        "cpu": dict(times._asdict()),
        "mem": dict(memory._asdict()),
    }


def _fitting(fits: Callable[[str], bool], user: str | None, full: bool) -> Iterator[Any]:
    for process in _psutil().process_iter():
        line = " ".join(_attempt(process.cmdline, [])) if full else _attempt(process.name, "")
        if fits(line) and (user is None or user == _attempt(process.username, None)):
            yield process


def _lines_with(name: str, *argv: str) -> list[Any]:
    require(argv[0])
    lines = call("cmd.run", list(argv), python_shell=False).splitlines()
    return [str(name), [line for line in lines if str(name) in line]]
