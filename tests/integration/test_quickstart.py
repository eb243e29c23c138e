"""`salt-g quickstart`: a fleet that starts, converges, and is removed again."""

import fcntl
import itertools
import os
import pathlib
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import termios
import time
import urllib.parse
import urllib.request

import pytest

from tests.support.waiting import until

PROGRAM = str(pathlib.Path(sys.executable).with_name("salt-g"))
#: How long one run may take on a busy machine (s).
DEADLINE = 120


def _run(*words, env=None):
    return subprocess.run(
        [PROGRAM, "quickstart", *words],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE, env=env,
    )  # fmt: skip


def _processes(directory):
    """Return the ids of processes with an argument below this directory.

    The command line of a daemon that sets its title is one text, without zeros between its words.
    """
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().replace(b"\0", b" ")
        except OSError:
            continue
        if b" " + os.fsencode(directory) in words:
            found.append(int(path.parent.name))
    return found


def _fetch(command):
    """Return the output of `curl -s URL -d NAME=VALUE ...`; not every host has curl."""
    words = shlex.split(command)
    fields = [tuple(word.split("=", 1)) for flag, word in itertools.pairwise(words) if flag == "-d"]
    with urllib.request.urlopen(words[2], urllib.parse.urlencode(fields).encode(), DEADLINE) as answer:
        return answer.read().decode()


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
        directory = os.path.join(top, "a fleet")
        try:
            # A shell that knows nothing of the environment in which the program is.
            shell = {**os.environ, "PATH": os.defpath}
            done = _run("--minions", "1", "--keep", directory, env=shell)
            shown = [line.strip() for line in done.stdout.splitlines() if line.startswith("  ")]
            words = next(line for line in shown if line.endswith("test.ping"))
            plain = {"shell": True, "capture_output": True, "text": True, "timeout": DEADLINE, "env": shell}
            pinged = subprocess.run(words, **plain)
            ordered = _fetch(next(line for line in shown if line.startswith("curl ")))
            again = _run("--minions", "1", "--keep", directory)
            answering = subprocess.run(words, **plain)
            ending = next(line for line in shown if line.startswith("kill "))
            ended = subprocess.run(ending, **plain)

            assert done.returncode == 0, done.stdout + done.stderr
            assert words.split()[0] == PROGRAM
            assert pinged.stdout.split() == ["m1:", "True"], pinged.stderr
            assert ordered == '{"return": [{"m1": true}]}'
            assert (again.returncode, answering.stdout) == (64, pinged.stdout), again.stderr
            assert "it is not empty" in again.stderr
            assert ended.returncode == 0, ended.stderr
            assert not os.path.exists(directory)
            assert not _processes(directory)
        finally:
            for pid in _processes(directory):
                os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("started", range(4))
def test_an_end_from_outside_ends_the_daemons_too(started):
    """A signal while a daemon is starting stops the daemons as well."""
    running = subprocess.Popen(
        [PROGRAM, "quickstart"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    directory = _directory(running.stdout.readline())
    # The minions are started one after the other now; each run is ended at another moment of that.
    until(lambda: len(_processes(directory)) > started, "a further daemon", seconds=DEADLINE)
    running.send_signal(signal.SIGTERM)
    running.communicate(timeout=DEADLINE)

    assert running.returncode == 128 + signal.SIGTERM
    assert not os.path.exists(directory)
    assert not _processes(directory)


def _at_terminal(words, answer, count=1):
    """Run it on a terminal and type `answer` when it waits for Enter; return (exit code, output)."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [PROGRAM, "quickstart", *words], stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )  # fmt: skip
    os.close(theirs)
    seen = ""
    deadline = time.monotonic() + DEADLINE
    try:
        while chunk := _read(ours, deadline):
            seen += chunk
            if "press Enter" in seen:
                os.write(ours, answer * count)
                count = 0
        return running.wait(DEADLINE), seen
    except TimeoutError:
        running.send_signal(signal.SIGTERM)
        raise AssertionError(f"not ended within {DEADLINE} s; shown so far: {seen}") from None
    finally:
        os.close(ours)


def _read(terminal, deadline):
    """Return the next output, "" at the end."""
    if not select.select([terminal], [], [], max(deadline - time.monotonic(), 0))[0]:
        raise TimeoutError
    try:
        return os.read(terminal, 4096).decode()
    except OSError:  # Linux says EIO when the other side has closed
        return ""


@pytest.mark.parametrize("answer", [b"\n", b"\x04", b"\x03"], ids=["enter", "ctrl-d", "ctrl-c"])
def test_a_person_ends_it_in_any_way_and_nothing_is_left(answer):
    code, seen = _at_terminal(["--minions", "1"], answer)

    assert code == 0, seen
    assert "1 minion, 6 states" in seen
    assert not os.path.exists(_directory(seen))
    assert not _processes(_directory(seen))


def test_a_person_in_a_hurry_leaves_nothing_behind_either():
    _, seen = _at_terminal(["--minions", "1"], b"\x03", count=3)

    assert "Traceback" not in seen
    assert not os.path.exists(_directory(seen))
    assert not _processes(_directory(seen))


def test_without_a_terminal_no_question_is_asked():
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [PROGRAM, "quickstart", "--minions", "1"],
            stdin=theirs, capture_output=True, text=True, timeout=DEADLINE,
        )  # fmt: skip
    finally:
        os.close(ours)
        os.close(theirs)

    assert done.returncode == 0, done.stderr
    assert "The fleet is stopped and removed" in done.stdout


def test_a_reader_that_closes_the_pipe_is_not_an_error():
    running = subprocess.Popen(
        [PROGRAM, "quickstart", "--minions", "1"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    directory = _directory(running.stdout.readline())
    running.stdout.close()
    errors = running.stderr.read()
    running.stderr.close()

    assert running.wait(DEADLINE) == 141
    assert errors == ""
    assert not os.path.exists(directory)


def test_a_long_name_of_the_temporary_directory_does_no_harm(tmp_path):
    long = tmp_path / ("x" * 60)
    long.mkdir()

    done = _run("--minions", "1", env={**os.environ, "TMPDIR": str(long)})

    assert done.returncode == 0, done.stdout + done.stderr
    assert list(long.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--minions", "0"], "--minions must be 1 to 200"),
        (["--minions", "many"], "invalid int value: 'many'"),
        (["--stock", "/nowhere/salt-minion"], "no program '/nowhere/salt-minion' for --stock"),
        (["now"], "unexpected argument: now"),
        (["--keep", "/"], "--keep /: it is not empty"),
        (["--keep", "/tmp/" + "x" * 50], "because sockets are created below it"),
    ],
)
def test_wrong_words_are_reported(words, message):
    done = _run(*words)

    assert done.returncode == 64
    assert message in done.stderr


def test_a_directory_that_cannot_be_made_is_an_error():
    with tempfile.NamedTemporaryFile(dir="/tmp") as blocked:
        done = _run("--keep", f"{blocked.name}/fleet")

    assert done.returncode == 1
    assert f"{blocked.name}/fleet" in done.stderr
    assert "Traceback" not in done.stderr
