"""Returners that need a server, each with a real server below a temporary directory."""

import os

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.returners import mysql, pgjsonb, postgres, postgres_local_cache, redis_return
from tests.support.free_ports import free_port
from tests.support.servers import DEADLINE, running_mariadb, running_postgres, running_redis

JID, LATER = "20260102030405678901", "20260102030405678902"
LOAD = {"fun": "test.echo", "arg": ["x"], "tgt": "*", "tgt_type": "glob", "user": "root", "jid": JID}


_MYSQL = {"host": "127.0.0.1", "user": "salt", "password": "salt", "database": "salt"}


def returned(id, jid=JID, value="x"):
    return {"id": id, "jid": jid, "fun": "test.echo", "return": value, "success": True, "retcode": 0}


@pytest.fixture
def redis_port(redis_server):
    """Return the port of an empty Redis server."""
    import redis

    redis.Redis(port=redis_server).flushall()
    return redis_server


@pytest.fixture(scope="module")
def redis_server(tmp_path_factory):
    """Yield the port of a Redis server."""
    pytest.importorskip("redis")
    with running_redis(tmp_path_factory.mktemp("redis")) as port:
        yield port


TABLES = """
CREATE TABLE jids (jid varchar(20) PRIMARY KEY, load text NOT NULL);
CREATE TABLE salt_returns (
    fun varchar(50) NOT NULL, jid varchar(255) NOT NULL, return text NOT NULL, full_ret text,
    id varchar(255) NOT NULL, success varchar(10) NOT NULL,
    alter_time TIMESTAMP WITH TIME ZONE DEFAULT now());
CREATE SEQUENCE seq_salt_events_id;
CREATE TABLE salt_events (
    id BIGINT NOT NULL UNIQUE DEFAULT nextval('seq_salt_events_id'), tag varchar(255) NOT NULL,
    data text NOT NULL, alter_time TIMESTAMP WITH TIME ZONE DEFAULT NOW(), master_id varchar(255) NOT NULL);
"""
#: The same with columns of jsonb, as the returner's page makes them.
JSONB_TABLES = pgjsonb.__doc__.partition("once:")[2]
LOCAL_CACHE_TABLES = postgres_local_cache.__doc__.partition("once:")[2]


@pytest.fixture
def postgres_port(postgres_server):
    """Return the port of a PostgreSQL server with the tables of each returner, empty."""
    import psycopg

    for name in ("salt", "jsonb", "local_cache"):
        with psycopg.connect(dbname=name, host="127.0.0.1", port=postgres_server, user="salt") as server:
            server.execute("TRUNCATE jids, salt_returns, salt_events")
    return postgres_server


@pytest.fixture(scope="module")
def postgres_server(open_directory):
    """Yield the port of a PostgreSQL server with a database for the tables of each returner."""
    psycopg = pytest.importorskip("psycopg")
    with running_postgres(open_directory / "postgres") as port:
        address = {"host": "127.0.0.1", "port": port, "user": "salt"}
        with psycopg.connect(dbname="postgres", autocommit=True, **address) as server:
            server.execute("CREATE DATABASE salt")
            server.execute("CREATE DATABASE jsonb")
            server.execute("CREATE DATABASE local_cache")
        for name, tables in (
            *(("salt", TABLES), ("jsonb", JSONB_TABLES), ("local_cache", LOCAL_CACHE_TABLES)),
        ):
            with psycopg.connect(dbname=name, **address) as server:
                server.execute(tables)
        yield port


@pytest.fixture
def mysql_port(mysql_server):
    """Return the port of a MariaDB server with stock's tables, empty, in the database `salt`."""
    import pymysql

    with pymysql.connect(port=mysql_server, **_MYSQL) as server, server.cursor() as cursor:
        for table in ("jids", "salt_returns", "salt_events"):
            cursor.execute(f"TRUNCATE {table}")
    return mysql_server


@pytest.fixture(scope="module")
def mysql_server(open_directory):
    """Yield the port of a MariaDB server with stock's tables in the database `salt`."""
    pymysql = pytest.importorskip("pymysql")
    if os.geteuid() != 0:
        pytest.skip("only root can start MariaDB as its user")
    root = open_directory / "mysql"
    root.mkdir(mode=0o755)
    with running_mariadb(root) as port:
        with pymysql.connect(unix_socket=f"{root}/sock", user="root") as server, server.cursor() as cursor:
            cursor.execute("CREATE DATABASE salt")
            cursor.execute("CREATE USER salt@'127.0.0.1' IDENTIFIED BY 'salt'")
            cursor.execute("GRANT ALL ON salt.* TO salt@'127.0.0.1'")
            cursor.execute("USE salt")
            tables = mysql.__doc__.partition("once:")[2].partition("The library")[0]
            for statement in filter(str.strip, tables.split(";")):
                cursor.execute(statement)
        yield port


