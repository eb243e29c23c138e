"""Parsers of kernel counters, from the lines of files in /proc.

Shapes: counters are int or float, anything else stays text; keys are stock's.
Source: proc(5).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

#: Columns of the `cpu` line of /proc/stat, in order.
CPU_TIMES = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
#: Columns of /proc/diskstats, in order.
DISK_COLUMNS = (
    *("major", "minor", "device", "reads_issued", "reads_merged", "sectors_read", "ms_spent_reading"),
    *("writes_completed", "writes_merged", "sectors_written", "ms_spent_writing", "io_in_progress"),
    *("ms_spent_in_io", "weighted_ms_spent_in_io"),
)
#: Columns of /proc/net/dev after the interface, in order.
INTERFACE_COLUMNS = (
    *("rx_bytes", "rx_packets", "rx_errs", "rx_drop", "rx_fifo", "rx_frame", "rx_compressed", "rx_multicast"),
    *("tx_bytes", "tx_packets", "tx_errs", "tx_drop", "tx_fifo", "tx_colls", "tx_carrier", "tx_compressed"),
)


def parse_cpustats(lines: Sequence[str]) -> dict[str, Any]:
    """Return {name: first number} of /proc/stat; `cpu` is {kind: time}, `intr` is {"total", "irqs"}."""
    found: dict[str, Any] = {}
    for name, *values in _words(lines):
        numbers = [_number(value) for value in values]
        if name == "cpu":
            found[name] = dict(zip(CPU_TIMES, numbers, strict=False))
        elif name == "intr":
            found[name] = {"total": numbers[0], "irqs": numbers[1:]}
        else:
            found[name] = numbers[0]
    return found


def parse_meminfo(lines: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the lines of /proc/meminfo, each {'value', 'unit'}, all text."""
    return {
        name.replace(":", ""): dict(zip(("value", "unit"), values, strict=False))
        for name, *values in _words(lines)
    }


def parse_cpuinfo(lines: Sequence[str]) -> dict[str, Any]:
    """Return {key: text} of the last processor in /proc/cpuinfo; `flags` is a list."""
    found: dict[str, Any] = {}
    for line in lines:
        key, value = (part.strip() for part in (line.split(":") + [""])[:2])
        found[key] = value.split() if key == "flags" else value
    return found


def parse_diskstats(lines: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return reads, writes (sectors, ms) and queue of each block device."""
    rows = (dict(zip(DISK_COLUMNS, map(_number, words), strict=False)) for words in _words(lines))
    return {str(row["device"]): row for row in rows}


def parse_vmstats(lines: Sequence[str]) -> dict[str, Any]:
    """Return the counters of /proc/vmstat."""
    return {name: _number(value) for name, value in _words(lines)}


def parse_netstats(lines: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return {protocol: {counter: number}} of /proc/net/netstat: a line of names, then one of numbers."""
    rows = list(_words(lines))
    return {
        names[0].replace(":", ""): dict(zip(names[1:], map(_number, numbers[1:]), strict=False))
        for names, numbers in zip(rows[::2], rows[1::2], strict=False)
    }


def parse_netdev(lines: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return bytes, packets and errors of each network interface."""
    found = {}
    for line in lines:
        # Old kernels write `eth0:999` without a space.
        name, colon, counters = line.partition(":")
        if colon:
            numbers = dict(zip(INTERFACE_COLUMNS, map(_number, counters.split()), strict=False))
            found[name.strip()] = {"iface": name.strip(), **numbers}
    return found


def _words(lines: Sequence[str]) -> list[list[str]]:
    return [line.split() for line in lines]


def _number(text: str) -> Any:
    try:
        return int(text) if text.isdigit() else float(text)
    except ValueError:
        return text
