"""The MySQL states against a real MariaDB server, reached by its socket or with a password."""

import json

import pytest

from tests.support.free_ports import free_port
from tests.support.servers import running_mariadb

SECRET = "it's \\ 100% secret"

THINGS = """
odd`name%:
  mysql_database.present:
    - character_set: utf8mb4
    - collate: utf8mb4_bin
sh_p:
  mysql_database.present: []
reader:
  mysql_user.present:
    - host: "%"
    - password: {secret}
hashed:
  mysql_user.present:
    - password_hash: "*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19"
open:
  mysql_user.present:
    - allow_passwordless: true
daemon:
  mysql_user.present:
    - allow_passwordless: true
    - unix_socket: true
reads:
  mysql_grants.present:
    - grant: select,insert
    - database: "sh_p.*"
    - user: reader
    - host: "%"
    - grant_option: true
everything:
  mysql_grants.present:
    - grant: all
    - database: "odd`name%.*"
    - user: hashed
watches:
  mysql_grants.present:
    - grant: REPLICATION CLIENT, PROCESS
    - database: "*.*"
    - user: hashed
    - ssl_option: [{{SSL: true}}]
tables:
  mysql_query.run_file:
    - database: sh_p
    - query_file: salt://tables.sql
columns:
  mysql_grants.present:
    - grant: SELECT (Id, name), UPDATE (name)
    - database: sh_p.goods
    - user: open
"""
TABLES = """
-- A comment; with a semicolon
CREATE TABLE IF NOT EXISTS goods (Id int, name text);
DELETE FROM goods; # another; one
INSERT INTO goods VALUES (1, 'a;b'), (2, NULL); /* done; */
"""
GONE = """
reads:
  mysql_grants.absent:
    - grant: select,insert
    - database: "sh_p.*"
    - user: reader
    - host: "%"
reader:
  mysql_user.absent:
    - host: "%"
hashed:
  mysql_user.absent: []
open:
  mysql_user.absent: []
daemon:
  mysql_user.absent: []
odd`name%:
  mysql_database.absent: []
sh_p:
  mysql_database.absent: []
"""


@pytest.fixture(scope="module")
def mariadb(open_directory, need):
    """Yield the connection settings of a server whose user root is authenticated by the socket."""
    need("mariadbd", "mariadb-install-db", root=True, libraries=["pymysql"])
    with running_mariadb(open_directory):
        yield {"mysql.unix_socket": f"{open_directory}/sock", "mysql.user": "root"}


@pytest.fixture
def server(mariadb, salt_g):
    """Return the command on a machine with settings for the server."""
    return lambda *words, **settings: salt_g(*words, **{**mariadb, **settings})


def result(outcome):
    """Return the result, comment and changes of a run of one state."""
    (answer,) = outcome.value.values()
    return answer["result"], answer["comment"], answer["changes"]


def test_things_come_stay_and_go(server, salt_g):
    salt_g.write({"things.sls": THINGS.format(secret=json.dumps(SECRET)), "gone.sls": GONE})
    salt_g.write({"tables.sql": TABLES})

    foreseen = server("state.apply", "things", "test=True").states
    made = server("state.apply", "things").states
    again = server("state.apply", "things").states
    rows = server("mysql.query", "sh_p", "SELECT * FROM goods").value
    login = server("mysql.verify_login", "reader", SECRET).value
    removed = server("state.apply", "gone").states
    gone = server("state.apply", "gone").states

    assert foreseen["sh_p"] == (None, "Database sh_p is not present and needs to be created", {})
    assert foreseen["reader"] == (None, "User reader@% is set to be added", {})
    assert made["sh_p"] == (True, "The database sh_p has been created", {"sh_p": "Present"})
    assert made["reader"] == (True, "The user reader@% has been added", {"reader": "Present"})
    assert made["open"][1] == "The user open@localhost has been added with passwordless login"
    assert made["daemon"][1].endswith("with passwordless login using unix_socket")
    assert made["reads"] == (
        True,
        "Grant select,insert on sh_p.* to reader@% has been added",
        {"reads": "Present"},
    )
    assert {id: answer[0] for id, answer in made.items()} == dict.fromkeys(made, True)
    # The statements of a file are run each time.
    assert {id: answer for id, answer in again.items() if not answer[0] or answer[2]} == {
        "tables": again["tables"]
    }
    assert again["reader"][1] == "User reader@% is already present with the desired password"
    assert again["hashed"][1] == "User hashed@localhost is already present with the desired password hash"
    assert rows["columns"] == ["Id", "name"]
    assert rows["results"] == [["1", "a;b"], ["2", None]]
    assert login is True
    assert {id: (answer[0], bool(answer[2])) for id, answer in removed.items()} == dict.fromkeys(
        removed, (True, True)
    )
    assert gone["reader"] == (True, "User reader@% is not present, so it cannot be removed", {})
    assert {id: (answer[0], bool(answer[2])) for id, answer in gone.items()} == dict.fromkeys(
        gone, (True, False)
    )