@pytest.fixture(params=["redis", "postgres", "pgjsonb", "mysql"])
def kept(request, call_context):
    """Return a returner with its server, within a call."""
    server = {"redis": "redis_port", "mysql": "mysql_port"}.get(request.param, "postgres_port")
    port = request.getfixturevalue(server)
    options = {
        "mysql.host": "127.0.0.1",
        "mysql.port": port,
        "redis.host": "127.0.0.1",
        "redis.port": port,
        "returner.postgres": {"host": "127.0.0.1", "port": port},
        "returner.pgjsonb": {"host": "127.0.0.1", "port": port, "db": "jsonb", "sslmode": "None"},
        "id": "master",
    }
    call_context(opts=options)
    returners = {"redis": redis_return, "postgres": postgres, "pgjsonb": pgjsonb, "mysql": mysql}
    return returners[request.param]


def test_jobs_and_their_returns_come_back(kept):
    kept.save_load(JID, LOAD, ["m1", "m2"])
    kept.save_load(JID, LOAD)
    kept.returner(returned("m1"))
    kept.returner(returned("m2", value={"deep": [1, None]}))
    kept.save_load(LATER, {**LOAD, "jid": LATER})
    kept.returner(returned("m1", LATER, "y"))

    assert kept.get_load(JID) == LOAD
    assert kept.get_load("20990102030405678901") == {}
    assert kept.get_jid(JID)["m2"]["return"] == {"deep": [1, None]}
    assert {id: ret["return"] for id, ret in kept.get_fun("test.echo").items()} == {
        "m1": "y",
        "m2": {"deep": [1, None]},
    }
    assert kept.get_minions() == ["m1", "m2"]
    assert kept.get_jids()[JID] == {
        "Function": "test.echo",
        "Arguments": ["x"],
        "Target": "*",
        "Target-type": "glob",
        "User": "root",
        "StartTime": "2026, Jan 02 03:04:05.678901",
    }
    assert kept.prep_jid(passed_jid=JID) == JID


def test_postgres_keeps_events(postgres_port, call_context):
    import psycopg

    call_context(opts={"returner.postgres": {"host": "127.0.0.1", "port": postgres_port}, "id": "master"})

    postgres.event_return([{"tag": "a/b", "data": {"x": 1}}])

    with psycopg.connect(host="127.0.0.1", port=postgres_port, user="salt", dbname="salt") as server:
        assert server.execute("SELECT tag, data, master_id FROM salt_events").fetchall() == [
            ("a/b", '{"x": 1}', "master")
        ]


def test_redis_forgets_jobs_in_time(redis_port, call_context):
    import redis

    call_context(opts={"redis.host": "127.0.0.1", "redis.port": redis_port, "keep_jobs_seconds": 500})

    redis_return.save_load("20260102030405678999", LOAD)
    redis_return.returner(returned("m9", "20260102030405678999"))

    server = redis.Redis(port=redis_port)
    assert 0 < server.ttl("load:20260102030405678999") <= 500
    assert 0 < server.ttl("ret:20260102030405678999") <= 500


def test_a_master_keeps_its_jobs_in_redis_as_well(redis_port, start_master, start_minion):
    import redis

    from salt_g.client import LocalClient
    from salt_g.config import load

    address = {"redis.host": "127.0.0.1", "redis.port": redis_port}
    master = start_master(master_job_cache="redis", **address)
    start_minion(master)
    seen = []
    with redis.Redis(port=redis_port, socket_timeout=DEADLINE) as server, server.monitor() as monitor:
        with LocalClient(mopts=load("master", str(master.config_dir)).opts) as client:
            jid = client.cmd_async("m1", "test.echo", ["kept"])
        for command in monitor.listen():
            seen.append(command["command"])
            if f"HSET ret:{jid} m1" in seen[-1]:
                break

        assert "kept" in seen[-1]
        assert any(one.startswith(f"SET load:{jid} ") for one in seen)


