"""State of this machine: load, memory, disks, network, processes (`status`).

Begin with `counters.py` (kernel counters, read from /proc), then `overview.py` (summaries of these and of
program output) and `reach.py` (whether the master is connected).
"""

from salt_g.modules.status.counters import (
    cpuinfo,
    cpustats,
    diskstats,
    loadavg,
    meminfo,
    netdev,
    netstats,
    nproc,
    version,
    vmstats,
)
from salt_g.modules.status.overview import all_status, custom, diskusage, pid, procs, time_, uptime, w
from salt_g.modules.status.reach import master, ping_master

__all__ = [
    "all_status",
    "cpuinfo",
    "cpustats",
    "custom",
    "diskstats",
    "diskusage",
    "loadavg",
    "master",
    "meminfo",
    "netdev",
    "netstats",
    "nproc",
    "pid",
    "ping_master",
    "procs",
    "time_",
    "uptime",
    "version",
    "vmstats",
    "w",
]

__func_alias__ = {"time_": "time"}
