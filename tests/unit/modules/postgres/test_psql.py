"""The module `postgres` with a recorded psql; tests/integration/rooms has the real one."""

import os
import stat

import pytest

from salt_g.modules import postgres


@pytest.fixture
def psql(call_context, monkeypatch, tmp_path):
    """Return a program: its pending answers, and its calls with the content of their password file."""
    calls = []

    class Program:
        answers: list = []

        def run_all(self, argv, **options):
            path = options.get("env", {}).get("PGPASSFILE")
            secret = None
            if path:
                assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
                with open(path) as file:
                    secret = file.read()
            calls.append({"argv": argv, "secret": secret, "path": path, **options})
            retcode, stdout, stderr = self.answers.pop(0)
            return {"pid": 1, "retcode": retcode, "stdout": stdout, "stderr": stderr}

    program = Program()
    settings = {"postgres.user": "admin", "postgres.port": 5433}
    context = call_context(
        functions={
            "cmd.run_all": program.run_all,
            "config.option": lambda name, default="": settings.get(name, default),
        },
        grains={"os_family": "Debian"},
    )
    installed = tmp_path / "psql"
    installed.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    program.calls, program.scratch = calls, context.scratch
    return program


def test_the_password_is_in_a_file_that_is_gone_afterwards(psql):
    psql.answers = [(0, "one\n1\n", "")]

    rows = postgres.psql_query("SELECT 1 AS one;", host="db.example", password="a:b\\c")

    (call,) = psql.calls
    assert rows == [{"one": "1"}]
    assert call["secret"] == "*:*:*:*:a\\:b\\\\c\n"
    assert "a:b" not in str(call["argv"])
    assert not os.path.exists(call["path"])
    assert call["runas"] is None
    assert call["argv"][-1] == "COPY (SELECT 1 AS one) TO STDOUT WITH CSV HEADER"
    assert call["argv"][5:11] == ["--username", "admin", "--host", "db.example", "--port", "5433"]


def test_a_local_server_is_asked_by_its_own_user(psql):
    psql.answers = [(0, "one\n1\n", "")]

    postgres.psql_query("SELECT 1 AS one")

    assert psql.calls[0]["runas"] == "postgres"


def test_the_password_of_a_new_user_goes_through_standard_input(psql):
    psql.answers = [(0, "name\n", ""), (0, "", "")]

    made = postgres.user_create("o\"dd'", rolepassword="secret", groups=["a", "b"], valid_until="x'y")

    call = psql.calls[1]
    assert made is True
    assert "md5" not in str(call["argv"])
    assert call["stdin"].startswith('CREATE ROLE "o""dd\'" WITH INHERIT LOGIN PASSWORD \'md5')
    assert call["stdin"].endswith(
        'VALID UNTIL \'x\'\'y\';\nGRANT "a" TO "o""dd\'";\nGRANT "b" TO "o""dd\'";\n'
    )


def test_the_error_of_psql_is_kept_for_the_state(psql):
    psql.answers = [(2, "", "psql: error: connection refused")]

    result = postgres.db_exists("x")

    assert result is False
    assert psql.scratch["postgres.error"] == "psql: error: connection refused"


def test_psql_prints_the_rows_of_a_transaction_only(psql):
    psql.answers = [(0, "id\n7\n8", "")]

    rows = postgres.psql_query("INSERT INTO t DEFAULT VALUES RETURNING id", write=True)

    assert rows == [{"id": "7"}, {"id": "8"}]
    assert "--quiet" in psql.calls[0]["argv"]
    assert psql.calls[0]["argv"][-1].startswith("START TRANSACTION READ WRITE; COPY (INSERT")


def test_clusters_are_read_from_debians_list(psql, installed):

    installed("pg_lsclusters")
    line = "15  main 5432 online postgres /var/lib/postgresql/15/main /var/log/postgresql/15 main.log"
    psql.answers = [(0, line, "")]

    assert postgres.cluster_list(verbose=True) == {
        "15/main": {
            "port": 5432,
            "status": "online",
            "user": "postgres",
            "datadir": "/var/lib/postgresql/15/main",
            "log": "/var/log/postgresql/15 main.log",
        }
    }
