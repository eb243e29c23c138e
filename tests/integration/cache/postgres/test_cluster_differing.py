"""Masters of one cluster that differ: clocks an hour apart, or versions two days apart."""

import pathlib
import subprocess
import sys

import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.waiting import until

pytestmark = pytest.mark.long

ROOT = pathlib.Path(__file__).parents[4]
#: A program that runs salt-g with another clock; SHIFT is in seconds.
SHIFTED = """#!{python}
import datetime
import sys
import time

now, now_ns = time.time, time.time_ns
time.time = lambda: now() + {shift}
time.time_ns = lambda: now_ns() + {shift} * 10**9


class Shifted(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return super().now(tz) + datetime.timedelta(seconds={shift})

    @classmethod
    def utcnow(cls):
        return cls.now(datetime.timezone.utc).replace(tzinfo=None)


datetime.datetime = Shifted
from salt_g.cli import main

sys.exit(main())
"""


def script(path, text):
    path.write_text(text)
    path.chmod(0o755)
    return path


def given(salt, master, id):
    """Publish a job and return its jid."""
    return salt(master, "--async", id, "test.ping", as_json=False).out.rsplit(" ", 1)[-1].strip()


def command(master, *words):
    return outcome_of([PROGRAM, words[0], "-c", str(master.config_dir), *words[1:]])


@pytest.mark.parametrize("shift", [3600, -3600])
def test_a_master_whose_clock_is_an_hour_apart_works_with_the_others(
    shift, start_masters, start_minion, salt, reach, tmp_path
):
    other = script(tmp_path / "salt-g", SHIFTED.format(python=sys.executable, shift=shift))
    (a,) = start_masters("a")
    (b,) = start_masters("b", program=other)
    moving = {"master_type": "failover", "master_alive_interval": 1, "auth_timeout": 5, "auth_tries": 1}
    start_minion([a, b], "m1", **moving)
    start_minion([b, a], "m2", **moving)
    reach([a, b], "m1", "m2")

    jids = [given(salt, master, id) for master in (a, b, a, b) for id in ("m1", "m2")]
    assert jids == sorted(set(jids))
    assert command(a, "cluster", "status").code == command(b, "cluster", "status").code == 0
    b.kill()
    until(lambda: salt(a, "m2", "test.ping").minions == {"m2": True}, "the minion that moved")


@pytest.fixture(scope="module")
def earlier(tmp_path_factory):
    """Return the program of the newest commit at least two days older that seals jobs in the database.

    If there is none, that of the first commit that seals them.
    """
    target = tmp_path_factory.mktemp("earlier")
    try:
        date = git("show", "-s", "--format=%ct", "HEAD")
        commit = git("rev-list", "-1", f"--before={int(date) - 2 * 86400}", "HEAD")
        sealing = "salt_g/cluster/sealing.py"
        if "def seal_job" not in git("show", f"{commit}:{sealing}"):
            commit = git("log", "--format=%H", "-Sdef seal_job", "HEAD", "--", sealing).splitlines()[-1]
    except (OSError, subprocess.CalledProcessError, ValueError, IndexError) as exc:
        pytest.skip(f"there is no earlier version with clusters: {exc}")
    archive = target / "archive.tar"
    git("archive", f"--output={archive}", commit)
    subprocess.run(["tar", "-xf", archive, "-C", target], check=True)
    # Its rooms belong to its package, where it is installed.
    for room in ("modules", "states", "grains"):
        (target / "salt_g" / room).symlink_to(target / room)
    return script(target / "salt-g-earlier", f'#!/bin/sh\nPYTHONPATH={target} exec {PROGRAM} "$@"\n')


def git(*words):
    done = subprocess.run(["git", "-C", ROOT, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_a_master_of_an_earlier_version_works_with_a_newer_one_and_is_upgraded(
    earlier, start_masters, start_minion, salt, reach, tmp_path
):
    ran = tmp_path / "ran"
    (old,) = start_masters("old", program=earlier)
    (new,) = start_masters("new")
    moving = {"master_type": "failover", "master_alive_interval": 1, "auth_timeout": 5, "auth_tries": 1}
    start_minion([old, new], "m1", **moving)
    start_minion([new, old], "m2", program=earlier, **moving)
    reach([old, new], "m1", "m2")
    for master in (old, new):
        assert salt(master, "*", "cmd.run", f"echo {master.settings['id']} >> {ran}").code == 0

    old.kill()
    outcome = salt(new, "--timeout=60", "*", "cmd.run", f"echo moved >> {ran}")
    assert outcome.minions == {"m1": "", "m2": ""}
    old.program = PROGRAM
    old.start()

    reach([old, new], "m1", "m2")
    assert sorted(ran.read_text().split()) == ["moved", "moved", "new", "new", "old", "old"]
