"""The PostgreSQL states against a real server, whose data directory is made by a state as well."""

import os
import shutil
import subprocess

import pytest

from tests.support.free_ports import free_port
from tests.support.servers import missing, postgres_program, running

SECRET = "it's: a \\ secret"

THINGS = """
writers:
  postgres_group.present: []
shop:
  postgres_user.present:
    - password: {secret}
    - encrypted: {encrypted}
    - createdb: true
    - groups: [writers]
    - valid_until: "2030-01-01"
fast:
  postgres_tablespace.present:
    - directory: {directory}
    - owner: shop
    - options: {{seq_page_cost: 2}}
store:
  postgres_database.present:
    - owner: shop
    - encoding: UTF8
    - lc_collate: C
    - template: template0
    - tablespace: fast
stock:
  postgres_schema.present:
    - dbname: store
    - owner: shop
plpgsql:
  postgres_language.present:
    - maintenance_db: store
pgcrypto:
  postgres_extension.present:
    - maintenance_db: store
    - schema: stock
reader:
  postgres_user.present: []
reads:
  postgres_privileges.present:
    - name: reader
    - object_name: store
    - object_type: database
    - privileges: [CREATE, CONNECT]
    - grant_option: true
uses:
  postgres_privileges.present:
    - name: reader
    - object_name: stock
    - object_type: schema
    - privileges: [ALL]
    - maintenance_db: store
belongs:
  postgres_privileges.present:
    - name: reader
    - object_name: writers
    - object_type: group
"""
GONE = """
belongs:
  postgres_privileges.absent:
    - name: reader
    - object_name: writers
    - object_type: group
pgcrypto:
  postgres_extension.absent:
    - maintenance_db: store
stock:
  postgres_schema.absent:
    - dbname: store
plpgsql:
  postgres_language.absent:
    - maintenance_db: store
uses:
  postgres_privileges.absent:
    - name: reader
    - object_name: store
    - object_type: database
    - privileges: [CREATE, CONNECT]
store:
  postgres_database.absent: []
fast:
  postgres_tablespace.absent: []
shop:
  postgres_user.absent: []
reader:
  postgres_user.absent: []
writers:
  postgres_group.absent: []
"""


@pytest.fixture(scope="module")
def postgres(open_directory):
    """Yield the connection settings of a server that requires passwords, and directories it may use."""
    for name in ("initdb", "postgres", "psql"):
        if postgres_program(name) is None:
            missing(f"{name} (package postgresql)")
    if os.geteuid() != 0:
        missing("root, who may become the user postgres,")
    for name in ("cluster", "fast"):
        (open_directory / name).mkdir()
        shutil.chown(open_directory / name, "postgres")
    yield {
        "postgres.host": str(open_directory / "cluster"),
        "postgres.port": free_port(),
        "postgres.user": "postgres",
        "postgres.pass": SECRET,
        "postgres.bins_dir": os.path.dirname(postgres_program("initdb")),
    }


@pytest.fixture
def data(postgres, salt_g):
    """Return the server's data directory, created by a state."""
    path = f"{postgres['postgres.host']}/data"
    words = [f"password={SECRET!r}", "auth=scram-sha-256", "locale=C.UTF-8"]
    made = result(salt_g("state.single", "postgres_initdb.present", path, *words, **postgres))
    assert made["result"] is True, made
    return path


@pytest.fixture
def server(postgres, data, salt_g):
    """Yield the running server: `server("state.apply", "things")`."""
    directory, port = postgres["postgres.host"], postgres["postgres.port"]
    options = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={directory}", "-c", "fsync=off"]
    words = [postgres_program("postgres"), "-D", data, "-p", str(port), *options]

    def ask(*words, **settings):
        return salt_g(*words, **{**postgres, **settings})

    with running(words, "ready to accept connections", user="postgres", cwd="/"):
        yield ask


@pytest.fixture
def psql(postgres):
    """Run statements in a database: `psql("house", "CREATE TABLE …")`."""

    def run(database, statements):
        words = ["-h", postgres["postgres.host"], "-p", str(postgres["postgres.port"]), "-U", "postgres"]
        argv = [postgres_program("psql"), *words, "-v", "ON_ERROR_STOP=1", database]
        environment = {"PGPASSWORD": SECRET, "PATH": os.environ["PATH"]}
        subprocess.run(argv, input=statements, text=True, check=True, capture_output=True, env=environment)

    return run


def result(outcome):
    """Return the one result of a run of one state."""
    (answer,) = outcome.value.values()
    return answer


