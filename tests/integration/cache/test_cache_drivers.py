"""Drivers of external caches, each with a real server of its own."""

import pytest

from salt_g.cache_drivers import etcd_cache, mysql_cache, redis_cache
from salt_g.stock_errors import SaltCacheError
from salt_g.wire.packing import MessageLimits
from tests.support.free_ports import free_port
from tests.support.servers import running_etcd, running_mariadb, running_redis


@pytest.fixture(scope="module")
def redis_settings(tmp_path_factory):
    pytest.importorskip("redis")
    with running_redis(tmp_path_factory.mktemp("redis")) as port:
        yield {"cache.redis.host": "127.0.0.1", "cache.redis.port": port}


@pytest.fixture(scope="module")
def mysql_settings(open_directory):
    pymysql = pytest.importorskip("pymysql")
    root = open_directory / "mysql"
    root.mkdir(mode=0o755)
    with running_mariadb(root) as port:
        with pymysql.connect(unix_socket=f"{root}/sock", user="root") as server, server.cursor() as cursor:
            cursor.execute("CREATE DATABASE salt_cache")
            cursor.execute("CREATE USER salt@'127.0.0.1' IDENTIFIED BY 'secret'")
            cursor.execute("GRANT ALL ON salt_cache.* TO salt@'127.0.0.1'")
        yield {"mysql.port": port, "mysql.user": "salt", "mysql.password": "secret"}


@pytest.fixture(scope="module")
def etcd_settings(tmp_path_factory):
    """Yield settings for a server with both API versions."""
    with running_etcd(tmp_path_factory.mktemp("etcd"), 0, "--enable-v2=true") as port:
        yield {"etcd.port": port}


@pytest.fixture(scope="module")
def etcd_v3_settings(etcd_settings):
    return {**etcd_settings, "etcd.require_v2": False}


@pytest.fixture(params=["redis", "mysql", "etcd", "etcd_v3"])
def driver(request, call_context):
    """Return a driver with an empty server, within a call."""
    drivers = {"redis": redis_cache, "mysql": mysql_cache, "etcd": etcd_cache, "etcd_v3": etcd_cache}
    driver = drivers[request.param]
    call_context(opts=request.getfixturevalue(f"{request.param}_settings"))
    for bank in ("grains", "mine", "a/b"):
        driver.flush(bank)
    return driver


def test_values_come_back(driver):
    value = {"os": "A", "ü": [1, None, b"\xff", {"deep": 1.5}]}
    driver.store("grains", "m1", {})
    driver.store("grains", "m1", value)
    driver.store("grains", "m2", {})
    driver.store("a/b", "m3", "text")

    assert driver.fetch("grains", "m1") == value
    assert driver.fetch("grains", "none") == {}
    assert driver.fetch("a/b", "m3") == "text"
    assert driver.list_("grains") == ["m1", "m2"]
    assert driver.list_("mine") == []
    assert driver.contains("grains") and driver.contains("grains", "m1")
    assert not driver.contains("mine") and not driver.contains("grains", "none")
    assert driver.updated("grains", "none") is None
    assert driver.stamps("grains") == {id: driver.updated("grains", id) for id in ("m1", "m2")}
    assert driver.stamps("mine") == {}


def test_values_and_banks_are_removed(driver):
    for bank, key in (("grains", "m1"), ("grains", "m2"), ("mine", "m1")):
        driver.store(bank, key, {})

    driver.flush("grains", "m1")
    assert driver.list_("grains") == ["m2"]
    driver.flush("grains", "m2")
    driver.flush("grains", "m2")
    assert not driver.contains("grains")
    assert driver.stamps("grains") == {}
    driver.flush("mine")
    assert driver.list_("mine") == []


def test_redis_lists_banks_in_banks(redis_settings, call_context):
    call_context(opts=redis_settings)
    redis_cache.store("x/y/z", "k", 1)
    redis_cache.store("x", "key", 1)

    assert redis_cache.list_("x/y") == ["z"]
    assert redis_cache.list_("x") == ["key", "y"]
    redis_cache.flush("x")
    assert redis_cache.list_("x") == redis_cache.list_("x/y/z") == []


def test_mysql_follows_a_connection_that_broke(mysql_settings, call_context):
    call_context(opts=mysql_settings)
    connection = mysql_cache._connect()
    mysql_cache.scratch["cache.mysql.connection"] = connection
    connection.close()

    with pytest.raises(SaltCacheError, match="^mysql at 127.0.0.1 port "):
        mysql_cache.list_("a bank of its own")
    assert mysql_cache.list_("a bank of its own") == []


@pytest.mark.parametrize("name", ["redis", "mysql", "etcd"])
def test_a_missing_server_is_named(name, call_context):
    port = free_port()
    ports = {f"{prefix}.port": port for prefix in ("cache.redis", "mysql", "etcd")}
    call_context(opts={**ports, "cache.redis.host": "127.0.0.1"})

    with pytest.raises(SaltCacheError, match=f"^{name} at 127.0.0.1 port {port}: "):
        {"redis": redis_cache, "mysql": mysql_cache, "etcd": etcd_cache}[name].fetch("grains", "m1")


