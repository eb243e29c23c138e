"""The external pillar `postgres` with a server of its own."""

import json

import pytest

from tests.support.free_ports import free_port
from tests.support.servers import running_postgres

TABLES = """
CREATE TABLE pillars (minion text, key text, value text);
INSERT INTO pillars VALUES
    ('m%', 'role', 'web'), ('m1', 'role', 'db'), ('m2', 'role', 'no'), ('m1', 'none', NULL);
CREATE TABLE users (minion text, name text, uid numeric, seen timestamp, shell text);
INSERT INTO users VALUES ('m1', 'a', 1000, '2026-01-02 03:04:05', '/bin/sh'), ('m1', 'b', 1.5, NULL, NULL);
CREATE TABLE documents (minion text, document jsonb);
INSERT INTO documents VALUES ('m1', '{"a": {"b": [1]}}'), ('m1', '{"a": {"b": [2]}, "c": true}');
"""


@pytest.fixture(scope="module")
def server(open_directory):
    """Yield the address of a database with tables of pillar."""
    psycopg = pytest.importorskip("psycopg")
    with running_postgres(open_directory / "pillar-postgres") as port:
        place = {"host": "127.0.0.1", "port": port, "user": "salt", "db": "postgres"}
        with psycopg.connect(host="127.0.0.1", port=port, user="salt", dbname="postgres") as database:
            database.execute(TABLES)
        yield place


def test_rows_become_pillar(salt_g, server):
    queries = [
        "SELECT key, value FROM pillars WHERE %s LIKE minion ORDER BY minion",
        {"query": "SELECT 'users', name, uid, seen, shell FROM users WHERE minion = %s", "depth": 2},
        {"query": "SELECT document FROM documents WHERE minion = %s", "as_json": True, "as_list": True},
    ]
    result = salt_g("pillar.items", "unmask=True", postgres=server, ext_pillar=[{"postgres": queries}])

    assert result.code == 0, result.err
    assert json.loads(result.out)["local"] == {
        "role": "db",
        "none": None,
        "users": {
            "a": {"uid": 1000, "seen": "datetime.datetime(2026, 1, 2, 3, 4, 5)", "shell": "/bin/sh"},
            "b": {"uid": 1.5, "seen": None, "shell": None},
        },
        "a": {"b": [1, 2]},
        "c": True,
    }


@pytest.mark.parametrize(
    ("change", "query", "words"),
    [
        ({}, "SELECT nonsense FROM pillars WHERE minion = %s", 'column "nonsense" does not exist'),
        (
            {},
            {"qery": "SELECT"},
            "the query 'main' has the unknown options qery; valid options are query, depth",
        ),
        ({"port": free_port()}, "SELECT 1 WHERE '' = %s", "database 'postgres': connection"),
    ],
)
def test_a_failure_is_an_error_of_the_pillar(salt_g, server, change, query, words):
    result = salt_g(
        "pillar.items",
        "unmask=True",
        postgres={**server, **change},
        ext_pillar=[{"postgres": {"main": query}}],
    )

    (error,) = json.loads(result.out)["local"]["_errors"]
    assert error.startswith("Failed to load ext_pillar postgres: ")
    assert words in error
