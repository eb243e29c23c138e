"""Processes and metrics of psutil, of the test's own process where possible."""

import os

import pytest

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import ps

pytest.importorskip("psutil")


def test_the_module_names_its_extra_when_psutil_is_missing(monkeypatch):
    import importlib.util

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)

    loads, reason = ps.__virtual__()

    assert loads is False
    assert "salt-g[ps]" in reason


def test_this_process_is_known():
    assert os.getpid() in ps.get_pid_list()
    assert ps.proc_info(os.getpid(), ["pid"]) == {"pid": os.getpid()}
    assert os.getpid() in ps.pgrep("py.*", full=True, pattern_is_regex=True)


def test_a_process_that_is_not_there():
    with pytest.raises(CommandExecutionError):
        ps.proc_info(2**22)
    assert ps.kill_pid(2**22) is False
    assert ps.pgrep("no process has this name") is None
    assert ps.pkill("no process has this name") is None


def test_the_time_of_boot_as_number_and_text():
    assert isinstance(ps.boot_time(), int)
    assert ps.boot_time("%Y").isdigit()


def test_figures_are_dicts():
    assert ps.virtual_memory()["total"] == ps.total_physical_memory()
    assert ps.disk_usage("/")["total"] > 0
    assert "user" in ps.cpu_times()
    assert len(ps.cpu_times(per_cpu=True)) == ps.num_cpus()


def test_an_unknown_interface_or_device_is_false():
    assert ps.network_io_counters("nope0") is False
    assert ps.disk_io_counters("nope0") is False


def test_a_status_is_required():
    with pytest.raises(InvocationError, match="Filter is required"):
        ps.status("")


def test_lines_of_the_process_list_are_counted(call_context):
    listed = "root 1 init\nwww 7 nginx: a\nroot 9 salt-g ps.psaux nginx\nwww 8 nginx: b"
    call_context(functions={"cmd.run": lambda command: listed})

    assert ps.psaux("nginx") == ["nginx", ["www 7 nginx: a", "www 8 nginx: b"], "2 occurrence(s)."]


def test_the_busiest_processes_come_first():
    found = ps.top(num_processes=2, interval=0.01)

    assert len(found) == 2
    assert set(found[0]) == {"cmd", "user", "status", "pid", "create_time", "cpu", "mem"}
