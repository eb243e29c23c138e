"""Events to the minion's bus and to the master."""

import pytest

from salt_g.errors import NoReply
from salt_g.modules import event


class Bus:
    def __init__(self, *, is_there=True):
        self.is_there = is_there
        self.fired = []

    def fire(self, tag, data):
        self.fired.append((tag, data))
        return self.is_there


class Master:
    def __init__(self, error=None, reply=None):
        self.error = error
        self.reply = reply
        self.loads = []

    def ask(self, load):
        if self.error:
            raise self.error
        self.loads.append(load)
        return self.reply


@pytest.mark.parametrize("is_there", [True, False])
def test_fire_returns_whether_a_minion_took_the_event(call_context, is_there):
    bus = Bus(is_there=is_there)
    call_context(events=bus)

    assert event.fire({"a": 1}, "my/tag") is is_there
    assert bus.fired == [("my/tag", {"a": 1})]


def test_without_a_bus_an_event_goes_nowhere(call_context):
    call_context()

    assert event.fire({"a": 1}, "my/tag") is False


def test_a_call_sends_an_event_to_the_master_by_itself(call_context):
    master = Master()
    call_context(master=master, events=Bus())

    assert event.fire_master({"a": 1}, "my/tag", preload={"jid": "1"}) is True
    assert master.loads[0]["cmd"] == "_minion_event"
    assert (master.loads[0]["tag"], master.loads[0]["jid"]) == ("my/tag", "1")


def test_a_running_minion_has_it_sent(call_context):
    master, bus = Master(), Bus()
    call_context(master=master, events=bus, jobs=object())

    assert event.fire_master({"a": 1}, "my/tag") is True
    assert master.loads == []
    assert bus.fired[0][0] == "fire_master"
    assert bus.fired[0][1]["tag"] == "my/tag"


@pytest.mark.parametrize("running", [{}, {"jobs": object()}])
def test_a_tag_of_the_daemons_is_fired_only_if_the_master_takes_it(call_context, caplog, running):
    bus, tag = Bus(), "salt/mine/deployed"

    call_context(opts={"id": "m1"}, master=Master(reply={"refused": [tag]}), events=bus, **running)
    assert event.send(tag) is False
    assert f"the master refuses the event '{tag}': tags below 'salt' belong to the daemons" in caplog.text

    call_context(opts={"id": "m1"}, master=Master(), events=bus, **running)
    assert event.send(tag) is True
    assert bus.fired == []


def test_a_master_that_does_not_answer_has_not_taken_it(call_context):
    call_context(master=Master(NoReply("master", 1)), events=Bus())

    assert event.fire_master({"a": 1}, "my/tag") is False


def test_without_a_master_nothing_is_sent(call_context):
    call_context(opts={"file_client": "local"}, master=Master(), events=Bus())

    assert event.fire_master({"a": 1}, "my/tag") is False


def test_send_gathers_what_is_asked_for(call_context):
    master = Master()
    call_context(master=master, events=Bus(), grains={"os": "x", "id": "m1"}, pillar={"p": 1})

    event.send("my/tag", {"a": 1}, with_grains=["os"], with_pillar=True, b=2, __pub_jid="1")

    assert master.loads[0]["data"] == {"grains": {"os": "x"}, "pillar": {"p": 1}, "a": 1, "b": 2}
