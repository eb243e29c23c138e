import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salt_g.errors import WireError
from salt_g.wire.replay import ReplayGuard


def test_a_nonce_is_used_once():
    guard = ReplayGuard()
    guard.check("a", 100)

    with pytest.raises(WireError, match="second time"):
        guard.check("a", 100)
    guard.check("b", 100)


def test_requests_may_overtake_each_other_within_the_window():
    guard = ReplayGuard(window=10)
    guard.check("a", 100)

    guard.check("b", 90)

    with pytest.raises(WireError, match="11 s older"):
        guard.check("c", 89)
    assert guard.is_behind


def test_nonces_outside_of_the_window_are_forgotten():
    guard = ReplayGuard(window=10)
    for second in range(1000):
        guard.check(str(second), second)

    assert len(guard) == 11


def test_a_flood_narrows_its_own_window():
    guard = ReplayGuard(window=1000, capacity=5)
    for number in range(10):
        guard.check(str(number), 100 + number)

    assert len(guard) == 5
    with pytest.raises(WireError):
        guard.check("0", 100)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 50)), max_size=60), st.integers(1, 10))
def test_no_request_is_ever_accepted_twice(requests, capacity):
    guard = ReplayGuard(window=15, capacity=capacity)
    accepted = []
    for nonce, stamp in requests:
        try:
            guard.check(str(nonce), stamp)
        except WireError:
            continue
        accepted.append((nonce, stamp))

    assert len(set(accepted)) == len(accepted)
    assert len(guard) <= capacity


def test_a_repeatable_request_has_a_time_limit_too():
    guard = ReplayGuard(window=300)
    guard.check_stamp(1000)
    guard.check_stamp(1000)
    guard.check("a" * 32, 1301)

    with pytest.raises(WireError):
        guard.check_stamp(1000)
    guard.check_stamp(1001)


def test_the_nonces_of_a_session_take_little_memory():
    guards = [ReplayGuard() for _ in range(50)]
    tracemalloc.start()
    for second in range(300):
        for number, guard in enumerate(guards):
            guard.check(f"{number:08}{second:024}", 1_800_000_000 + second)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert [len(guard) for guard in guards] == [300] * 50
    assert held / len(guards) < 300 * 24
