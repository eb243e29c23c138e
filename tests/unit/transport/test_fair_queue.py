import gevent
import pytest

from salt_g.transport.fair_queue import FairQueue
from tests.support.waiting import hub_turns


def drained(queue):
    return [queue.get() for _ in range(len(queue))]


def test_sources_take_turns_and_each_keeps_its_order():
    queue = FairQueue(100)
    for item in ("a1", "a2", "a3", "b1", "c1", "c2"):
        queue.put(item[0], item)

    assert drained(queue) == ["a1", "b1", "c1", "a2", "c2", "a3"]


def test_a_newcomer_does_not_wait_behind_a_flood():
    queue = FairQueue(1000)
    for number in range(900):
        queue.put("flood", number)
    queue.put("quiet", "here")

    assert "here" in [queue.get(), queue.get()]


def test_put_waits_for_a_place():
    queue = FairQueue(1)
    queue.put("a", 1)

    with pytest.raises(gevent.Timeout), gevent.Timeout(0.01):
        queue.put("a", 2)
    waiting = gevent.spawn(queue.put, "a", 3)

    assert queue.get() == 1
    waiting.join()
    assert queue.get() == 3


def test_get_waits_for_an_item():
    queue = FairQueue(1)
    waiting = gevent.spawn(queue.get)

    with pytest.raises(gevent.Timeout), gevent.Timeout(0.01):
        waiting.join()
    queue.put("a", 1)

    assert waiting.get() == 1
    assert len(queue) == 0


def test_a_greenlet_that_is_killed_while_it_waits_takes_nothing():
    queue = FairQueue(2)
    waiting = gevent.spawn(queue.get)
    hub_turns()
    waiting.kill()

    queue.put("a", 1)

    assert queue.get() == 1
