"""Kernel statistics from recorded lines, and values computed from them."""

import os

from salt_g.modules import status
from salt_g.modules.status._parsing import (
    parse_cpuinfo,
    parse_cpustats,
    parse_diskstats,
    parse_meminfo,
    parse_netdev,
    parse_netstats,
    parse_vmstats,
)

PS = """\
UID          PID    PPID  C STIME TTY          TIME CMD
root           1       0  0 18:05 ?        00:00:01 /sbin/init splash
www          712       1  0 18:06 ?        00:00:00 nginx: worker process
"""


def test_cpustats_name_the_columns_of_all_processors_together():
    found = parse_cpustats(["cpu  1 2 3 4 5 6 7 8 0 0", "cpu0 9 2 3", "intr 30 1 2", "btime 1700000000"])

    assert found == {
        "cpu": {
            "user": 1,
            "nice": 2,
            "system": 3,
            "idle": 4,
            "iowait": 5,
            "irq": 6,
            "softirq": 7,
            "steal": 8,
        },
        "cpu0": 9,
        "intr": {"total": 30, "irqs": [1, 2]},
        "btime": 1700000000,
    }


def test_meminfo_keeps_text_and_unit():
    assert parse_meminfo(["MemTotal:  24684092 kB", "HugePages_Total:   0"]) == {
        "MemTotal": {"value": "24684092", "unit": "kB"},
        "HugePages_Total": {"value": "0"},
    }


def test_cpuinfo_splits_flags_only():
    assert parse_cpuinfo(["processor\t: 0", "flags\t\t: fpu vme", "power management:"]) == {
        "processor": "0",
        "flags": ["fpu", "vme"],
        "power management": "",
    }


def test_diskstats_are_listed_by_device():
    found = parse_diskstats([" 254       0 vda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"])

    assert found["vda"]["major"] == 254
    assert (found["vda"]["reads_issued"], found["vda"]["weighted_ms_spent_in_io"]) == (1, 11)


def test_vmstats_are_numbers():
    assert parse_vmstats(["nr_free_pages 5966681"]) == {"nr_free_pages": 5966681}


def test_netstats_pair_names_with_numbers():
    lines = ["TcpExt: Sent Failed", "TcpExt: 3 0", "IpExt: In", "IpExt: 1"]

    assert parse_netstats(lines) == {"TcpExt": {"Sent": 3, "Failed": 0}, "IpExt": {"In": 1}}


def test_netdev_reads_lines_with_and_without_a_space():
    counters = " ".join(str(number) for number in range(1, 17))
    found = parse_netdev(["Inter-|   Receive", f"  eth0: {counters}", f"eth1:{counters}"])

    assert found["eth0"] == {**found["eth1"], "iface": "eth0"}
    assert (found["eth0"]["rx_bytes"], found["eth0"]["rx_multicast"]) == (1, 8)
    assert (found["eth0"]["tx_bytes"], found["eth0"]["tx_compressed"]) == (9, 16)


def test_processes_are_listed_by_their_id(call_context):
    call_context(functions={"cmd.run": lambda *args, **kwargs: PS}, grains={"ps": "ps -efHww"})

    assert status.procs()["712"] == {"user": "www", "cmd": "nginx: worker process"}
    assert status.pid("nginx: w") == "712"
    assert status.pid("nothing like it") == ""


def test_uptime_has_days_and_the_rest(call_context):
    call_context(functions={"cmd.which": lambda program: None})

    found = status.uptime()

    assert found["days"] == found["seconds"] // 86400
    assert set(found) == {"seconds", "since_iso", "since_t", "days", "time"}


def test_users_are_counted_by_who(call_context):
    table = {"cmd.which": lambda program: "/usr/bin/who", "cmd.run": lambda command: "a pts/0\nb pts/1"}
    call_context(functions=table)

    assert status.uptime()["users"] == 2


def test_disk_usage_of_a_path_is_in_bytes():
    space = os.statvfs("/")

    assert status.diskusage("/")["/"]["total"] == space.f_blocks * space.f_bsize


def test_disk_usage_of_a_type_that_is_not_mounted_is_empty():
    assert status.diskusage("nosuchfs") == {}


def test_logged_in_users_are_listed_with_their_commands(call_context):
    call_context(functions={"cmd.run": lambda command: "root pts/0 18:05 1.00s 0.01s 0.00s vi notes"})

    assert status.w() == [
        {
            "user": "root",
            "tty": "pts/0",
            "login": "18:05",
            "idle": "1.00s",
            "jcpu": "0.01s",
            "pcpu": "0.00s",
            "what": "vi notes",
        }
    ]


def test_custom_takes_the_values_that_settings_ask_for(call_context):
    settings = {"status.loadavg.custom": ["1-min", "9-min"], "status.nope.custom": ["x"]}
    table = {"config.dot_vals": lambda prefix: settings, "status.loadavg": lambda: {"1-min": 0.5}}
    context = call_context(functions=table)
    context.services.plugins.tables["modules"] = Refusing(table)

    assert status.custom() == {"1-min": 0.5, "9-min": "UNKNOWN"}


class Refusing(dict):
    """A table with the loader's errors for missing functions."""

    def __missing__(self, name):
        from salt_g.errors import NoSuchFunction

        raise NoSuchFunction(name)


def test_a_master_without_a_name_is_not_asked_for():
    assert status.master() is None
