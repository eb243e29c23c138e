"""Short runs of the long nights, which measure and leave nothing behind."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import pytest

from tests.support.waiting import until

pytestmark = pytest.mark.long

NIGHTS = pathlib.Path(__file__).parent
#: Measurements that a busy machine may miss: durations, and buffered data, which in a few seconds still grow.
TIMES = ("p99", "after a start", "cost", "greenlets", "without a leader", "grown")


@pytest.fixture
def short_root():
    """Yield a short directory: UNIX socket names have at most 107 characters."""
    with tempfile.TemporaryDirectory(prefix="sg-") as path:
        # A PostgreSQL server, which does not run as root, has its data below it.
        os.chmod(path, 0o755)
        yield pathlib.Path(path)


@pytest.fixture
def night(tmp_path, short_root):
    """Yield a function that starts a night: `night(*words)`; all of its processes must have ended."""
    started = []

    def start(*words):
        started.append(
            subprocess.Popen(
                [sys.executable, str(NIGHTS), *words, "--json", str(tmp_path / "figures.json")],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env={**os.environ, "TMPDIR": str(short_root)},
            )
        )
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()
    until(lambda: not named(str(short_root)), "all processes have ended")
    assert list(short_root.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ("soak", "--minutes", "0.1", "--minions", "20", "--rate", "20", "--stop", "2"),
        ("kills", "--kills", "2", "--minions", "2"),
        ("readers", "--stop", "4", "--minions", "5"),
        ("cluster", "--kills", "2", "--masters", "2"),
        ("api", "--seconds", "4"),
        ("plans", "--rounds", "2", "--served", "2"),
    ],
    ids=lambda words: words[0],
)
def test_a_short_night_has_all_figures_and_loses_nothing(night, tmp_path, words):
    process = night(*words)

    out, _ = process.communicate(timeout=300)
    report = json.loads((tmp_path / "figures.json").read_text())

    assert [name for name in report["missed"] if not any(word in name for word in TIMES)] == [], out
    assert process.returncode == bool(report["missed"])
    assert len(report["figures"]) > 10
    assert f"{words[0]}: " in out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_night_ends_what_it_has_started(night, number):
    process = night("soak", "--minutes", "5", "--minions", "10", "--rate", "10")
    assert "sign in" in process.stdout.readline()
    assert "jobs" in process.stdout.readline()

    process.send_signal(number)

    assert "has ended" in process.communicate(timeout=90)[0]
    assert process.returncode == 130


def named(text):
    """Return the commands of processes whose command line contains a text."""
    commands = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            commands.append(path.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return [command for command in commands if text in command]
