"""Limits on reading in one pass of the hub, first come first served."""

import socket
import time

import pytest

from salt_g.process.supervisor import Supervisor
from salt_g.transport.publisher import Publisher
from salt_g.transport.read_turns import BUDGET, LONGEST_PASS, ReadTurns
from salt_g.transport.zeromq import port_of
from tests.support.raw_zmtp import GREETING, ready
from tests.support.waiting import hub_until


class Hub:
    """A clock, the number of the pass, and the connections that were read."""

    def __init__(self):
        self.now, self.number, self.read = 0.0, 1, []
        self.turns = ReadTurns(clock=lambda: self.now, current_pass=lambda: self.number)

    def connection(self, name, cost):
        return Connection(self, name, cost)


class Connection:
    def __init__(self, hub, name, cost):
        self.hub, self.name, self.cost = hub, name, cost

    def read(self):
        self.hub.read.append(self.name)
        self.hub.now += self.cost


@pytest.fixture
def hub():
    return Hub()


def test_cheap_reads_all_happen_in_one_pass(hub):
    for number in range(50):
        hub.turns.on_readable(hub.connection(number, BUDGET / 100))

    assert hub.read == list(range(50))
    assert len(hub.turns) == 0


def test_a_connection_without_time_left_is_read_first_in_the_next_pass(hub):
    slow = [hub.connection(number, BUDGET * 0.6) for number in range(5)]
    for one in slow:
        hub.turns.on_readable(one)
    assert hub.read == [0, 1]

    hub.number += 1
    # All still have unread bytes, and another has, too.
    for one in [hub.connection("new", 0.0), *slow]:
        hub.turns.on_readable(one)

    assert hub.read == [0, 1, 2, 3]
    hub.number += 1
    hub.turns.on_readable(slow[4])
    assert hub.read == [0, 1, 2, 3, 4, "new", 0]


def test_a_closed_connection_leaves_the_line(hub):
    slow = [hub.connection(number, BUDGET) for number in range(3)]
    for one in slow:
        hub.turns.on_readable(one)

    hub.turns.forget(slow[1])
    hub.turns.forget(slow[0])
    hub.number += 1
    hub.turns.on_readable(slow[2])

    assert hub.read == [0, 2]


def test_a_loop_that_does_not_number_its_passes_reads_on(hub):
    slow = [hub.connection(number, BUDGET) for number in range(2)]
    for one in slow:
        hub.turns.on_readable(one)

    hub.now += LONGEST_PASS
    hub.turns.on_readable(slow[1])

    assert hub.read == [0, 1]


def test_floods_from_many_connections_leave_the_hub_to_others():
    family = Supervisor("test")
    port = Publisher(["tcp://127.0.0.1:*"], supervisor=family)
    port.start()
    # Commands that mean nothing, of which a peer may send any number.
    flood = b"\4\1\0" * 5000
    peers = []
    for _ in range(60):
        peer = socket.create_connection(("127.0.0.1", port_of(port.addresses[0])))
        peer.setblocking(False)
        peer.sendall(GREETING + ready(b"SUB") + b"\0\1\1")
        peers.append(peer)
    hub_until(lambda: port.subscribed().get("127.0.0.1") == 60)
    for peer in peers:
        peer.sendall(flood)

    connections = list(port._listener._connections.values())
    times = [one.heard_at for one in connections]
    began, turns = time.process_time(), []

    def is_all_read():
        turns.append(time.process_time())
        return all(one.heard_at != before for one, before in zip(connections, times, strict=True))

    hub_until(is_all_read)
    spent = turns[-1] - began
    assert len(turns) > spent / 0.05, f"{len(turns)} turns of others in {spent:.3f} s of work"
    for peer in peers:
        peer.close()
    port.stop()
    family.stop()
