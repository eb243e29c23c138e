"""`salt-g quickstart`: a fleet that is there, converges, and is gone again."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

import pytest
from daemons import until

PROGRAM = str(pathlib.Path(sys.executable).with_name("salt-g"))
#: How long one run may take on a busy machine (s).
DEADLINE = 120


def _run(*words, cwd=None):
    return subprocess.run(
        [PROGRAM, "quickstart", *words],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE, cwd=cwd,
    )  # fmt: skip


def _processes(directory):
    """Return the ids of processes that were given a directory below this one."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if any(word.startswith(os.fsencode(directory)) for word in words):
            found.append(int(path.parent.name))
    return found


def _directory(out):
    return re.search(r"everything is below (\S+)", out)[1]


def test_a_fleet_converges_and_leaves_nothing():
    done = _run()

    assert done.returncode == 0, done.stdout + done.stderr
    counted = "3 minions, 12 states: 12 succeeded"
    assert f"highstate  {counted} (12 changed), 0 failed" in done.stdout
    assert f"again      {counted} (0 changed), 0 failed" in done.stdout
    assert "    -listen  8080\n    +listen  8443\n" in done.stdout
    assert not os.path.exists(_directory(done.stdout))
    assert not _processes(_directory(done.stdout))


def test_a_kept_fleet_answers_and_ends_by_the_words_that_are_shown():
    with tempfile.TemporaryDirectory(dir="/tmp") as top:
        directory = os.path.join(top, "f")
        try:
            done = _run("--minions", "1", "--keep", directory)
            shown = [line.strip() for line in done.stdout.splitlines() if line.startswith("  salt-g ")]
            words = next(line for line in shown if line.endswith("test.ping")).replace("salt-g", PROGRAM, 1)
            pinged = subprocess.run(words, shell=True, capture_output=True, text=True, timeout=DEADLINE)
            ending = next(line.strip() for line in done.stdout.splitlines() if line.startswith("  kill "))
            subprocess.run(ending.partition(";")[0], shell=True, check=True)

            assert done.returncode == 0, done.stdout + done.stderr
            assert pinged.stdout.split() == ["m1:", "True"], pinged.stderr
            until(lambda: not _processes(directory), "the daemons have ended")
        finally:
            for pid in _processes(directory):
                os.kill(pid, signal.SIGKILL)


def test_an_end_from_outside_ends_the_daemons_too():
    running = subprocess.Popen(
        [PROGRAM, "quickstart"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    directory = _directory(running.stdout.readline())
    running.send_signal(signal.SIGTERM)
    running.communicate(timeout=DEADLINE)

    assert running.returncode == 128 + signal.SIGTERM
    assert not os.path.exists(directory)
    assert not _processes(directory)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--minions", "0"], "--minions takes 1 to 200"),
        (["--minions", "many"], "invalid int value: 'many'"),
        (["--stock", "/nowhere/salt-minion"], "no program '/nowhere/salt-minion' for --stock"),
        (["now"], "no such word: now"),
    ],
)
def test_wrong_words_are_told(words, said):
    done = _run(*words)

    assert done.returncode == 64
    assert said in done.stderr


def test_a_directory_that_cannot_be_written_is_an_error(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")

    done = _run("--keep", str(blocked / "fleet"))

    assert done.returncode == 1
    assert str(blocked / "fleet") in done.stderr
    assert "Traceback" not in done.stderr
