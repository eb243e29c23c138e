"""Live steps sent to the master: few events, without waiting, none to stock's."""

import gevent.event
import pytest

from salt_g.errors import NoReply
from salt_g.minion.jobs.step_sender import MAX_PAUSE, StepSender
from salt_g.report.step_feed import INTERVAL
from salt_g.wire.packing import pack_bus
from tests.support.waiting import hub_until

JID = "20260102030405678901"
TAG = f"salt/job/{JID}/step/m1"
RETURN = {"name": "x", "result": True, "changes": {}, "comment": "", "duration": 1.0}


class Master:
    """Accepts events, except for the first `silent` ones, and only when `is_free`."""

    def __init__(self, silent=0, reply=None):
        self.silent, self.request_count, self.events, self.reply = silent, 0, [], reply
        self.is_free = gevent.event.Event()
        self.is_free.set()

    def ask(self, load, *, timeout, tries):
        self.request_count += 1
        self.is_free.wait(60)
        assert load["cmd"] == "_minion_event"
        if self.request_count <= self.silent:
            raise NoReply("master", timeout)
        self.events += load["events"]
        return self.reply


@pytest.fixture
def sending(supervisor):
    """Return a function that starts a sender."""

    def start(master, is_wanted=lambda: True):
        sender = StepSender(master, "m1", is_wanted=is_wanted)
        supervisor.spawn(sender.run, name="steps")
        return sender

    return start


def ended(master):
    return [step["n"] for event in master.events for step in event["data"]["done"]]


def test_the_first_step_is_sent_while_it_runs(sending):
    master = Master()
    with sending(master).record(JID) as record:
        record.begin_run(2)
        record.begin(1, "x", "test.nop")
        hub_until(lambda: master.events)

    assert master.events[0]["tag"] == TAG
    assert master.events[0]["data"]["now"]["n"] == 1


def test_steps_meanwhile_are_one_event(sending):
    master = Master()
    sender = sending(master)
    with sender.record(JID) as record:
        record.begin_run(500)
        for n in range(1, 501):
            record.begin(n, "x", "test.nop")
            record.end(n, "x", "test.nop", "", RETURN)
        hub_until(lambda: master.events)

    assert len(master.events) == 1
    data = master.events[0]["data"]
    assert len(data["done"]) + data["lost"] == 500
    assert len(pack_bus(data)) < 8192


def test_a_master_that_reads_nothing_holds_nobody_up(sending):
    master = Master()
    master.is_free.clear()
    with sending(master).record(JID) as record:
        record.begin(1, "x", "test.nop")
        hub_until(lambda: master.request_count)
        for n in range(1, 2001):
            record.end(n, "x", "test.nop", "", RETURN)
    master.is_free.set()
    hub_until(lambda: ended(master))

    assert ended(master)[-1] == 2000
    assert sum(event["data"].get("lost", 0) for event in master.events) + len(ended(master)) == 2000


def test_a_lost_event_is_no_reason_to_stop(sending):
    master = Master(silent=1)
    with sending(master).record(JID) as record:
        record.begin(1, "x", "test.nop")
        hub_until(lambda: master.request_count)
        record.end(1, "x", "test.nop", "", RETURN)
        hub_until(lambda: ended(master) == [1])


def test_a_master_that_wants_none_gets_none(sending):
    master = Master()
    with sending(master, is_wanted=lambda: False).record(JID) as record:
        assert record is None


def test_the_last_steps_are_sent_after_the_end(sending):
    master = Master()
    sender = sending(master)
    with sender.record(JID) as record:
        record.end(1, "x", "test.nop", "", RETURN)

    hub_until(lambda: ended(master) == [1])
    hub_until(lambda: not sender._feeds)


@pytest.mark.parametrize(
    ("reply", "pause"),
    [
        ({"pause": 5}, 5.0),
        ({"pause": 0.0001}, INTERVAL),
        ({"pause": 1e9}, MAX_PAUSE),
        ({"pause": float("nan")}, INTERVAL),
        ({"pause": "5"}, INTERVAL),
        ({"pause": True}, INTERVAL),
        (None, INTERVAL),
        (True, INTERVAL),
    ],
)
def test_the_master_sets_the_pause_within_limits(sending, reply, pause):
    master = Master(reply=reply)
    sender = sending(master)
    with sender.record(JID) as record:
        record.begin_run(1)
        record.begin(1, "x", "test.nop")
        hub_until(lambda: master.events)
        hub_until(lambda: sender._pause == pause)
