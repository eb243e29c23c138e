"""`salt-g top` in a pipe and on a terminal."""

import contextlib
import os
import pty
import re
import signal
import subprocess

from tests.support.commands import PROGRAM, outcome_of
from tests.support.waiting import until

#: What begins and ends a screen of its own.
_ENTER, _LEAVE = "\x1b[?1049h", "\x1b[?1049l"


def test_one_frame_for_scripts(start_master, start_minion, salt):
    master = start_master()
    start_minion(master)
    salt(master, "*", "test.echo", "hello")

    outcome = outcome_of([PROGRAM, "top", "-c", str(master.config_dir), "--once"])

    assert outcome.code == 0, outcome.err
    assert "connected 1   silent 0" in outcome.out
    assert re.search(r"\d{20} test\.echo +1/1 +\d+ s +\w+ +\*", outcome.out)
    assert "_return" in outcome.out and "\x1b" not in outcome.out


def test_minions_that_have_not_spoken_since_a_crash_of_the_master_are_not_taken_for_gone(
    start_master, start_minion
):
    master = start_master()
    start_minion(master)
    master.kill()
    master.start()

    def shown():
        return outcome_of([PROGRAM, "top", "-c", str(master.config_dir), "--once"]).out

    # It may have had something to say in that moment, and then it is heard.
    known = re.compile("connected (1   silent 0|0 and 1 not heard yet   silent 1: m1)")
    until(lambda: known.search(shown()), "its connection")


def test_without_a_master_it_is_reported(start_master):
    master = start_master()
    master.stop()

    outcome = outcome_of([PROGRAM, "top", "-c", str(master.config_dir), "--plain"])

    assert outcome.code == 2
    assert "is the master running?" in outcome.err


class _Terminal:
    """A `salt-g top` on its own terminal; `seen` is its output so far."""

    def __init__(self, master, interval="0.2"):
        self._ours, theirs = pty.openpty()
        os.set_blocking(self._ours, False)
        self.process = subprocess.Popen(
            [PROGRAM, "top", "-c", str(master.config_dir), "--interval", interval],
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.PIPE,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"},
            # As shells start programs: the kernel stops nothing in a group that has no parent in its session.
            preexec_fn=os.setpgrp,
        )
        os.close(theirs)
        self.seen = ""

    def shows(self, text):
        with contextlib.suppress(BlockingIOError, OSError):
            self.seen += os.read(self._ours, 1 << 16).decode(errors="replace")
        return text in self.seen

    def press(self, key):
        self.seen = ""
        os.write(self._ours, key.encode())

    def close(self):
        os.close(self._ours)
        self.process.stderr.close()


def test_a_terminal_shows_pauses_sorts_survives_the_master_and_ends(start_master):
    master = start_master()
    terminal = _Terminal(master)
    try:
        until(lambda: terminal.shows("greenlets"), "the first frame")
        terminal.press("s")
        until(lambda: terminal.shows("sort: oldest"), "another order")
        terminal.press("p")
        until(lambda: terminal.shows("PAUSED"), "a pause")
        terminal.press("p")
        master.stop()
        until(lambda: terminal.shows("retrying"), "word of the master's end")
        master.start()
        terminal.seen = ""
        until(lambda: terminal.shows("q quit"), "the master that is back")
        terminal.press("q")
        until(lambda: terminal.shows("\x1b[?1049l") or terminal.process.poll() is not None, "the end")
        assert terminal.process.wait(60) == 0
    finally:
        terminal.process.kill()
        terminal.process.wait()
        terminal.close()


def test_a_terminal_is_given_back_while_it_is_stopped_and_when_it_is_ended(start_master):
    terminal = _Terminal(start_master(), interval="1000")
    try:
        until(lambda: terminal.shows("greenlets"), "the first frame")
        terminal.seen = ""
        terminal.process.send_signal(signal.SIGTSTP)
        until(lambda: terminal.shows(_LEAVE), "the terminal as it was")
        until(
            lambda: os.waitid(os.P_PID, terminal.process.pid, os.WSTOPPED | os.WNOHANG), "a stopped program"
        )
        terminal.seen = ""
        terminal.process.send_signal(signal.SIGCONT)
        until(lambda: terminal.shows(_ENTER) and terminal.shows("q quit"), "a frame after it")
        terminal.seen = ""
        terminal.process.send_signal(signal.SIGWINCH)
        until(lambda: terminal.shows("q quit"), "a frame in another size")
        terminal.seen = ""
        terminal.process.send_signal(signal.SIGTERM)

        assert terminal.process.wait(90) == 128 + signal.SIGTERM
        assert terminal.shows(_LEAVE)
    finally:
        terminal.process.kill()
        terminal.close()