@pytest.fixture
def jsonb(postgres_port, call_context):
    """Return the empty database of the returner `pgjsonb`, within a call of a master.

    Calling it runs SQL.
    """
    import psycopg

    address = {"host": "127.0.0.1", "port": postgres_port}

    def run(sql, *values, **settings):
        call_context(opts={"returner.pgjsonb": {**address, "db": "jsonb"}, "id": "master", **settings})
        with psycopg.connect(dbname="jsonb", user="salt", **address) as server:
            found = server.execute(sql, values)
            return found.fetchall() if found.description else []

    run("TRUNCATE jids, salt_returns, salt_events")
    return run


def test_jsonb_can_be_asked_for_what_is_inside(jsonb):
    odd = {"text": "a\0b", "kept": "\\u0000", "set": {1}}
    pgjsonb.returner(returned("m1", value=odd))
    pgjsonb.event_return([{"tag": "a/b", "data": {"x": {"y": 1}}}])

    sql = "SELECT return->>'text', return->>'kept', full_ret->>'retcode' FROM salt_returns WHERE return ? %s"
    assert jsonb(sql, "set") == [("a\ufffdb", "\\u0000", "0")]
    assert jsonb("SELECT tag, data->'x', master_id FROM salt_events") == [("a/b", {"y": 1}, "master")]


@pytest.mark.parametrize("is_archived", [False, True])
def test_jsonb_forgets_old_jobs(jsonb, is_archived):
    def ids(table, column):
        return [value for (value,) in jsonb(f"SELECT {column} FROM {table} ORDER BY {column}")]

    for jid in (JID, LATER):
        pgjsonb.save_load(jid, LOAD)
        pgjsonb.returner(returned("m1", jid))
    pgjsonb.returner(returned("m2", LATER))
    pgjsonb.event_return([{"tag": "old", "data": {}}, {"tag": "new", "data": {}}])
    old = "SET alter_time = NOW() - INTERVAL '1 hour'"
    jsonb(f"UPDATE salt_returns {old} WHERE id = 'm1'")
    jsonb(f"UPDATE salt_events {old} WHERE tag = 'old'")
    settings = {"keep_jobs_seconds": 600, "archive_jobs": is_archived}

    jsonb("SELECT 1", **{**settings, "keep_jobs_seconds": 0})
    pgjsonb.clean_old_jobs()
    assert ids("jids", "jid") == [JID, LATER]
    jsonb("SELECT 1", **settings)
    pgjsonb.clean_old_jobs()

    # A job stays for as long as one of its returns.
    assert ids("jids", "jid") == [LATER]
    assert ids("salt_returns", "id") == ["m2"]
    assert ids("salt_events", "tag") == ["new"]
    if is_archived:
        assert ids("jids_archive", "jid") == [JID]
        assert ids("salt_returns_archive", "jid") == [JID, LATER]
        assert ids("salt_events_archive", "tag") == ["old"]


def test_a_missing_server_is_named(call_context):
    port = free_port()
    call_context(opts={"returner.pgjsonb.host": "127.0.0.1", "returner.pgjsonb.port": port})

    with pytest.raises(
        CommandExecutionError, match=f"no connection to 127.0.0.1 port {port}, database 'salt': "
    ):
        pgjsonb.get_load(JID)


def test_a_missing_redis_server_is_named(call_context):
    port = free_port()
    call_context(opts={"redis.host": "127.0.0.1", "redis.port": port})

    with pytest.raises(CommandExecutionError, match=f"^redis at 127.0.0.1 port {port}: "):
        redis_return.get_load(JID)


@pytest.mark.parametrize("is_archived", [False, True])
def test_mysql_forgets_old_jobs(mysql_port, call_context, is_archived):
    import pymysql

    def ask(sql):
        with pymysql.connect(port=mysql_port, autocommit=True, **_MYSQL) as server, server.cursor() as cursor:
            cursor.execute(sql)
            return [row[0] for row in cursor.fetchall()]

    settings = {"mysql.host": "127.0.0.1", "mysql.port": mysql_port, "id": "master"}
    call_context(opts={**settings, "keep_jobs_seconds": 600, "archive_jobs": is_archived})
    for jid in (JID, LATER):
        mysql.save_load(jid, LOAD)
        mysql.returner(returned("m1", jid))
    mysql.returner(returned("m2", LATER))
    mysql.event_return([{"tag": "old", "data": {}}, {"tag": "new", "data": {}}])
    old = "SET alter_time = NOW() - INTERVAL 1 HOUR"
    ask(f"UPDATE salt_returns {old} WHERE id = 'm1'")
    ask(f"UPDATE salt_events {old} WHERE tag = 'old'")

    mysql.clean_old_jobs()

    # A job stays for as long as one of its returns.
    assert ask("SELECT jid FROM jids") == [LATER]
    assert ask("SELECT id FROM salt_returns") == ["m2"]
    assert ask("SELECT tag FROM salt_events") == ["new"]
    if is_archived:
        assert ask("SELECT jid FROM jids_archive") == [JID]
        assert ask("SELECT jid FROM salt_returns_archive ORDER BY jid") == [JID, LATER]


