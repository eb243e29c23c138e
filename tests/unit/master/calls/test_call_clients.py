"""Clients of one call: one for each greenlet, all closed with the call."""

import threading

import pytest

from salt_g.event.bus import Bus
from salt_g.master.calls.authorization import CommandCaller
from salt_g.master.calls.call_clients import CallClients, InProcessLink


class Client:
    """A client that returns its arguments."""

    def __init__(self):
        self.is_closed = False

    def __getattr__(self, name):
        return lambda *words, **options: (self, name, words, options)

    def destroy(self):
        self.is_closed = True


@pytest.fixture
def made():
    """Return clients in the order in which they were made."""
    return []


@pytest.fixture
def clients(made):
    def make():
        made.append(Client())
        return made[-1]

    return CallClients(make)


def test_no_client_is_made_for_a_call_that_publishes_nothing(clients, made):
    clients.destroy()

    assert made == []


@pytest.mark.parametrize("method", ["cmd", "cmd_async", "cmd_iter", "cmd_batch", "cmd_subset", "run_job"])
def test_each_way_to_publish_passes_everything_on(clients, made, method):
    result = getattr(clients, method)("*", "test.ping", [1], tgt_type="glob", timeout=5)

    assert result == (made[0], method, ("*", "test.ping", [1]), {"tgt_type": "glob", "timeout": 5})


def test_returns_are_read_by_jid(clients, made):
    assert clients.get_iter_returns("1", ["m1"], timeout=5) == (
        made[0],
        "get_iter_returns",
        ("1", ["m1"]),
        {"timeout": 5},
    )


def test_a_greenlet_keeps_its_client_and_shares_it_with_no_other(clients, made):
    # A daemon's threads are greenlets; here each thread stands for one.

    clients = CallClients(lambda: made.append(Client()) or made[-1])

    used = {}

    def publish(name):
        used[name] = [clients.cmd("*", "test.ping")[0] for _ in range(2)]

    publish("own")
    other = threading.Thread(target=publish, args=("other",))
    other.start()
    other.join(30)

    assert [used[name][0] is used[name][1] for name in used] == [True, True]
    assert used["own"][0] is not used["other"][0]
    assert len(made) == 2
    clients.destroy()
    assert [client.is_closed for client in made] == [True, True]


def test_a_command_reaches_the_handler_with_its_caller():
    calls = []
    link = InProcessLink(
        lambda load, caller: calls.append((load, caller)) or "yes", Bus(), CommandCaller("", 7)
    )

    assert link.ask({"cmd": "ping"}, timeout=1) == "yes"
    assert calls == [({"cmd": "ping"}, CommandCaller("", 7))]
