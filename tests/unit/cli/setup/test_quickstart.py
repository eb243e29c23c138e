"""The end of `salt-g quickstart` at a terminal."""

import os
import signal

import pytest

from salt_g.cli.setup import quickstart


@pytest.fixture
def typed(monkeypatch):
    """Yield a function that types text on standard input, which stays open."""
    reads, writes = os.pipe()
    wakeup, interrupt = signal.set_wakeup_fd(-1), signal.getsignal(signal.SIGINT)
    stdin = os.fdopen(reads, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", stdin)
    yield lambda text: os.write(writes, text)
    signal.signal(signal.SIGINT, interrupt)
    signal.set_wakeup_fd(wakeup)
    stdin.close()
    os.close(writes)


def test_enter_ends_the_wait(typed, capsys):
    typed(b"\n")

    quickstart._wait_for_enter()

    assert capsys.readouterr().out.endswith("press Enter. ")


def test_an_interrupt_between_the_question_and_the_reading_ends_the_wait(typed, monkeypatch):
    shown = []

    def show(text="", **options):
        shown.append(text)
        if "press Enter" in text:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(quickstart, "print", show, raising=False)

    quickstart._wait_for_enter()

    assert len(shown) == 2
