"""Blocks of code that no signal handler interrupts."""

import signal
import subprocess
import sys
import threading

import pytest

from salt_g.process.deferred_signals import TERMINATING, deferred


@pytest.fixture(autouse=True)
def _handlers():
    before = {number: signal.getsignal(number) for number in TERMINATING}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def _raising(number, frame):
    raise SystemExit(128 + number)


@pytest.mark.parametrize("number", TERMINATING)
def test_a_signal_inside_the_block_is_handled_after_it(number):
    signal.signal(number, _raising)
    reached = []

    with pytest.raises(SystemExit) as ended, deferred():
        signal.raise_signal(number)
        reached.append("end of the block")

    assert reached == ["end of the block"]
    assert ended.value.code == 128 + number
    assert signal.getsignal(number) is _raising


def test_an_error_of_the_block_does_not_hide_the_signal():
    signal.signal(signal.SIGTERM, _raising)

    with pytest.raises(SystemExit) as ended, deferred():
        signal.raise_signal(signal.SIGTERM)
        raise OSError("no such program")

    assert isinstance(ended.value.__context__, OSError)


def test_without_a_signal_nothing_changes():
    signal.signal(signal.SIGTERM, _raising)

    with deferred():
        pass

    assert signal.getsignal(signal.SIGTERM) is _raising


def test_ignored_signals_stay_ignored_for_started_programs():
    signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with deferred():
        signal.raise_signal(signal.SIGHUP)
        shown = subprocess.run(
            [sys.executable, "-c", "import signal; print(signal.getsignal(signal.SIGHUP).name)"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip

    assert shown.stdout == "SIG_IGN\n"


def test_started_programs_can_be_ended_by_these_signals():
    with deferred():
        running = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
    running.terminate()

    assert running.wait(60) == -signal.SIGTERM


def test_another_thread_runs_the_block_as_it_is():
    ran = []

    def block():
        with deferred():
            ran.append(threading.current_thread().name)

    thread = threading.Thread(target=block, name="other")
    thread.start()
    thread.join(60)

    assert ran == ["other"]
