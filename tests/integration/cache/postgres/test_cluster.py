"""Several masters on one PostgreSQL server: each reaches every minion, and none is indispensable."""

import json

import psycopg
import pytest
import yaml

from salt_g.auth.tokens import Tokens
from salt_g.client import LocalClient
from salt_g.errors import AuthenticationError
from tests.support.commands import PROGRAM, outcome_of
from tests.support.daemons import RunningMaster
from tests.support.waiting import until


def command(master, name, *words):
    return outcome_of([PROGRAM, name, "-c", str(master.config_dir), *words])


def rows(url, sql):
    with psycopg.connect(url) as server:
        return server.execute(sql).fetchall()


def test_each_master_reaches_all_minions_and_sees_their_returns(start_masters, start_minion, reach):
    a, b = start_masters("a", "b")
    start_minion(a, "m1")
    start_minion(b, "m2")

    reach([a, b], "m1", "m2")


def test_a_key_deleted_at_one_master_is_cut_off_at_all(start_masters, start_minion, salt):
    a, b = start_masters("a", "b", auto_accept=False)
    minion = start_minion(b, "m1")
    until(lambda: "m1" in command(a, "key", "-L").out, "the pending key at the other master")
    accepted = command(a, "key", "-y", "-a", "m1")
    assert accepted.code == 0, (accepted, command(a, "key", "-L"), a.log(), b.log())
    until(lambda: salt(a, "*", "test.ping").minions == {"m1": True}, "an answer")

    deleted = command(a, "key", "-y", "-d", "m1")

    assert deleted.code == 0, deleted.err
    assert "m1: session ended" in b.log()
    assert salt(b, "*", "test.ping").minions == {}
    assert minion.is_running()


def test_data_of_a_minion_is_known_to_all_masters(start_masters, start_minion, salt, reach):
    a, b = start_masters("a", "b")
    start_minion(a, "m1", grains={"role": "web"}, mine_functions={"test.echo": ["mined"]})
    start_minion(b, "m2", grains={"role": "db"})
    reach([a, b], "m1", "m2")
    assert list(salt(b, "-G", "role:web", "test.ping").minions) == ["m1"]
    salt(b, "m1", "mine.update")

    mined = {"m2": {"m1": "mined"}}
    until(lambda: salt(a, "m2", "mine.get", "m1", "test.echo").minions == mined, "the mine")
    assert salt(b, "m1", "grains.setval", "team", "mail").minions["m1"] == {"team": "mail"}
    until(lambda: list(salt(b, "-G", "team:mail", "test.ping").minions) == ["m1"], "the new grain")
    assert sorted(command(b, "run", "manage.up").out.split()) == ["-", "-", "m1", "m2"]


def test_a_job_of_one_master_is_in_the_job_cache_of_the_other(start_masters, start_minion, salt, reach):
    a, b = start_masters("a", "b")
    start_minion(b, "m1")
    reach([a], "m1")
    salt(a, "*", "test.echo", "kept")

    assert "kept" in command(b, "run", "jobs.list_jobs").out
    result = command(b, "cluster", "status", "--out=json")
    assert result.code == 0, result.err
    shown = json.loads(result.out)["masters"]
    assert sorted(shown) == ["a", "b"]
    assert all(one["live"] for one in shown.values())
    assert sum(one["leader"] for one in shown.values()) == 1
    advised = " ".join(command(a, "doctor", "--role", "master").out.split())
    assert "2 masters live: a, b" in advised
    assert "none that confirms commits" in advised
    seen = json.loads(command(a, "top", "--all", "--out=json").out)
    assert seen["silent"] == []
    assert {id: one["live"] for id, one in seen["masters"].items()} == {"a": True, "b": True}
    assert "AWAY since" not in command(a, "top", "--all", "--once").out
    metrics = json.loads(command(b, "run", "status.metrics", "--out=json").out)
    assert metrics["salt_g_cluster_masters"] == {"live": 2, "away": 0}
    assert metrics["salt_g_cluster_relay_seconds"]["count"] > 0


def test_a_master_with_another_key_is_refused(start_masters, daemon_root, postgres_url):
    start_masters("a")

    with pytest.raises(AssertionError, match=r"another key pair .* copy pki/master/master.pem"):
        RunningMaster(daemon_root / "b", id="b", store=postgres_url, cluster=True).start()


def test_a_master_alone_and_a_cluster_refuse_each_other(start_masters, daemon_root, postgres_url):
    start_masters("a")

    with pytest.raises(AssertionError, match="cluster: true in the files of all"):
        RunningMaster(daemon_root / "b", store=postgres_url).start()


def test_keys_and_logins_come_into_a_cluster_and_back_into_files(start_masters, start_minion, daemon_root):
    files = Tokens(str(daemon_root / "a" / "cache" / "tokens"))
    token = files.make(3600, {"name": "fred", "eauth": "auto"})
    (a,) = start_masters("a")
    start_minion(a, "m1").stop()
    assert files.contents() == {}
    a.stop()

    a.settings["cluster"] = False
    with pytest.raises(AssertionError, match="has the keys of a cluster"):
        a.start()
    a.stop(code=1)
    a.settings["cluster"] = True
    (a.config_dir / "master").write_text(yaml.safe_dump(a.settings))
    moved = command(a, "store", "migrate", "--to", "embedded")

    assert moved.code == 0, moved.err
    assert "1 keys of the cluster" in moved.out
    assert (a.pki_dir / "minions" / "m1").exists()
    assert files.get(token["token"]) == token

    again = command(a, "store", "migrate", "--to", "embedded", "--replace", "--out=json")
    assert "jobs" in json.loads(again.out)
    assert "1 keys of the cluster" in again.err


def test_an_invitation_of_one_master_lets_a_minion_in_at_the_other(start_masters, start_minion, salt):
    a, b = start_masters("a", "b", auto_accept=False)
    made = command(a, "key", "invite", "--id=m1", "--address=127.0.0.1", "--out=json")
    assert made.code == 0, made.err

    assert "for m1, 1 of 1 left" in command(b, "key", "invite", "--list").out


def test_a_login_at_one_master_counts_at_all_until_it_is_revoked(start_masters, start_minion, reach):
    a, b = start_masters("a", "b", external_auth={"auto": {"fred": ["test.*"]}})
    start_minion(a, "m1")
    reach([b], "m1")
    login = ("auth.mk_token", "eauth=auto", "username=fred", "password=any", "--out=json")
    token = json.loads(command(a, "run", *login).out)["token"]

    assert answer_by_token(b, token) == {"m1": True}
    assert json.loads(command(b, "run", "auth.del_token", token, "--out=json").out) is True
    with pytest.raises(AuthenticationError):
        answer_by_token(a, token)


def answer_by_token(master, token):
    """Return the reply to a job published with a user's token."""
    with LocalClient(c_path=str(master.config_dir / "master")) as local:
        return local.cmd("m1", "test.ping", token=token)
