"""`ipc_mode: tcp`: the event buses of master and minion on loopback ports."""

import contextlib
import subprocess

import pytest

from salt_g.client.stock_link import StockLink
from salt_g.net.event_bus_addresses import of_master, of_minion
from tests.support.commands import PROGRAM, outcome_of
from tests.support.daemons import RunningMaster
from tests.support.free_ports import free_port
from tests.support.waiting import until


@pytest.fixture
def of_ports():
    """Return a function that returns the settings of a role's bus on free loopback ports."""

    def make(role):
        prefix = "tcp_master" if role == "master" else "tcp"
        return {"ipc_mode": "tcp", f"{prefix}_pub_port": free_port(), f"{prefix}_pull_port": free_port()}

    return make


def fired(link):
    """Fire an event and return what was received; None while the master has not yet seen the listener."""
    link.fire("test/tag", {"x": 1})
    return link.next_event(1)


def test_stocks_tools_follow_and_fire_events_over_ports(start_master, start_minion, of_ports):
    master = start_master(**of_ports("master"))
    minion = start_minion(master, "a", **of_ports("minion"))
    opts = {**master.settings, "interface": "127.0.0.1"}

    with contextlib.closing(StockLink(opts, key=master.root_key)) as link:
        link.subscribe("test/")
        event = until(lambda: fired(link), "the event")

    assert (event.tag, event.data["x"]) == ("test/tag", 1)
    assert not list(master.sock_dir.glob("*_event_*.ipc"))
    pub, pull = of_master(opts)
    assert f"the event bus is on {pub} for root and our own user, and on {pull}" in master.log()
    pub, pull = of_minion(minion.settings)
    assert f"the event bus is on {pub} and {pull}, for root and our own user" in minion.log()


def test_programs_of_the_minions_machine_fire_and_follow_over_ports(
    start_master, start_minion, salt, of_ports
):
    master = start_master()
    minion = start_minion(master, "a", **of_ports("minion"))
    command = [PROGRAM, "event", "--minion", "-c", str(minion.config_dir), "--count=1", "test/tag"]
    firing = [PROGRAM, "call", "-c", str(minion.config_dir), "event.fire", "{x: 1}", "test/tag"]

    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as following:
        # Whether it listens yet is not to be seen, so events are fired until it has seen one.
        while following.poll() is None:
            assert outcome_of(firing).code == 0
        tag, data = following.stdout.read().split("\t")

    assert (following.returncode, tag) == (0, "test/tag")
    assert '"x": 1' in data


def test_a_port_that_is_taken_is_named_and_ends_the_start(start_master, daemon_root, of_ports):
    settings = of_ports("master")
    start_master(**settings)
    second = RunningMaster(daemon_root / "second", **settings)

    with pytest.raises(AssertionError, match="ended while it started"):
        second.start()

    assert (
        f"127.0.0.1:{settings['tcp_master_pub_port']} cannot be bound: Address already in use" in second.log()
    )
