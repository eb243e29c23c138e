"""Resources of the minion that belong to one master: discovery, registration, renewal."""

import sys

import gevent
import gevent.event
import pytest

from salt_g.errors import NoReply
from salt_g.minion.resources.resource_manager import ResourceManager
from salt_g.minion.settings import DiscoverySettings, MinionResourceSettings, ResourceTimeouts
from tests.support.waiting import hub_until

SETTINGS = MinionResourceSettings(DiscoverySettings(1, 10), ResourceTimeouts(0, 1))


class FakeFacts:
    """Facts whose master is a list of answers."""

    def __init__(self, pillar=None):
        self.pillar = pillar or {}
        self.channel = self
        self.commands = []
        self.answers = []
        self.gate = None

    def ask(self, load, **options):
        self.commands.append(load["cmd"])
        if self.gate is not None:
            gate, self.gate = self.gate, None
            gate.wait(10)
        answer = self.answers.pop(0) if self.answers else True
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def call_data():
    return FakeFacts()


@pytest.fixture
def manager(call_data, supervisor):
    made = ResourceManager(
        SETTINGS, call_data, types=lambda: None, deliver=list, returns_many=lambda count: None
    )
    supervisor.spawn(made.run, name="manager")
    return made


def test_a_minion_without_resources_registers_none_and_loads_nothing(manager, call_data):
    loaded = set(sys.modules)

    manager.refresh()
    hub_until(lambda: call_data.commands)

    assert call_data.commands == ["_register_resources"]
    assert not any(name.startswith("salt_g.minion.resources") for name in set(sys.modules) - loaded)
    assert manager.selected({"tgt": "*", "fun": "test.ping"}) == []
    assert manager.errors() == {}


def test_a_refresh_requested_during_another_one_runs_after_it(manager, call_data):
    gate = call_data.gate = gevent.event.Event()
    manager.refresh()
    hub_until(lambda: call_data.commands)

    manager.refresh()
    gate.set()
    hub_until(lambda: len(call_data.commands) == 2)

    assert call_data.commands == ["_register_resources"] * 2


def test_a_registration_that_was_not_answered_is_repeated(manager, call_data, monkeypatch):
    monkeypatch.setattr("salt_g.minion.resources.resource_manager.RETRY_PAUSE", 0.01)
    call_data.answers = [NoReply("tcp://master", 1.0)]

    manager.refresh()
    hub_until(lambda: len(call_data.commands) == 2)

    assert call_data.commands == ["_register_resources"] * 2
