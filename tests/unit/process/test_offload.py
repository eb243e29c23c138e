"""Blocking work beside the hub."""

import hashlib
import subprocess
import sys
import threading

from salt_g.process.offload import LARGE, offload, offload_large
from salt_g.process.supervisor import Supervisor


def test_offloaded_work_leaves_the_hub_free():
    ticks = []
    owner = Supervisor("test")
    owner.spawn(lambda: ticks.append(1), name="tick")

    digest = offload(lambda data: hashlib.sha256(data).hexdigest(), b"x" * 1_000_000)

    assert len(digest) == 64
    assert ticks == [1]


def test_large_work_stays_where_it_is_without_a_hub():
    assert offload_large(LARGE, threading.get_native_id) == threading.get_native_id()


def test_large_work_leaves_a_hub_and_small_work_does_not():
    program = (
        "from gevent import monkey; monkey.patch_all()\n"
        "from threading import get_native_id as here\n"
        "from salt_g.process.offload import LARGE, offload_large\n"
        "print(offload_large(LARGE - 1, here) == here(), offload_large(LARGE, here) == here())\n"
    )

    words = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert words.split() == ["True", "False"]


def test_long_work_in_slices_lets_others_run():
    code = (
        "from gevent import monkey; monkey.patch_all()\n"
        "import gevent, time\n"
        "from salt_g.process.offload import SLICE, in_slices\n"
        "turns = []\n"
        "def other():\n"
        "    while True:\n"
        "        turns.append(1)\n"
        "        gevent.sleep(0)\n"
        "gevent.spawn(other)\n"
        "def work():\n"
        "    for number in in_slices(range(10)):\n"
        "        end = time.perf_counter() + SLICE\n"
        "        while time.perf_counter() < end: pass\n"
        "        yield number\n"
        "assert list(work()) == list(range(10))\n"
        "print(len(turns) >= 9)\n"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)

    assert (done.stdout, done.stderr) == ("True\n", "")
