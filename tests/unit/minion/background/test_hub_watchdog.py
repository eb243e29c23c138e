"""A blocked hub, logged with the stack that blocks it."""

import contextlib
import os
import subprocess
import sys
import threading
import time

import pytest

from salt_g.minion.background import hub_watchdog
from tests.support.waiting import hub_turns, hub_until, until

#: The thread of the hub.
HUB = threading.get_ident()


class Busy:
    """A job on the blocking stack."""

    jid = "20260102030405678901"


def block(found):
    """Keep the hub busy until the watchdog has logged."""
    job = Busy()
    until(found, "the watch has spoken")
    return job


@pytest.fixture
def watch():
    """Yield a function that starts a watchdog with this limit (s)."""
    made = []

    def start(limit, clock=time.monotonic, **options):
        made.append(hub_watchdog.HubWatchdog(limit, clock=clock, **options))
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


def test_waiting_for_a_processor_is_no_stall(watch, caplog):
    begin, looks = time.monotonic(), []

    def waited():
        looks.append(1)
        return time.monotonic() - begin

    watch(0.05, waited=waited)
    hub_turns()

    block(lambda: len(looks) > 10)

    assert "has been blocked" not in caplog.text


def test_waiting_for_a_processor_is_read_for_the_thread_of_the_hub():
    read = hub_watchdog._WaitingTime()
    before = read()
    with contextlib.ExitStack() as stack:
        for _ in range(2 * len(os.sched_getaffinity(0))):
            rival = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            stack.callback(rival.wait)
            stack.callback(rival.kill)

        def has_waited():
            sum(range(10_000))
            return read() > before

        until(has_waited, "others had the processor")
