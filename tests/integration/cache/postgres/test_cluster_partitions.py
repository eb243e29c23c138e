"""Masters cut off from the database in one or both directions, and a database that is frozen."""

import contextlib
import os
import pathlib
import signal
import tempfile

import pytest

from salt_g.cache.postgres.connection import READ, connect
from tests.support.commands import PROGRAM, outcome_of
from tests.support.namespaces import namespace
from tests.support.servers import running_postgres
from tests.support.waiting import until

pytestmark = pytest.mark.long

REFUSED = "no job is accepted until it answers"
MOVING = {"master_type": "failover", "master_alive_interval": 1, "auth_timeout": 5, "auth_tries": 1}


@pytest.fixture
def directory():
    with tempfile.TemporaryDirectory(prefix="sg-") as path:
        os.chmod(path, 0o755)
        yield pathlib.Path(path)


@pytest.fixture
def net():
    with namespace() as made:
        yield made


def start_job(salt, master, id, gate, ran):
    """Publish a job that runs until a file exists; return its jid once it runs."""
    job = f"echo begun >> {ran}; until [ -e {gate} ]; do sleep 0.1; done; echo ended >> {ran}"
    words = ("--async", id, "cmd.run", job)
    jid = salt(master, *words, as_json=False).out.rsplit(" ", 1)[-1].strip()
    until(ran.exists, "the running job")
    return jid


def returned(master, jid):
    lookup = [PROGRAM, "run", "-c", str(master.config_dir), "--out=json", "jobs.lookup_jid", jid]
    return outcome_of(lookup).out


@pytest.mark.parametrize("direction", ["to", "from", "both"])
def test_a_master_that_is_cut_off_refuses_and_the_others_go_on(
    direction, directory, net, start_masters, start_minion, salt, reach
):
    gate, ran = directory / "gate", directory / "ran"
    with running_postgres(directory / "postgres", networks=[net.network]) as port:
        (a,) = start_masters("a", store=f"postgresql://salt@127.0.0.1:{port}/postgres")
        far = {"interface": net.inner, "program": net.program(directory)}
        (b,) = start_masters("b", store=f"postgresql://salt@{net.outer}:{port}/postgres", **far)
        both = [f"{net.inner}:{b.ret_port}", f"127.0.0.1:{a.ret_port}"]
        start_minion(both, "m1", **MOVING)
        start_minion(both[::-1], "m2", **MOVING)
        reach([a, b], "m1", "m2")
        jid = start_job(salt, b, "m1", gate, ran)

        net.cut(direction, port)
        until(lambda: REFUSED in str(salt(b, "m1", "test.ping")), "a refusal of the one that is cut off")
        assert salt(a, "m2", "test.ping").minions == {"m2": True}
        deleted = outcome_of([PROGRAM, "key", "-c", str(a.config_dir), "-y", "-d", "m2"])
        assert deleted.code == 0, deleted
        gate.touch()
        until(lambda: "ended" in ran.read_text(), "the end of the job")
        net.heal()

        until(lambda: salt(b, "m1", "test.ping").minions == {"m1": True}, "an answer after it")
        until(lambda: "m1" in returned(a, jid), "the return that was kept")
        assert ran.read_text() == "begun\nended\n"
        for master in (a, b):
            master.stop()


def test_a_server_notices_within_half_a_minute_that_a_master_vanished(postgres_url):
    connection = connect(postgres_url, limit=READ, of_thread=True)

    names = ("idle", "interval", "count")
    found = [int(connection.execute(f"SHOW tcp_keepalives_{name}").fetchone()[0]) for name in names]
    connection.close()

    assert found[0] + found[1] * found[2] <= 30, found


@contextlib.contextmanager
def standing_still(root):
    """Stop all processes of a server for the duration of the block."""
    first = int((root / "data" / "postmaster.pid").read_text().split()[0])
    stats = {path.parent.name: path.read_text() for path in pathlib.Path("/proc").glob("[0-9]*/stat")}
    own = [int(pid) for pid, stat in stats.items() if stat.rpartition(")")[2].split()[1] == str(first)]
    for pid in (first, *own):
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in (*own, first):
            os.kill(pid, signal.SIGCONT)


def test_a_database_that_stands_still_costs_no_job_and_no_return(
    directory, start_masters, start_minion, salt, reach
):
    gate, ran, root = directory / "gate", directory / "ran", directory / "postgres"
    with running_postgres(root) as port:
        a, b = start_masters("a", "b", store=f"postgresql://salt@127.0.0.1:{port}/postgres")
        start_minion([a, b], "m1", **MOVING)
        reach([a, b], "m1")
        jid = start_job(salt, b, "m1", gate, ran)

        with standing_still(root):
            # A job that is on its way when the database stops is refused like the later ones.
            for master in (a, b):
                assert REFUSED in str(salt(master, "m1", "test.ping"))
            gate.touch()
            until(lambda: "ended" in ran.read_text(), "the end of the job")

        until(lambda: salt(b, "m1", "test.ping").minions == {"m1": True}, "an answer after it")
        until(lambda: "m1" in returned(a, jid), "the return that was kept")
        assert ran.read_text() == "begun\nended\n"
        assert "session ended" not in a.log() + b.log()
        for master in (a, b):
            master.stop()
