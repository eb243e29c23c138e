"""Failover in a cluster: stopped masters, moving minions, an unreachable database; nothing runs twice."""

import psycopg
import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.waiting import until

pytestmark = pytest.mark.long

#: Settings of a minion that moves soon.
MOVING = {"master_type": "failover", "master_alive_interval": 1, "auth_timeout": 5, "auth_tries": 1}


def rows(url, sql):
    with psycopg.connect(url) as server:
        return server.execute(sql).fetchall()


def status(master):
    return outcome_of([PROGRAM, "cluster", "-c", str(master.config_dir), "status"])


def test_a_minion_of_a_killed_master_answers_a_job_published_meanwhile_once(
    start_masters, start_minion, salt, reach, postgres_url, tmp_path
):
    a, b = start_masters("a", "b")
    ran = tmp_path / "ran"
    start_minion([a, b], "m1", **MOVING)
    reach([b], "m1")
    until(lambda: rows(postgres_url, "SELECT 1 FROM salt_g.connected WHERE master = 'a'"), "its presence")

    a.kill()
    outcome = salt(b, "--timeout=60", "m1", "cmd.run", f"echo once >> {ran}; echo done")

    assert outcome.minions == {"m1": "done"}, (outcome, b.log())
    assert ran.read_text() == "once\n"
    assert salt(b, "m1", "test.ping").minions == {"m1": True}
    assert ran.read_text() == "once\n"
    result = status(b)
    assert "away" in result.out
    assert result.code == 1


def test_a_minion_of_all_masters_at_once_runs_a_job_once(start_masters, start_minion, salt, reach, tmp_path):
    a, b = start_masters("a", "b")
    ran = tmp_path / "ran"
    start_minion(id="m1", master=[a, b])

    reach([a, b], "m1")
    assert salt(a, "m1", "cmd.run", f"echo once >> {ran}").minions == {"m1": ""}
    assert salt(b, "m1", "test.ping").minions == {"m1": True}

    assert ran.read_text() == "once\n"


def test_a_killed_master_that_returns_misleads_no_minion(start_masters, start_minion, reach):
    a, b = start_masters("a", "b")
    start_minion(a, "m1")
    start_minion(b, "m2")
    reach([a], "m1", "m2")

    a.kill()
    a.start()

    reach([b, a], "m1", "m2")


def test_an_engine_runs_at_the_leader_and_follows_the_lead(start_masters, postgres_url):
    a, b = start_masters("a", "b", engines=[{"test": None}])
    begun = "starting engine test"
    until(lambda: begun in a.log() + b.log(), "the engine")
    leader, other = (a, b) if begun in a.log() else (b, a)
    assert rows(postgres_url, "SELECT holder FROM salt_g.leases") == [(leader.settings["id"],)]
    assert begun not in other.log()

    leader.kill()

    until(lambda: begun in other.log(), "the engine at the next leader")
    assert "this master leads the cluster" in other.log()


@pytest.mark.parametrize(
    ("loss", "ending"),
    [
        ("UPDATE salt_g.masters SET beat = beat - 100 WHERE id = 'a'", 1),
        ("DELETE FROM salt_g.publications; UPDATE salt_g.counter SET serial = 0", 2),
    ],
    ids=["beats", "publications"],
)
def test_a_master_starts_anew_when_the_server_has_lost_what_it_confirmed(
    start_masters, start_minion, reach, postgres_url, loss, ending
):
    a, b = start_masters("a", "b")
    start_minion(a, "m1")
    reach([a, b], "m1")
    before = rows(postgres_url, "SELECT generation FROM salt_g.counter")[0][0]

    with psycopg.connect(postgres_url) as server:
        server.execute(loss)
    ended = [a, b][:ending]
    until(lambda: not any(master.is_running() for master in ended), "the end of those that noticed")

    for master in ended:
        assert "has lost commits that it had confirmed" in master.log()
        master.stop(code=1)
        master.start()
    assert rows(postgres_url, "SELECT generation FROM salt_g.counter")[0][0] > before
    reach([a, b], "m1")


def test_minions_leave_a_master_that_is_cut_off_from_the_server(
    start_masters, start_minion, salt, reach, postgres_url
):
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute("DROP ROLE IF EXISTS one")
        server.execute("CREATE ROLE one LOGIN SUPERUSER")
        (a,) = start_masters("a", store=postgres_url.replace("salt@", "one@"))
        (b,) = start_masters("b")
        start_minion([a, b], "m1", **MOVING)
        reach([b], "m1")

        server.execute("ALTER ROLE one NOLOGIN")
        server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'one'")
        until(lambda: "minions are sent to other masters" in a.log(), "its decision")
        until(lambda: salt(b, "m1", "test.ping").minions == {"m1": True}, "an answer by the other master")
        server.execute("ALTER ROLE one LOGIN")
        until(lambda: "the database answers again" in a.log(), "its return")
        reach([a], "m1")


def test_a_minion_that_does_not_notice_the_restart_of_its_master_gets_what_it_missed(
    start_masters, start_minion, salt, reach, postgres_url, tmp_path
):
    a, b = start_masters("a", "b")
    ran = tmp_path / "ran"
    start_minion([a, b], "m1", **{**MOVING, "master_alive_interval": 60})
    reach([b], "m1")
    until(lambda: rows(postgres_url, "SELECT 1 FROM salt_g.connected WHERE master = 'a'"), "its presence")

    a.kill()
    salt(b, "--async", "m1", "cmd.run", f"echo once >> {ran}", as_json=False)
    a.start()

    until(ran.exists, "the job")
    assert salt(b, "m1", "test.ping").minions == {"m1": True}
    assert ran.read_text() == "once\n"


def test_a_minion_that_leaves_a_master_which_runs_gets_what_it_missed_at_the_next_one(
    start_masters, start_minion, salt, reach, postgres_url, tmp_path
):
    a, b = start_masters("a", "b")
    ran = tmp_path / "ran"
    minion = start_minion([a, b], "m1", **MOVING)
    reach([b], "m1")
    until(lambda: rows(postgres_url, "SELECT 1 FROM salt_g.connected WHERE master = 'a'"), "its presence")

    # Its connections are gone for as long as it takes a master to notice.
    minion.kill()
    until(lambda: not rows(postgres_url, "SELECT 1 FROM salt_g.connected WHERE master = 'a'"), "its absence")
    salt(b, "--async", "m1", "cmd.run", f"echo once >> {ran}", as_json=False)
    minion.settings["master"] = minion.settings["master"][1:]
    minion.start()

    until(ran.exists, "the job")
    assert salt(b, "m1", "test.ping").minions == {"m1": True}
    assert ran.read_text() == "once\n"
