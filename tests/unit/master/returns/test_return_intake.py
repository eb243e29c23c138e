"""Returns that the store cannot accept at the moment."""

import pytest

from salt_g.cache.jobs import Saved
from salt_g.errors import StoreBusy
from salt_g.event.bus import Bus
from salt_g.master.returns.return_intake import ReturnIntake
from salt_g.master.settings import ReturnSettings
from salt_g.transport.protocols import Unanswered
from salt_g.wire.aes import Crypticle
from salt_g.wire.requests import SealedRequest

JID = "20260102030405678901"


class BusyJobs:
    """A job cache whose queue is full for the first `times`."""

    def __init__(self, times):
        self.times = times
        self.attempts = 0

    def save_return(self, load):
        self.attempts += 1
        if self.attempts <= self.times:
            raise StoreBusy("store.sqlite", "9 writes are queued already; try again later")
        return self

    def result(self):
        return Saved.FIRST


class Expecting:
    """Fake expected minions: every job expects every minion."""

    def expects(self, jid, id):
        return True


@pytest.fixture
def pauses():
    return []


@pytest.fixture
def taking(pauses):
    """Return a function that makes the receiver of a return, with a store that is busy `times` times."""

    def make(times):
        jobs = BusyJobs(times)
        bus = Bus()
        returns = ReturnIntake(
            ReturnSettings(),
            jobs=jobs,
            running=Expecting(),
            unsolicited_returns=None,
            bus=bus,
            sessions=None,
            sleep=pauses.append,
        )
        return returns, bus.subscribe(name="test")

    return make


def ask(returns):
    load = {"cmd": "_return", "id": "m1", "jid": JID, "fun": "test.ping", "return": True, "retcode": 0}
    request = SealedRequest("m1", dict(load), "", Crypticle.generate(), "", "", 3)
    return returns.take(request, dict(load))


def test_a_busy_store_is_asked_again_before_the_return_is_reported(taking, pauses):
    returns, events = taking(3)

    ask(returns)

    assert len(pauses) == 3
    assert sorted(pauses) == pauses
    assert [event.tag for event in iter(events.take, None)] == [f"salt/job/{JID}/ret/m1"]


def test_a_store_that_stays_busy_leaves_the_return_to_its_minion(taking, pauses):
    returns, events = taking(10**6)

    with pytest.raises(Unanswered):
        ask(returns)

    assert 1 < sum(pauses) < 10
    assert events.take() is None