def test_differences_are_corrected(server):
    server("mysql.user_create", "keeper", "localhost", "old")
    server("mysql.db_create", "store", "latin1")
    user = ["state.single", "mysql_user.present", "keeper", "password=new"]
    base = ["state.single", "mysql_database.present", "store", "character_set=utf8mb4"]

    foreseen = result(server(*user, "test=True"))
    changed = result(server(*user))
    again = result(server(*user))
    socket = ["state.single", "mysql_user.present", "keeper", "allow_passwordless=True", "unix_socket=True"]
    by_socket = result(server(*socket))
    still_by_socket = result(server(*socket))
    by_password = result(server(*user))
    base_foreseen = result(server(*base, "test=True"))
    base_changed = result(server(*base))
    base_again = result(server(*base))

    assert foreseen == (None, "Password for user keeper@localhost is set to be changed", {})
    assert changed == (True, "Password for user keeper@localhost has been changed", {"keeper": "Updated"})
    assert again == (True, "User keeper@localhost is already present with the desired password", {})
    assert by_socket[2] == {"keeper": "Updated"}
    assert still_by_socket[2] == {}
    assert by_password[2] == {"keeper": "Updated"}
    assert base_foreseen[1].startswith("Database character set utf8mb4 != latin1 needs to be updated")
    assert base_changed[2]["character_set"] == {"before": "latin1", "now": "utf8mb4"}
    assert base_again == (True, "Database store is already present", {})


def test_root_gets_a_password_and_keeps_it(server, mariadb):
    words = ["state.single", "mysql_user.present", "boss", "password=first"]
    server("mysql.user_create", "boss", "localhost", "first")
    server("mysql.grant_add", "ALL", "*.*", "boss", "localhost", "True")
    own = {"mysql.user": "boss", "mysql.pass": "first"}

    kept = result(server(*words, **own))
    renewed = result(server(*words[:-1], "password=second", **own))
    let_in_by_the_new_one = result(server(*words[:-1], "password=second", **own))

    assert kept[2] == {}
    assert renewed[2] == {"boss": "Updated"}
    assert let_in_by_the_new_one == (
        True,
        "User boss@localhost is already present with the desired password",
        {},
    )


def test_a_query_goes_to_a_grain_or_a_file(server, tmp_path):
    server("mysql.db_create", "counts")
    words = ["state.single", "mysql_query.run", "one", "database=counts", "query=SELECT 1 AS n"]
    file = tmp_path / "result"

    missing_base = result(server(*words[:3], "database=none", "query=SELECT 1"))
    foreseen = result(server(*words, f"output={file}", "test=True"))
    to_file = result(server(*words, f"output={file}"))
    to_grain = result(server(*words, "output=grain", "grain=sums", "key=one"))
    again = result(server(*words, "output=grain", "grain=sums", "key=one", "overwrite=False"))
    broken = result(server(*words[:4], "query=SELEKT"))

    assert missing_base == (None, "Database one is not present", {})
    assert foreseen == (None, f"Query would execute, storing result in file: {file}", {})
    assert to_file[2] == {"query": f"Executed. Output into {file}"}
    assert file.read_text() == "n:1\n"
    assert to_grain[2] == {"query": "Executed. Output into grain: sums:one"}
    assert again == (True, "No execution needed. Grain sums:one already set", {})
    assert broken[0] is False
    assert "MySQL Error 1064" in broken[1]


def test_a_file_of_options_leads_to_the_server(mariadb, salt_g, tmp_path):
    options = tmp_path / "my.cnf"
    options.write_text(f"[client]\nuser = root\nsocket = {mariadb['mysql.unix_socket']}\n")

    answer = salt_g("mysql.db_exists", "mysql", f"connection_default_file={options}").value

    assert answer is True


def test_a_wrong_password_and_a_server_that_is_down_are_reported(server):
    words = ["state.single", "mysql_user.present", "x", "password=y"]
    nobody = free_port()

    wrong = result(server(*words, **{"mysql.user": "nobody", "mysql.pass": "guessed"}))
    down = result(
        server(*words, "connection_host=127.0.0.1", f"connection_port={nobody}", **{"mysql.unix_socket": ""})
    )
    refused = result(
        server("state.single", "mysql_grants.present", "g", "grant=FLY", "database=a.*", "user=x")
    )

    assert wrong[0] is down[0] is refused[0] is False
    assert "Access denied for user 'nobody'@'localhost'" in wrong[1]
    assert "guessed" not in wrong[1]
    assert "Can't connect to MySQL server on '127.0.0.1'" in down[1]
    assert 'Failed to execute: "GRANT FLY ON a.* TO x@localhost" (MySQL Error 1064' in refused[1]
