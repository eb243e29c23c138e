"""Marks of a job's programs: in the environment, and as a resource limit that outlives it."""

import subprocess

import pytest

from salt_g.process.job_marks import VARIABLE, has_mark, mark_of, set_limit
from tests.support.waiting import until

MARK = mark_of("20260000000000000042")


@pytest.fixture
def start():
    """Yield a function that starts a program that waits for input."""
    started = []

    def run(preexec_fn=None, **env):
        started.append(subprocess.Popen(["cat"], stdin=subprocess.PIPE, env=env, preexec_fn=preexec_fn))
        return started[-1].pid

    yield run
    for process in started:
        process.communicate()


def test_a_variable_is_a_mark(start):
    pid = start(**{VARIABLE: "20260000000000000042"})

    # The kernel shows no environment for a moment after the program was started.
    until(lambda: has_mark(pid, MARK), "the mark")
    assert not has_mark(pid, mark_of("20260000000000000043"))


def test_a_limit_is_a_mark_from_the_beginning(start):
    assert not has_mark(start(), MARK)

    pid = start(lambda: set_limit(MARK))

    assert has_mark(pid, MARK)
    assert not has_mark(pid, mark_of("20260000000000000043"))


def test_a_process_that_is_gone_has_none():
    process = subprocess.Popen(["true"], preexec_fn=lambda: set_limit(MARK))
    process.wait()

    assert not has_mark(process.pid, MARK)
