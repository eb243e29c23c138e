"""Source addresses and ports of a minion's connections to the master."""

import re
import socket
import subprocess

import pytest

from tests.support.daemons import RunningMinion
from tests.support.free_ports import free_port


@pytest.fixture
def connections():
    """Return a function that returns the (local, remote) addresses of a process's TCP connections."""

    def read(pid):
        inodes = subprocess.run(["ls", "-l", f"/proc/{pid}/fd"], capture_output=True, text=True).stdout
        own = set(re.findall(r"socket:\[(\d+)\]", inodes))
        found = set()
        with open(f"/proc/{pid}/net/tcp") as table:
            for line in table.readlines()[1:]:
                words = line.split()
                if words[3] == "01" and words[9] in own:
                    found.add((shown(words[1]), shown(words[2])))
        return found

    return read


def shown(text):
    """Return a kernel-formatted address, `0100007F:1F90`, as (address, port)."""
    address, port = text.split(":")
    return socket.inet_ntoa(bytes.fromhex(address)[::-1]), int(port, 16)


def test_connections_leave_from_the_address_and_the_ports_that_are_chosen(
    start_master, start_minion, salt, connections
):
    master = start_master()
    ret_port, publish_port = free_port(), free_port()
    minion = start_minion(
        master, source_address="127.0.0.9", source_ret_port=ret_port, source_publish_port=publish_port
    )

    assert salt(master, "m1", "test.ping").minions == {"m1": True}

    assert connections(minion.pid) == {
        (("127.0.0.9", ret_port), ("127.0.0.1", master.ret_port)),
        (("127.0.0.9", publish_port), ("127.0.0.1", master.publish_port)),
    }


def test_an_interface_can_be_named(start_master, start_minion, salt):
    master = start_master()
    minion = start_minion(master, source_interface_name="lo")

    assert minion.is_connected
    assert salt(master, "m1", "test.ping").minions == {"m1": True}


@pytest.mark.parametrize("settings", [{"ipv6": True}, {}])
def test_a_master_may_be_reached_over_ipv6(start_master, daemon_root, salt, settings):
    master = start_master(interface="::1", ipv6=True)
    place = (
        {"master": "::1", "master_port": master.ret_port}
        if settings
        else {"master": f"[::1]:{master.ret_port}"}
    )
    minion = RunningMinion(daemon_root / "m1", id="m1", **place, **settings).start()

    try:
        assert salt(master, "m1", "test.ping").minions == {"m1": True}
    finally:
        minion.stop()
