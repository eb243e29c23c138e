"""Time slices of greenlets with long computations, in a program with a hub like a daemon's."""

import subprocess
import sys
import textwrap

PROGRAM = """
from gevent import monkey
monkey.patch_all()
import gevent
from salt_g.process.offload import offload, yield_to_hub
from salt_g.process.fair_slices import FairSlices
turns, seen = FairSlices(), []
def work(name, slices, between=lambda: None):
    with turns.taken():
        for number in range(slices):
            seen.append(f"{name}{number}")
            between()
            yield_to_hub()
"""


def output_of(program):
    text = PROGRAM + textwrap.dedent(program)
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_the_oldest_work_is_finished_first():
    seen = output_of(
        """
        gevent.joinall([gevent.spawn(work, name, 3) for name in "abc"])
        print(*seen)
        """
    )

    assert seen == ["a0", "a1", "a2", "b0", "b1", "b2", "c0", "c1", "c2"]


def test_others_have_a_pass_of_the_hub_for_each_slice():
    passes, left = output_of(
        """
        def one_pass():
            while True:
                seen.append("pass")
                gevent.sleep(1e-6)
        counter = gevent.spawn(one_pass)
        gevent.joinall([gevent.spawn(work, name, 4) for name in "abcdefgh"])
        print(seen.count("pass"), len(turns))
        """
    )

    # Without turns, all eight run a slice in each of some five passes.
    assert int(passes) >= 30
    assert left == "0"


def test_work_that_waits_for_something_else_holds_up_nobody():
    seen = output_of(
        """
        came = gevent.event.Event()
        waiting = gevent.spawn(work, "a", 2, came.wait)
        gevent.joinall([gevent.spawn(work, "b", 2)])
        came.set()
        waiting.join()
        print(*seen)
        """
    )

    assert seen == ["a0", "b0", "b1", "a1"]


def test_killed_work_leaves_the_line():
    seen = output_of(
        """
        killed = gevent.spawn(work, "a", 100)
        other = gevent.spawn(work, "b", 2)
        gevent.sleep(0)
        killed.kill()
        other.join()
        print(*seen[-2:], len(turns))
        """
    )

    assert seen == ["b0", "b1", "0"]


def test_a_native_thread_does_not_touch_the_line():
    seen = output_of(
        """
        def between():
            seen.append(str(offload(lambda: yield_to_hub() or len(turns))))
        gevent.joinall([gevent.spawn(work, name, 1, between) for name in "a"])
        print(*seen)
        """
    )

    assert seen == ["a0", "0"]
