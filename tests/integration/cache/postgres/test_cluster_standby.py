"""Takeover by a standby of the database: masters find it, and nothing that was confirmed is lost."""

import os
import pathlib
import signal
import tempfile

import psycopg
import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.free_ports import free_port
from tests.support.servers import make_standby, running_postgres
from tests.support.waiting import until


@pytest.fixture
def directory():
    with tempfile.TemporaryDirectory(prefix="sg-") as path:
        os.chmod(path, 0o755)
        yield pathlib.Path(path)


def address(port):
    return f"postgresql://salt@127.0.0.1:{port}/postgres"


def ask(port, sql):
    with psycopg.connect(address(port), autocommit=True) as server:
        return server.execute(sql).fetchone()[0]


def test_masters_go_on_with_a_standby_that_confirmed_all_commits(
    directory, start_masters, start_minion, salt, reach, tmp_path
):
    ran, first, second = tmp_path / "ran", directory / "one", free_port()
    with running_postgres(first, settings=["synchronous_standby_names=*"]) as port:
        make_standby(directory / "two", port)
        with running_postgres(directory / "two", second):
            until(lambda: ask(port, "SELECT count(*) FROM pg_stat_replication"), "the standby")
            place = f"127.0.0.1:{port},127.0.0.1:{second}/postgres?target_session_attrs=read-write"
            a, b = start_masters("a", "b", store=f"postgresql://salt@{place}")
            start_minion([a, b], "m1", master_type="failover", master_alive_interval=1)
            reach([a, b], "m1")
            taken = [salt(a, "m1", "cmd.run", f"echo {number} >> {ran}") for number in range(3)]
            assert all(one.minions == {"m1": ""} for one in taken)
            jobs = ask(port, "SELECT count(*) FROM salt_g.jobs")

            os.kill(int((first / "data" / "postmaster.pid").read_text().split()[0]), signal.SIGQUIT)
            until(
                lambda: "no job is accepted until it answers" in str(salt(b, "m1", "test.ping")), "a refusal"
            )
            assert ask(second, "SELECT pg_promote()")

            for master in (a, b):
                until(lambda m=master: salt(m, "m1", "test.ping").minions == {"m1": True}, "an answer")
            assert ask(second, "SELECT count(*) FROM salt_g.jobs") > jobs
            assert "has lost commits" not in a.log() + b.log()
            assert ran.read_text() == "0\n1\n2\n"
            result = outcome_of([PROGRAM, "cluster", "-c", str(b.config_dir), "status"])
            assert result.code == 0, result
            for master in (a, b):
                master.stop()
