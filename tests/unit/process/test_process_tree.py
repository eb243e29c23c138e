"""Processes of a job: children, those in its sessions, those with its mark."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from salt_g.process import command, process_tree
from salt_g.process.job_marks import VARIABLE, mark_of
from salt_g.process.process_tree import belonging, command_of, described, end, wait
from tests.support.waiting import until

JID = "20260000000000000042"
#: What the environment of its programs has.
MARK = mark_of(JID)
#: Prints the id of a grandchild that has left the group, and waits.
PARENT = """
import subprocess, sys
child = subprocess.Popen(["sleep", "700"], start_new_session=len(sys.argv) > 1)
print(child.pid, flush=True)
child.wait()
"""


@pytest.fixture
def start():
    """Yield a function that starts a program that starts another.

    It returns (process, id of the other).
    """
    started = []

    def run(*words, **environment):
        process = subprocess.Popen(
            [sys.executable, "-c", PARENT, *words],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, **environment},
        )
        other = int(process.stdout.readline())
        # The kernel shows no environment for a moment while a program begins, also after Popen has returned.
        until(lambda: Path(f"/proc/{other}/environ").read_bytes(), "its environment")
        started.extend((process.pid, other))
        return process, other

    yield run
    for pid in started:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def finish(process):
    process.kill()
    process.wait()
    process.stdout.close()


def test_a_programs_children_belong_to_it_also_in_another_session(start):
    process, other = start("apart")

    assert belonging([process.pid], [process.pid], None) == sorted([process.pid, other])
    assert set(end([process.pid], [process.pid], None, signal.SIGKILL)) == {process.pid, other}
    finish(process)


def test_a_session_is_found_when_its_leader_is_gone(start):
    process, other = start()
    finish(process)

    assert belonging([process.pid], [], None) == [other]
    assert belonging([], [], None) == []


def test_a_mark_is_found_when_all_parents_are_gone(start):
    process, other = start("apart", **{VARIABLE: JID})
    finish(process)

    assert belonging([process.pid], [], MARK) == [other]
    assert belonging([process.pid], [], mark_of("20260000000000000043")) == []


def test_a_mark_stays_with_a_program_that_clears_its_environment():
    programs = command.Programs(JID)
    token = command.programs.set(programs)
    try:
        script = "read go; env -i setsid -f sh -c 'echo $$; exec sleep 701 >&- 2>&-'"
        other = int(command.run(["sh", "-c", script], stdin=b"go\n").out)
    finally:
        command.programs.reset(token)

    assert set(programs.end_all(signal.SIGKILL)) == {other}


def test_programs_started_to_outlive_the_job_are_left_alone():
    programs = command.Programs(JID)
    token = command.programs.set(programs)
    try:
        with command.outliving():
            other = int(command.run(["sh", "-c", "sleep 702 >&- 2>&- & echo $!"]).out)
    finally:
        command.programs.reset(token)

    assert programs.end_all(signal.SIGKILL) == {}
    os.kill(other, signal.SIGKILL)


def test_we_ourselves_never_belong_to_a_job():
    assert os.getpid() not in belonging([os.getsid(0)], [os.getppid()], None)


def test_programs_that_exceed_the_time_limit_are_killed(start):
    process, other = start("apart", **{VARIABLE: JID})

    killed = wait([process.pid], [process.pid], MARK, 0.0, sleep=lambda seconds: os.sched_yield())

    assert set(killed) == {process.pid, other}
    finish(process)
    assert wait([process.pid], [], MARK, 5.0, sleep=lambda seconds: os.sched_yield()) == {}


def test_a_list_shows_commands_without_their_secrets():
    with subprocess.Popen(["sh", "-c", "sleep 700; : --password hunter2"]) as process:
        # The kernel shows no words for a moment after the program was started.
        until(lambda: command_of(process.pid), "the words of the program")
        shown = command_of(process.pid)
        process.kill()

    assert shown == "sh -c sleep 700; : --password REDACTED"
    assert command_of(process.pid) == ""
    assert described({7: "sleep 1", 5: ""}) == "? (pid 5), sleep 1 (pid 7)"


def test_programs_of_a_job_are_marked_and_those_that_outlive_it_are_not():
    programs = command.Programs(JID)
    token = command.programs.set(programs)
    try:
        shown = command.run(["env"]).out
        pid = command.start(["sleep", "700"])
        marked = process_tree.belonging(programs.running, programs.running, MARK)
    finally:
        command.programs.reset(token)
        os.kill(pid, signal.SIGKILL)

    assert MARK.variable in shown.splitlines()
    assert pid not in marked
