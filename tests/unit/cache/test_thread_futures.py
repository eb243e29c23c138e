"""Waiting for the store in a thread: salt_g/cache/thread_futures.py."""

import inspect

import pytest

from salt_g.cache.futures import WRITE_TIMEOUT
from salt_g.cache.green_futures import GreenFuture
from salt_g.cache.thread_futures import ThreadFuture, ThreadWaiting
from salt_g.errors import StoreError


def test_a_write_that_is_not_committed_in_time_is_a_timeout():
    pending = ThreadWaiting().future()

    with pytest.raises(TimeoutError, match=r"not committed within 0\.01 s"):
        pending.result(0.01)


def test_a_failed_write_raises_its_error():
    waiting = ThreadWaiting()
    failed = waiting.future()

    waiting.settle(failed, None, StoreError("store.sqlite", "disk full"))

    with pytest.raises(StoreError, match="disk full"):
        failed.result()


@pytest.mark.parametrize("kind", [ThreadFuture, GreenFuture])
def test_no_caller_waits_without_a_deadline(kind):
    assert inspect.signature(kind.result).parameters["timeout"].default == WRITE_TIMEOUT
