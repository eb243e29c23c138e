"""Pings for the watchdog of the service manager."""

import contextlib
import os
import resource
import socket

import pytest

from salt_g.cli.daemon.systemd_notify import ServiceManager
from salt_g.process.supervisor import Supervisor
from tests.support.waiting import hub_turns, hub_until


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


@pytest.fixture
def supervisor():
    family = Supervisor("test")
    yield family
    family.stop()


@pytest.fixture
def start_pings(supervisor):
    """Factory of a bound socket, in place of the service manager's, that receives pings from now on."""
    with contextlib.ExitStack() as stack:

        def start(address, interval):
            manager = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
            manager.bind(address.replace("@", "\0"))
            manager.setblocking(False)
            supervisor.spawn(ServiceManager(address, interval).ping, name="watchdog")
            return manager

        yield start


def received(manager):
    """Return the next datagram, None if there is none yet."""
    try:
        return manager.recv(100)
    except BlockingIOError:
        return None


@pytest.mark.parametrize("is_abstract", [False, True])
def test_each_ping_is_a_datagram(start_pings, tmp_path, is_abstract):
    manager = start_pings(f"@{tmp_path}" if is_abstract else str(tmp_path / "notify"), 0.001)

    pings = [hub_until(lambda: received(manager), "a ping") for _ in range(2)]

    assert pings == [b"WATCHDOG=1"] * 2


def test_the_second_ping_waits_for_the_interval(start_pings, tmp_path):
    manager = start_pings(str(tmp_path / "notify"), 3600)

    assert hub_until(lambda: received(manager), "the first ping") == b"WATCHDOG=1"
    hub_turns(5)

    assert received(manager) is None


def test_pings_go_on_after_a_shortage_of_descriptors(start_pings, supervisor, tmp_path, caplog):
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    manager = start_pings(str(tmp_path / "notify"), 0.001)
    try:
        # Open descriptors can still be used.
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, usual[1]))
        hub_until(lambda: "watchdog failed" in caplog.text, "the failed ping is logged")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, usual)

    assert hub_until(lambda: received(manager), "a ping") == b"WATCHDOG=1"
    assert len(supervisor) == 1