def test_etcd_finds_the_interface_of_a_server_and_its_kept_connections_may_end(tmp_path, call_context):
    port = free_port()
    call_context(opts={"etcd.port": port})
    for value in (1, 2):
        with running_etcd(tmp_path, port):
            assert etcd_cache.fetch("grains", "m1") == {} or value == 2
            etcd_cache.store("grains", "m1", value)
            assert etcd_cache.fetch("grains", "m1") == value


def test_etcd_has_stocks_layout_and_skips_or_names_what_others_left(etcd_settings, call_context):
    call_context(opts=etcd_settings)
    etcd_cache.store("odd", "good", {"os": "A"})
    nodes = etcd_cache._interface()
    for name, value in (("bad", "!!!"), ("bad.tstamp", "late"), ("old", "gA==")):
        nodes._ask("PUT", nodes._target("odd", name), f"value={value}")

    # As stock 3008.3 wrote them.
    assert nodes._node("odd", "good")["value"] == "gaJvc6FB"
    assert nodes._node("odd", "good.tstamp")["value"] == str(etcd_cache.updated("odd", "good"))
    assert list(etcd_cache.stamps("odd")) == ["good"]
    assert etcd_cache.fetch("odd", "old") == {}
    assert etcd_cache.updated("odd", "bad") is None
    with pytest.raises(SaltCacheError, match="/salt_cache/odd/bad is not Base64"):
        etcd_cache.fetch("odd", "bad")


@pytest.mark.parametrize("name", ["etcd", "etcd_v3"])
def test_etcd_lists_banks_in_banks_and_many_keys(name, request, call_context, monkeypatch):
    monkeypatch.setattr("salt_g.cache_drivers._etcd_v3._PAGE", 2)
    call_context(opts=request.getfixturevalue(f"{name}_settings"))
    etcd_cache.store("x/y/z", "k", 1)
    for number in range(5):
        etcd_cache.store("x", f"key{number}", number)

    assert etcd_cache.list_("x/y") == ["z"]
    assert etcd_cache.list_("x") == ["key0", "key1", "key2", "key3", "key4", "y"]
    assert sorted(etcd_cache.stamps("x")) == ["key0", "key1", "key2", "key3", "key4"]
    etcd_cache.flush("x")
    assert etcd_cache.list_("x") == etcd_cache.list_("x/y/z") == []


def test_settings_that_cannot_work_are_named(call_context):
    call_context(
        opts={
            "cache.redis.cluster_mode": True,
            "mysql.table_name": "a; DROP",
            "etcd.srv_domain": "example.org",
        }
    )

    with pytest.raises(SaltCacheError, match="cluster_mode` is not supported"):
        redis_cache.list_("grains")
    with pytest.raises(SaltCacheError, match="'a; DROP' is not a valid table name"):
        mysql_cache.list_("grains")
    with pytest.raises(SaltCacheError, match="srv_domain` is not supported"):
        etcd_cache.list_("grains")


def test_foreign_redis_keys_are_skipped_or_named(redis_settings, call_context):
    redis = pytest.importorskip("redis")
    call_context(opts=redis_settings)
    redis_cache.flush("odd")
    redis_cache.store("odd", "good", {"os": "A"})
    with redis.Redis(port=redis_settings["cache.redis.port"]) as server:
        server.hset("$TSTAMP_odd/", mapping={"bad": b"\xc1", b"\xff": b"text", "map": b"\x80"})
        server.hset("$KEYS_odd/", mapping={"bad": b"\xc1", b"\xff": b"", "large": bytes((64 << 20) + 1)})

    assert redis_cache.stamps("odd") == {"good": redis_cache.updated("odd", "good")}
    assert redis_cache.updated("odd", "bad") is None
    assert "good" in redis_cache.list_("odd")
    with pytest.raises(SaltCacheError, match="bad of odd is not MessagePack"):
        redis_cache.fetch("odd", "bad")
    with pytest.raises(SaltCacheError, match="large of odd has 67108865 bytes; the limit is 67108864"):
        redis_cache.fetch("odd", "large")


def test_foreign_mysql_rows_are_skipped_or_named(mysql_settings, call_context, monkeypatch):
    call_context(opts={**mysql_settings, "mysql.table_name": "odd"})
    mysql_cache.store("odd", "good", {"os": "A"})
    mysql_cache._run("ALTER TABLE {table} MODIFY last_update TIMESTAMP NULL, MODIFY data LONGBLOB")
    row = "INSERT INTO {table} (bank, etcd_key, data, last_update) VALUES ('odd', %s, %s, NULL)"
    mysql_cache._run(row, "bad", b"\xc1")
    mysql_cache._run(row, "none", None)
    mysql_cache._run(row, "large", bytes(101))
    monkeypatch.setattr(mysql_cache, "AFTER_SIGN_IN", MessageLimits(size=100, depth=16, entries=4))

    assert list(mysql_cache.stamps("odd")) == ["good"]
    assert mysql_cache.updated("odd", "bad") is None
    with pytest.raises(SaltCacheError, match="bad of odd is not MessagePack"):
        mysql_cache.fetch("odd", "bad")
    with pytest.raises(SaltCacheError, match="none of odd has no bytes"):
        mysql_cache.fetch("odd", "none")
    with pytest.raises(SaltCacheError, match="large of odd has 101 bytes; the limit is 100"):
        mysql_cache.fetch("odd", "large")
    mysql_cache.store("odd", "fifth", 1)
    with pytest.raises(SaltCacheError, match="odd has more than 4 keys"):
        mysql_cache.stamps("odd")
