"""A hub that stands still is told of, with the stack that blocks it."""

import gevent
import pytest

from salt_g.minion.background import hub_watchdog


class Busy:
    """A job on the stack that blocks."""

    jid = "20260102030405678901"


def block(until):
    """Keep the hub busy until the watch has spoken."""
    job = Busy()
    sleep = gevent.monkey.get_original("time", "sleep")
    for _ in range(1000):
        if until():
            return job
        sleep(0.01)
    raise AssertionError("nobody noticed")


@pytest.fixture
def watch():
    """Factory: a watch with this limit (s)."""
    made = []

    def start(limit):
        made.append(hub_watchdog.HubWatchdog(limit))
        made[-1].start()

    yield start
    for one in made:
        one.stop()


def test_the_stack_and_the_job_are_logged_while_it_stands_still(watch, caplog):
    watch(0.05)
    gevent.sleep(0.02)

    block(lambda: "has been blocked" in caplog.text)

    assert "in job 20260102030405678901" in caplog.text
    assert "in block" in caplog.text


def test_a_hub_that_turns_is_left_alone(watch, caplog):
    watch(0.6)

    # Long enough for the thread to look.
    gevent.sleep(0.4)

    assert "has been blocked" not in caplog.text
