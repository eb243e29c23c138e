"""Pings for the watchdog of the service manager."""

import os
import socket

import pytest

from salt_g.cli.daemon import systemd_notify
from salt_g.cli.daemon.systemd_notify import ServiceManager


@pytest.mark.parametrize(
    ("usec", "pid", "interval"),
    [
        ("60000000", "own", 30.0),
        ("60000000", "", 30.0),
        ("60000000", "1", 0.0),
        ("", "", 0.0),
        ("soon", "", 0.0),
    ],
)
def test_pings_come_twice_as_often_as_the_watchdog_demands(usec, pid, interval):
    environment = {"WATCHDOG_USEC": usec, "WATCHDOG_PID": str(os.getpid()) if pid == "own" else pid}

    assert ServiceManager.taken_from(environment).interval == interval


def test_programs_that_the_daemon_starts_do_not_find_its_service_manager():
    environment = {"NOTIFY_SOCKET": "@some", "WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "1", "PATH": "/bin"}

    assert ServiceManager.taken_from(environment).address == "@some"
    assert environment == {"PATH": "/bin"}


@pytest.mark.parametrize("is_abstract", [False, True])
def test_each_ping_is_a_datagram(monkeypatch, tmp_path, is_abstract):
    class Enough(Exception):
        """Ends the pings."""

    pauses = []

    def pause(seconds):
        pauses.append(seconds)
        if len(pauses) == 2:
            raise Enough

    monkeypatch.setattr(systemd_notify.time, "sleep", pause)
    address = f"@{tmp_path}" if is_abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(address.replace("@", "\0"))

        with pytest.raises(Enough):
            ServiceManager(address, 0.5).ping()

        assert [manager.recv(100) for _ in pauses] == [b"WATCHDOG=1"] * 2
    assert pauses == [0.5, 0.5]
