"""Stack dumps of a process."""

import os
import threading

import gevent
import gevent.event

from salt_g.process.stacks import all_stacks


def wait_in_a_greenlet(event, password):
    event.wait()


def wait_in_a_thread(started, event):
    started.set()
    event.wait()


def test_waiting_threads_and_greenlets_are_shown_without_their_values():
    event, started, end = gevent.event.Event(), threading.Event(), threading.Event()
    waiting = gevent.spawn(wait_in_a_greenlet, event, "secret " + "word")
    waiting.name = "the waiting one"
    thread = threading.Thread(target=wait_in_a_thread, args=(started, end))
    thread.start()
    try:
        gevent.idle()
        assert started.wait(10)
        text = all_stacks()
    finally:
        end.set()
        event.set()
        thread.join()
        waiting.join()

    assert text.startswith(f"stacks of process {os.getpid()}\n")
    assert "in wait_in_a_thread" in text and "in test_waiting_threads" in text
    assert "in wait_in_a_greenlet" in text.split("greenlet the waiting one:\n")[1]
    assert "secret word" not in text