@pytest.mark.parametrize("encrypted", ["scram-sha-256", "md5"])
def test_things_come_stay_and_go(server, postgres, salt_g, encrypted, open_directory):
    directory = open_directory / "fast"
    text = THINGS.format(secret=repr(SECRET), encrypted=encrypted, directory=directory)
    salt_g.write({"things.sls": text, "gone.sls": GONE})

    foreseen = server("state.apply", "things", "test=True").states
    made = server("state.apply", "things").states
    again = server("state.apply", "things").states
    secret = server("postgres.role_get", "shop", "return_password=True").value["password"]
    removed = server("state.apply", "gone").states
    gone = server("state.apply", "gone").states

    assert foreseen["shop"] == (None, "User shop is set to be created", {})
    assert foreseen["store"] == (None, "Database store is set to be created", {})
    assert made["writers"] == (True, "The group writers has been created", {"writers": "Present"})
    assert made["shop"] == (True, "The user shop has been created", {"shop": "Present"})
    assert made["fast"] == (True, "The tablespace fast has been created", {"fast": "Present"})
    assert made["store"] == (True, "The database store has been created", {"store": "Present"})
    assert made["plpgsql"] == (True, "Language plpgsql is already installed", {})
    assert made["pgcrypto"] == (True, "The extension pgcrypto has been installed", {"pgcrypto": "Installed"})
    assert made["reads"][1] == "The privilege(s): CREATE,CONNECT have been granted to reader"
    assert made["belongs"][1] == "The privilege(s): writers have been granted to reader"
    assert {id: answer[0] for id, answer in made.items()} == dict.fromkeys(made, True)
    assert {id: answer for id, answer in again.items() if not answer[0] or answer[2]} == {}
    assert secret.startswith({"md5": "md5", "scram-sha-256": "SCRAM-SHA-256$4096:"}[encrypted])
    assert removed["store"] == (True, "Database store has been removed", {"store": "Absent"})
    assert {id: (answer[0], bool(answer[2])) for id, answer in removed.items()} == dict.fromkeys(
        removed, (True, True)
    )
    assert gone["shop"] == (True, "User shop is not present, so it cannot be removed", {})
    assert {id: (answer[0], bool(answer[2])) for id, answer in gone.items()} == dict.fromkeys(
        gone, (True, False)
    )


def test_a_role_that_differs_is_updated(server):
    created = server("postgres.user_create", "keeper", "rolepassword=old").value
    words = ["keeper", "password=new", "createdb=True"]

    foreseen = result(server("state.single", "postgres_user.present", *words, "test=True"))
    changed = result(server("state.single", "postgres_user.present", *words))
    again = result(server("state.single", "postgres_user.present", *words))
    result(server("state.single", "postgres_user.absent", "keeper"))

    assert created is True
    assert foreseen["comment"] == "User keeper is set to be updated"
    assert foreseen["changes"] == changed["changes"] == {"keeper": {"createdb": True, "password": True}}
    assert changed["comment"] == "The user keeper has been updated"
    assert (again["comment"], again["changes"]) == ("User keeper is already present", {})


def test_a_wrong_password_is_reported_and_nothing_is_called_absent(server):
    wrong = {"postgres.pass": "guessed"}

    made = result(server("state.single", "postgres_database.present", "x", **wrong))
    gone = result(server("state.single", "postgres_user.absent", "x", **wrong))

    assert made["result"] is gone["result"] is False
    assert "Failed to create database x\n" in made["comment"]
    assert 'password authentication failed for user "postgres"' in gone["comment"]
    assert "guessed" not in str(made) + str(gone)


def test_a_refused_statement_is_reported_without_its_secret(server):
    words = ["clumsy", "password=hidden", "valid_until=someday"]

    made = result(server("state.single", "postgres_user.present", *words))

    assert made["result"] is False
    assert 'invalid input syntax for type timestamp with time zone: "someday"' in made["comment"]
    assert "hidden" not in str(made)


def test_everything_in_a_database_gets_its_new_owner(server, psql):
    for name in ("first", "second"):
        server("postgres.user_create", name)
    server("postgres.db_create", "house", "owner=first")
    at = "maintenance_db=house"
    psql(
        "house",
        "CREATE TABLE t (id serial); CREATE FUNCTION f(a int) RETURNS int LANGUAGE sql AS 'SELECT 1';",
    )

    answer = result(
        server("state.single", "postgres_database.present", "house", "owner=second", "owner_recurse=True")
    )
    tables = "SELECT tablename, tableowner FROM pg_tables WHERE schemaname = 'public'"
    owners = server("postgres.psql_query", tables, at).value
    granted = server("postgres.privileges_grant", "first", "f(integer)", "function", "EXECUTE", at).value
    held = server("postgres.has_privileges", "first", "f(integer)", "function", "EXECUTE", at).value
    every = result(
        server(
            *("state.single", "postgres_privileges.present", "first", "object_name=ALL", "object_type=table"),
            *("privileges=[ALL]", at),
        )
    )
    listed = server("postgres.privileges_list", "t", "table", at).value
    server("postgres.db_remove", "house")

    assert answer["comment"] == "Parameters for database house have been changed"
    assert owners == [{"tablename": "t", "tableowner": "second"}]
    assert granted is held is True
    assert every["changes"] == {"first": "Present"}
    assert listed["first"]["DELETE"] is False


def test_a_query_that_writes_returns_its_rows_only(server, psql):
    psql("postgres", "CREATE TABLE visits (id serial, who text)")
    write = "INSERT INTO visits (who) VALUES ('ann'), ('bob') RETURNING id, who"

    written = server("postgres.psql_query", write, "write=True").value
    none = server("postgres.psql_query", "DELETE FROM visits WHERE id = 7 RETURNING id", "write=True").value
    stored = server("postgres.psql_query", "SELECT who FROM visits ORDER BY id").value

    assert written == [{"id": "1", "who": "ann"}, {"id": "2", "who": "bob"}]
    assert none == []
    assert stored == [{"who": "ann"}, {"who": "bob"}]


def test_a_server_that_is_down_is_reported(postgres, salt_g):
    answer = result(salt_g("state.single", "postgres_user.present", "x", **postgres))
    foreseen = result(salt_g("state.single", "postgres_user.present", "x", "test=True", **postgres))

    assert answer["result"] is False
    assert "Failed to create user x\n" in answer["comment"]
    assert "Is the server running locally" in answer["comment"]
    assert foreseen["comment"] == "User x is set to be created"
