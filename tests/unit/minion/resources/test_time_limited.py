"""Functions of a resource type: they return, or give the reason in one line."""

import gevent
import gevent.event
import pytest

from salt_g.minion.resources.time_limited import TypeCallFailed, call_with_timeout


def test_the_value_comes_back_and_the_limit_is_gone():
    assert call_with_timeout(5, lambda a, b: a + b, 1, 2) == 3
    call_with_timeout(0.01, int)
    # Timers fire in order: a limit that was left over would fire before this one.
    later = gevent.event.Event()
    gevent.spawn_later(0.02, later.set)
    assert later.wait(60)


def raising(exc):
    def function():
        raise exc

    return function


@pytest.mark.parametrize(
    ("exc", "reason"),
    [
        (OSError("no bus"), "OSError: no bus"),
        (KeyError(), "KeyError"),
        (SystemExit(3), "SystemExit: 3"),
        (SystemExit(), "SystemExit"),
    ],
)
def test_an_exception_becomes_a_reason(exc, reason):
    with pytest.raises(TypeCallFailed) as raised:
        call_with_timeout(5, raising(exc))

    assert (str(raised.value), raised.value.__cause__) == (reason, exc)


def test_a_function_that_waits_too_long_fails_even_if_it_catches_everything():
    never = gevent.event.Event()

    def stubborn():
        try:
            never.wait()
        except Exception:
            return "caught"

    with pytest.raises(TypeCallFailed, match="no answer within 0.01 s"):
        call_with_timeout(0.01, stubborn)


def test_the_time_limit_of_a_caller_passes_through():
    never = gevent.event.Event()

    with pytest.raises(gevent.Timeout) as raised, gevent.Timeout(0.01) as limit:
        call_with_timeout(50, never.wait)

    assert raised.value is limit
