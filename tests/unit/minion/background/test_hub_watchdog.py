"""A hub that stands still is told of, with the stack that blocks it."""

import threading
import time

import pytest
from support.waiting import hub_turns, hub_until, until

from salt_g.minion.background import hub_watchdog

#: The thread of the hub.
HUB = threading.get_ident()


class Busy:
    """A job on the stack that blocks."""

    jid = "20260102030405678901"


def block(found):
    """Keep the hub busy until the watch has spoken."""
    job = Busy()
    until(found, "the watch has spoken")
    return job


@pytest.fixture
def watch():
    """Factory: start a watch with this limit (s)."""
    made = []

    def start(limit, clock=time.monotonic):
        made.append(hub_watchdog.HubWatchdog(limit, clock=clock))
        made[-1].start()

    yield start
    for one in made:
        one.stop()


def test_the_stack_and_the_job_are_logged_while_it_stands_still(watch, caplog):
    watch(0.05)
    hub_turns()

    block(lambda: "has been blocked" in caplog.text)

    assert "in job 20260102030405678901" in caplog.text
    assert "in block" in caplog.text


def test_a_hub_that_turns_is_left_alone(watch, caplog):
    looks = []

    def clock():
        if threading.get_ident() != HUB:
            looks.append(1)
        return time.monotonic()

    watch(0.3, clock)
    hub_until(lambda: len(looks) >= 2, "the thread has looked twice")

    assert "has been blocked" not in caplog.text
