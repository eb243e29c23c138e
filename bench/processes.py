"""Processor time and memory of process trees, read from /proc; Linux only."""

import os
import pathlib
import signal
import subprocess

TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def _fields(pid):
    """Fields of /proc/PID/stat from the state on, or None when the process is gone."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


def all_fields():
    """{pid: fields} of every process."""
    pids = (int(name) for name in os.listdir("/proc") if name.isdigit())
    return {pid: fields for pid in pids if (fields := _fields(pid))}


def process_tree(pid, table=None):
    """Give `pid` and all its descendants that are there."""
    table = all_fields() if table is None else table
    children = {}
    for child, fields in table.items():
        children.setdefault(int(fields[1]), []).append(child)
    found, waiting = [], [pid]
    while waiting:
        found.append(waiting.pop())
        waiting += children.get(found[-1], [])
    return found


def pss_mib(pid):
    """Proportional memory of a process tree in MiB: a shared page is counted once."""
    total = 0
    for member in process_tree(pid):
        try:
            lines = pathlib.Path(f"/proc/{member}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return round(total / 1024, 1)


def cpu_s(pids):
    """CPU seconds that the trees of `pids` have used, with children that ended and were waited for."""
    table, ticks = all_fields(), 0
    for pid in pids:
        for member in process_tree(pid, table):
            ticks += sum(map(int, table[member][11:15])) if member in table else 0
    return ticks / TICK


def stop(process, seconds=20):
    """End a process with SIGTERM, and what is left of its tree after `seconds` with SIGKILL."""
    members = process_tree(process.pid)
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        pass
    for member in members:
        try:
            os.kill(member, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


class Sampler:
    """CPU and memory of one process tree over time; processes that ended keep counting."""

    def __init__(self, pid):
        self.pid, self.peak_rss, self.count = pid, 0, 0
        self._ended, self._last = 0.0, {}

    def sample(self):
        """Give (CPU seconds so far, RSS in bytes), and remember the highest RSS."""
        table = all_fields()
        members = [pid for pid in process_tree(self.pid, table) if pid in table]
        now = {pid: (int(table[pid][11]) + int(table[pid][12])) / TICK for pid in members}
        self._ended += sum(seconds for pid, seconds in self._last.items() if pid not in now)
        self._last = now
        rss = sum(int(table[pid][21]) * PAGE for pid in members)
        self.peak_rss, self.count = max(self.peak_rss, rss), len(members)
        return self._ended + sum(now.values()), rss
