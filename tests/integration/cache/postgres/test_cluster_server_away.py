"""Masters of a cluster whose database server is down: what they refuse, and what resumes afterwards."""

import os
import pathlib
import tempfile

import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.servers import running_postgres
from tests.support.waiting import until


@pytest.fixture
def directory():
    with tempfile.TemporaryDirectory(prefix="sg-") as path:
        os.chmod(path, 0o755)
        yield pathlib.Path(path) / "postgres"


def test_jobs_are_refused_while_the_server_is_away_and_go_on_after_it(
    directory, start_masters, start_minion, salt, reach, tmp_path
):
    gate, ran = tmp_path / "gate", tmp_path / "ran"
    with running_postgres(directory) as port:
        url = f"postgresql://salt@127.0.0.1:{port}/postgres"
        a, b = start_masters("a", "b", store=url)
        start_minion(a, "m1")
        reach([b], "m1")
        job = f"until [ -e {gate} ]; do sleep 0.1; done; echo once >> {ran}"
        jid = salt(b, "--async", "m1", "cmd.run", job, as_json=False).out.rsplit(" ", 1)[-1].strip()
        until(lambda: "cmd.run" in salt(b, "m1", "saltutil.running").out, "the running job")

    gate.touch()
    until(ran.exists, "the end of the job")
    until(lambda: "no job is accepted until it answers" in str(salt(b, "m1", "test.ping")), "a refusal")

    with running_postgres(directory, port):
        until(lambda: salt(b, "m1", "test.ping").minions == {"m1": True}, "an answer")
        lookup = [PROGRAM, "run", "-c", str(b.config_dir), "--out=json", "jobs.lookup_jid", jid]
        until(lambda: "m1" in outcome_of(lookup).out, "the return that was kept")
        for master in (a, b):
            master.stop()
    assert ran.read_text() == "once\n"
