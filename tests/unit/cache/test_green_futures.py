"""Greenlets that wait for the writer's thread while the hub runs."""

import subprocess
import sys

import gevent
import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.green_futures import GreenWaiting
from salt_g.errors import StoreError


@pytest.fixture
def banks(tmp_path):
    with EmbeddedStore(str(tmp_path), waiting=GreenWaiting()) as store:
        yield Banks(store)


def test_a_thousand_greenlets_are_all_answered(banks):
    def write(n):
        banks.store("b", str(n), n).result(10)
        return banks.fetch("b", str(n))

    greenlets = [gevent.spawn(write, n) for n in range(1000)]
    gevent.joinall(greenlets, timeout=20)

    assert [greenlet.value for greenlet in greenlets] == list(range(1000))


def test_the_hub_runs_others_while_one_waits(banks):
    order = []
    other = gevent.spawn(order.append, "other")

    banks.store("b", "k", 1).result(10)
    order.append("written")
    other.join(10)

    assert order == ["other", "written"]


def test_a_failed_write_raises_in_the_greenlet_that_waits(banks):
    with pytest.raises(StoreError, match="cannot be stored"):
        banks.store("\udcff", "k", 1).result(10)


def test_two_greenlets_may_wait_for_one_write(banks):
    future = banks.store("b", "k", 1)

    greenlets = [gevent.spawn(future.result, 10) for _ in range(2)]
    gevent.joinall(greenlets, timeout=10)

    assert [greenlet.successful() for greenlet in greenlets] == [True, True]
    assert future.done()


def test_waiting_has_an_end():
    future = GreenWaiting().future()

    with pytest.raises(TimeoutError, match=r"within 0\.01 s"):
        future.result(0.01)


PATCHED = """
from gevent import monkey; monkey.patch_all()
import gevent, sys
from salt_g.cache.banks import Banks
from salt_g.cache.green_futures import GreenWaiting
from salt_g.cache.embedded_store import EmbeddedStore

with EmbeddedStore(sys.argv[1], waiting=GreenWaiting()) as store:
    banks = Banks(store)
    greenlets = [gevent.spawn(lambda n: banks.store("b", str(n), n).result(10), n) for n in range(200)]
    gevent.joinall(greenlets, raise_error=True)
    print(len(banks.list("b")))
"""


def test_it_works_with_a_patched_standard_library(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PATCHED, str(tmp_path)], capture_output=True, text=True, timeout=60
    )

    assert (done.stdout, done.stderr) == ("200\n", "")
