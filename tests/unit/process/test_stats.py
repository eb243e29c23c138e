"""Statistics of this process from the kernel."""

import mmap
import os
import resource

from salt_g.process import stats


def test_open_files_are_counted_without_the_counting_itself():
    before = stats.open_files()

    with open(os.devnull), open(os.devnull):
        assert stats.open_files() == before + 2
    assert stats.open_files() == before


def test_memory_in_use_grows_by_what_is_written():
    size = 64 * 1024 * 1024
    resident, proportional = stats.resident_bytes(), stats.proportional_bytes()

    with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        for start in range(0, size, mmap.PAGESIZE):
            memory[start] = 1

        # Something else may be returned to the system meanwhile.
        assert size // 2 < stats.resident_bytes() - resident < 2 * size
        assert size // 2 < stats.proportional_bytes() - proportional < 2 * size


def test_memory_is_reported_in_bytes():
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    assert stats.proportional_bytes() > 0
    assert peak / 100 < stats.resident_bytes() <= peak * 1.1


def test_processor_time_grows_with_work():
    before = stats.processor_seconds()

    sum(range(1_000_000))

    assert stats.processor_seconds() > before
