"""External caches: stock reads what salt-g's drivers store, and vice versa."""

import json
import os
import pathlib
import subprocess

import pytest

from salt_g.cache_drivers import mysql_cache, redis_cache
from tests.support.servers import running_mariadb, running_redis

redis = pytest.importorskip("redis")
pymysql = pytest.importorskip("pymysql")

#: Bytes are no JSON, so they stay out of what is printed.
VALUE = {"os": "A", "ü": [1, None, {"deep": 1.5}], "empty": {}}
STOCK = """
import json, sys
import salt.cache, salt.config
settings, value = json.loads(sys.argv[1])
opts = {**salt.config.master_config("/dev/null"), **settings}
cache = salt.cache.factory(opts)
read = [cache.fetch("grains", "m1"), cache.list("grains"), cache.list("a"), cache.updated("grains", "m1") > 0]
cache.store("grains", "m2", value)
cache.flush("a")
print(json.dumps(read))
"""


@pytest.fixture
def stock_libraries(tmp_path):
    """Return a directory with the client libraries, which stock's Python may lack."""
    (tmp_path / "libraries").mkdir()
    for library in (redis, pymysql):
        found = pathlib.Path(library.__file__).parent
        (tmp_path / "libraries" / found.name).symlink_to(found)
    return str(tmp_path / "libraries")


@pytest.fixture
def redis_settings(tmp_path):
    with running_redis(tmp_path) as port:
        yield {"cache": "redis", "cache.redis.host": "127.0.0.1", "cache.redis.port": port}


@pytest.fixture
def mysql_settings(open_directory):
    root = open_directory / "mysql"
    root.mkdir(mode=0o755)
    with running_mariadb(root) as port:
        with pymysql.connect(unix_socket=f"{root}/sock", user="root") as server, server.cursor() as cursor:
            cursor.execute("CREATE DATABASE salt_cache")
            cursor.execute("CREATE USER salt@'127.0.0.1' IDENTIFIED BY 'secret'")
            cursor.execute("GRANT ALL ON salt_cache.* TO salt@'127.0.0.1'")
        yield {"cache": "mysql", "mysql.port": port, "mysql.user": "salt", "mysql.password": "secret"}


@pytest.mark.parametrize("name", ["redis", "mysql"])
def test_stock_and_we_read_each_others_values(name, request, stock_bin, stock_libraries, call_context):
    settings = request.getfixturevalue(f"{name}_settings")
    driver = {"redis": redis_cache, "mysql": mysql_cache}[name]
    call_context(opts=settings)
    driver.store("grains", "m1", VALUE)
    driver.store("a", "key", VALUE)

    words = [stock_bin / "python", "-c", STOCK, json.dumps([settings, VALUE])]
    env = {**os.environ, "PYTHONPATH": stock_libraries}
    ran = subprocess.run(words, capture_output=True, text=True, env=env, check=False)

    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout.splitlines()[-1]) == [VALUE, ["m1"], ["key"], True]
    assert driver.fetch("grains", "m2") == VALUE
    assert sorted(driver.stamps("grains")) == ["m1", "m2"]
    assert driver.list_("a") == []