@pytest.fixture
def local_cache(postgres_port, call_context):
    """Return the empty database of the returner `postgres_local_cache`; calling it runs SQL."""
    import psycopg

    address = {"host": "127.0.0.1", "port": postgres_port}
    settings = {f"master_job_cache.postgres.{name}": value for name, value in address.items()}
    call_context(
        opts={**settings, "master_job_cache.postgres.db": "local_cache", "id": "m", "keep_jobs_seconds": 600}
    )

    def run(sql):
        with psycopg.connect(dbname="local_cache", user="salt", **address) as server:
            found = server.execute(sql)
            return found.fetchall() if found.description else []

    return run


def test_the_tables_of_a_local_cache_keep_jobs_as_stock_does(local_cache):
    load = {**LOAD, "tgt": ["m1", "m2"], "tgt_type": "list", "cmd": "publish", "kwargs": {"a": 1}, "ret": ""}
    load["arg"] = ["x", {"b": None}]

    postgres_local_cache.save_load(JID, load, ["m1"])
    postgres_local_cache.save_load(JID, {**load, "fun": "other"})
    postgres_local_cache.save_load(LATER, {"fun": "test.ping", "jid": LATER})
    postgres_local_cache.returner(returned("m1", value={"deep": [1]}))
    postgres_local_cache.returner({"id": "m2", "jid": JID, "fun": "test.echo", "return": "y"})
    postgres_local_cache.event_return([{"tag": "a/b", "data": {"x": 1}}])

    assert postgres_local_cache.get_load(JID) == load
    assert postgres_local_cache.get_load("none") == {}
    assert postgres_local_cache.get_jid(JID) == {
        "m1": {"return": {"deep": [1]}, "retcode": 0, "success": True},
        "m2": {"return": "y"},
    }
    assert postgres_local_cache.get_jids()[JID]["Target"] == ["m1", "m2"]
    assert postgres_local_cache.get_jids()[LATER]["StartTime"] == "2026, Jan 02 03:04:05.678902"
    assert local_cache(
        "SELECT to_char(started AT TIME ZONE 'UTC', 'HH24:MI:SS.US'), tgt, kwargs, ret, username, arg"
        f" FROM jids WHERE jid = '{JID}'"
    ) == [("03:04:05.678901", "['m1', 'm2']", "{'a': 1}", "", "root", '["x", {"b": null}]')]
    assert local_cache(f"SELECT cmd, tgt, arg FROM jids WHERE jid = '{LATER}'") == [("None", "None", "null")]
    assert local_cache("SELECT id, success FROM salt_returns ORDER BY id") == [("m1", True), ("m2", None)]
    assert local_cache("SELECT tag, data, master_id FROM salt_events") == [("a/b", '{"x": 1}', "m")]


def test_a_local_cache_gives_a_return_without_a_job_a_jid_and_forgets_old_ones(local_cache):
    postgres_local_cache.save_load(JID, LOAD)
    postgres_local_cache.save_load("of_a_client", LOAD)
    postgres_local_cache.returner(returned("m1", "req"))
    postgres_local_cache.returner(returned("m2", LATER))
    (made,) = local_cache("SELECT jid FROM salt_returns WHERE id = 'm1'")[0]
    assert made.startswith("20") and len(made) == 20
    local_cache("UPDATE salt_returns SET added = NOW() - INTERVAL '1 hour' WHERE id = 'm2'")

    postgres_local_cache.clean_old_jobs()

    assert local_cache("SELECT jid FROM jids") == [("of_a_client",)]
    assert local_cache("SELECT id FROM salt_returns") == [("m1",)]
