"""Pings for the watchdog of the service manager."""

import os
import socket

import pytest

from salt_g.cli.daemon import systemd_notify


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
def test_pings_come_twice_as_often_as_the_watchdog_demands(monkeypatch, usec, pid, interval):
    monkeypatch.setenv("WATCHDOG_USEC", usec)
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()) if pid == "own" else pid)

    assert systemd_notify.watchdog_interval() == interval


def test_each_ping_is_a_datagram(monkeypatch, tmp_path):
    class Enough(Exception):
        """Ends the pings."""

    pauses = []

    def pause(seconds):
        pauses.append(seconds)
        if len(pauses) == 2:
            raise Enough

    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setattr(systemd_notify.time, "sleep", pause)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))

        with pytest.raises(Enough):
            systemd_notify.ping(0.5)

        assert [manager.recv(100) for _ in pauses] == [b"WATCHDOG=1"] * 2
    assert pauses == [0.5, 0.5]
