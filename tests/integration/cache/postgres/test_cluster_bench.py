"""The cluster benchmark: minions of a killed master deliver their returns and get the jobs they missed."""

import json
import pathlib
import socket
import subprocess
import sys

from tests.support.commands import PROGRAM

BENCH = pathlib.Path(__file__).parents[4] / "bench"


def first_port():
    """Return a port that is free with those around it, for three masters."""
    return next(port for port in range(22010, 31000, 50) if all(map(is_free, range(port - 1, port + 22))))


def is_free(port):
    with socket.socket() as one:
        try:
            one.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def test_no_return_is_lost_with_a_master_that_is_killed_during_a_job(postgres_url, daemon_root):
    figures = daemon_root / "figures"
    ran = subprocess.run(
        [
            *(sys.executable, BENCH / "cluster.py", "--salt-g", PROGRAM, "--url", postgres_url, "-n", "30"),
            *(
                "--keys",
                "8",
                "--port",
                str(first_port()),
                "--directory",
                daemon_root / "c",
                "--json",
                figures,
            ),
            *("--work", "4", "--alive", "3", "--idle", "1", "--jobs", "1"),
        ],
        capture_output=True,
        text=True,
        timeout=500,
    )

    assert ran.returncode == 0, ran.stdout + ran.stderr
    rows = {row["phase"]: row["told"] for row in json.loads(figures.read_text())}
    assert rows["before"]["acknowledged"] == [30]
    assert rows["kill"]["moved"] > 0
    for name in ("in the middle", "at once", "while they move"):
        found = rows["kill"][name]
        assert (found["acknowledged"], found["kept"], found["ran"]) == (30, 30, 30)
