"""`cache: redis` on running masters: stock's layout, a second master, a server that starts late."""

import json

import msgpack
import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.free_ports import free_port
from tests.support.servers import running_redis
from tests.support.waiting import until


@pytest.fixture
def redis_server(tmp_path):
    """Yield the port of a Redis server, and a client for it."""
    redis = pytest.importorskip("redis")
    with running_redis(tmp_path) as port, redis.Redis(port=port) as client:
        yield port, client


def settings(port):
    return {"cache": "redis", "cache.redis.host": "127.0.0.1", "cache.redis.port": port}


def runner(master, *words):
    return json.loads(outcome_of([PROGRAM, "run", "-c", str(master.config_dir), "--out=json", *words]).out)


def values(client, bank):
    return {key.decode(): msgpack.unpackb(value) for key, value in client.hgetall(f"$KEYS_{bank}/").items()}


def test_data_of_minions_is_in_stocks_places_and_known_to_a_second_master(
    redis_server, start_master, start_minion, salt
):
    port, client = redis_server
    one = start_master(**settings(port))
    two = start_master(**settings(port))
    (one.root / "pillar" / "top.sls").write_text("base: {'*': [web]}")
    (one.root / "pillar" / "web.sls").write_text("role: web")
    minion = start_minion(one, "m1", grains={"shelf": "left"})
    salt(one, "m1", "mine.send", "test.echo", "x")

    until(lambda: "test.echo" in values(client, "mine").get("m1", {}), "the mine is in Redis")
    assert values(client, "grains")["m1"]["shelf"] == "left"
    assert values(client, "pillar")["m1"]["role"] == "web"

    (two.pki_dir / "minions" / "m1").write_bytes((one.pki_dir / "minions" / "m1").read_bytes())
    until(lambda: "m1" in runner(two, "cache.grains", "shelf:left", "tgt_type=grain"), "grains there")
    until(lambda: runner(two, "cache.mine", "m1") == runner(one, "cache.mine", "m1"), "the mine there")

    minion.stop()
    outcome_of([PROGRAM, "key", "-c", str(one.config_dir), "-y", "-d", "m1"])
    until(lambda: not any(values(client, bank) for bank in ("grains", "pillar", "mine")), "removed in Redis")
    until(lambda: runner(two, "cache.grains", "m1") == {}, "removed at the second")


def test_a_server_that_comes_late_delays_nothing(tmp_path, start_master, start_minion, salt):
    redis, port = pytest.importorskip("redis"), free_port()
    master = start_master(**settings(port))
    start_minion(master, "m1", grains={"shelf": "left"})

    assert salt(master, "-G", "shelf:left", "test.ping").minions == {"m1": True}
    until(lambda: f"cache redis: contains: redis at 127.0.0.1 port {port}: " in master.log(), "it is named")

    with running_redis(tmp_path, port), redis.Redis(port=port) as client:
        until(lambda: values(client, "grains"), "the grains are copied")
        until(lambda: "cache redis: the server is available again" in master.log(), "it is said")


def test_a_missing_driver_is_named_and_the_master_serves(start_master, start_minion, salt):
    master = start_master(cache="of_nobody")
    start_minion(master, "m1")

    assert salt(master, "m1", "test.ping").minions == {"m1": True}
    until(lambda: "there is no driver with the function of_nobody." in master.log(), "it is named")


def test_jobs_are_in_the_cache_as_well(redis_server, start_master, start_minion, salt):
    port, client = redis_server
    master = start_master(**settings(port), master_job_cache="salt_cache")
    start_minion(master, "m1")

    salt(master, "m1", "test.echo", "kept")

    def kept():
        jobs = {jid: load["fun"] for jid, load in values(client, "jobs/loads").items()}
        return [values(client, f"jobs/returns/{jid}") for jid, fun in jobs.items() if fun == "test.echo"]

    until(lambda: any(kept()), "the return is in Redis")
    (found,) = kept()
    assert found["m1"]["return"] == "kept"
