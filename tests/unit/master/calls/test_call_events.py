"""Events that runner functions fire."""

import pytest

from salt_g.event.bus import Bus
from salt_g.master.calls.call_events import CallEvents
from salt_g.process import secret_hiding

PILLAR = {"db": {"password": "Fired-secret-1"}}


@pytest.fixture
def fired():
    """Yield a function that returns the data of an event that a function fires."""

    def fire(tag, data, patterns=("db:password",)):
        return CallEvents(Bus(), patterns).fire(tag, data).data

    with secret_hiding.forgotten():
        yield fire


def test_the_arguments_of_a_call_inside_show_no_pillar(fired):
    data = fired("salt/run/1/args", {"name": "state.orch", "kwargs": {"pillar": PILLAR}})

    assert data["kwargs"] == {"pillar": {"db": {"password": "<secret:db:password>"}}}


def test_known_secrets_are_hidden_in_any_event(fired):
    secret_hiding.add({"Fired-secret-2": "tls"})

    assert fired("my/tag", {"pillar": PILLAR, "text": "Fired-secret-2"}, ())["text"] == "<secret:tls>"


def test_functions_watch_the_bus():
    bus = Bus()

    with CallEvents(bus, ()).watch("my/") as watching:
        bus.fire("other/tag", {})
        bus.fire("my/tag", {"x": 1})

        assert watching.get(timeout=0).data["x"] == 1
