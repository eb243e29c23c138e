"""Watchdog pings for the service manager, sent from the daemon's hub."""

import contextlib
import socket
import threading
import time

import pytest

from tests.support.waiting import DEADLINE, until

#: Blocks the hub of its minion, without a switch, and returns from when to when.
_BLOCKING = """
import time

def hub(seconds):
    began = time.monotonic()
    while time.monotonic() < began + seconds:
        pass
    return [began, time.monotonic()]
"""
#: Time that the service manager allows between two pings (µs); pings come twice as often.
_ALLOWED = 400_000


def end(address):
    """Stop the reader of pings."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"END", address)


@pytest.fixture
def pings():
    """Yield a function that returns the times of a daemon's pings from now on.

    It takes the place of the daemon's service manager.
    """
    with contextlib.ExitStack() as stack:

        def begin(daemon):
            times, address = [], daemon.root / f"notify-{daemon.role}"
            address.unlink()
            manager = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
            manager.bind(str(address))
            address.chmod(0o666)
            manager.settimeout(DEADLINE)

            def read():
                while manager.recv(100) == b"WATCHDOG=1":
                    times.append(time.monotonic())

            reader = threading.Thread(target=read)
            reader.start()
            stack.callback(reader.join)
            stack.callback(end, str(address))
            return times

        yield begin


def test_a_minion_whose_hub_is_blocked_does_not_ping(start_master, start_minion, salt, pings, monkeypatch):
    master = start_master()
    modules = master.root / "states" / "_modules"
    modules.mkdir()
    (modules / "blocking.py").write_text(_BLOCKING)
    monkeypatch.setenv("WATCHDOG_USEC", str(_ALLOWED))
    minion = start_minion(master, "a")
    times = pings(minion)
    assert salt(master, "a", "saltutil.sync_modules").minions == {"a": ["modules.blocking"]}
    # What the minion starts is not its service manager's business.
    seen = (
        salt(master, "a", "environ.get", "WATCHDOG_USEC").minions,
        salt(master, "a", "environ.get", "NOTIFY_SOCKET").minions,
    )
    assert seen == ({"a": ""}, {"a": ""})

    began, ended = salt(master, "a", "blocking.hub", "2").minions["a"]

    until(lambda: times[-1] > ended, "the hub to ping again")
    assert [moment for moment in times if moment < began], "it pinged before"
    # A ping sent just before may be read later on a busy machine.
    assert not [moment for moment in times if began + 0.5 < moment < ended]
