"""Ring of events: the losses of a slow reader."""

from salt_g.event.ring import Event, Ring


def event(number, size=10):
    return Event(str(number), {}, b"x" * size)


def tags(ring):
    return [one.tag for one in iter(ring.take, None)]


def test_events_come_out_in_their_order():
    ring = Ring(max_events=5, max_bytes=100)

    assert [ring.put(event(n)) for n in range(3)] == [0, 0, 0]
    assert (len(ring), ring.held, tags(ring), ring.held) == (3, 30, ["0", "1", "2"], 0)


def test_too_many_cost_the_oldest():
    ring = Ring(max_events=2, max_bytes=1000)

    assert [ring.put(event(n)) for n in range(4)] == [0, 0, 1, 1]
    assert (ring.dropped, tags(ring)) == (2, ["2", "3"])


def test_one_large_event_costs_as_many_as_it_needs():
    ring = Ring(max_events=10, max_bytes=50)
    for n in range(5):
        ring.put(event(n))

    assert ring.put(event("large", 35)) == 4
    assert (tags(ring), ring.dropped) == (["4", "large"], 4)


def test_an_event_above_the_limit_is_kept_alone():
    ring = Ring(max_events=10, max_bytes=50)
    ring.put(event(1))

    assert ring.put(event("huge", 500)) == 1
    assert (len(ring), ring.held) == (1, 500)


def test_an_empty_ring_has_nothing():
    assert Ring(max_events=1, max_bytes=1).take() is None
