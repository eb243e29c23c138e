"""States of databases over fake execution functions; real servers: tests/integration/rooms."""

import pytest

from salt_g.states import mysql_grants, mysql_user, postgres_database, postgres_user, redismod

ROLE = {
    "can create databases": False,
    "inherits privileges": True,
    "can login": True,
    "can create roles": False,
    "replication": False,
    "superuser": False,
    "password": "md5x",
    "expiry time": None,
    "groups": ["a"],
}


@pytest.fixture
def room(call_context):
    """Return a function that enters a call with these function results, and returns the calls so far.

    `problem` is (key in scratch, function, text): the text that the function leaves there.
    """
    calls = []

    def enter(answers, *, test=False, problem=None):
        def answering(name, answer):
            def function(*args, **kwargs):
                calls.append((name, args, kwargs))
                if problem and name == problem[1]:
                    context.scratch[problem[0]] = problem[2]
                return answer

            return function

        table = {name: answering(name, answer) for name, answer in answers.items()}
        context = call_context(functions=table, opts={"test": test})
        return calls

    return enter


def result_of(result):
    return result["result"], result["comment"], result["changes"]


def test_a_role_as_wanted_is_left_alone(room):
    calls = room({"postgres.role_get": ROLE, "postgres.is_password": True})

    result = postgres_user.present("u", password="secret", login=True, groups=["a"])

    assert result_of(result) == (True, "User u is already present", {})
    assert [name for name, *_ in calls] == ["postgres.role_get", "postgres.is_password"]


def test_a_default_password_counts_for_a_new_role_only(room):
    calls = room({"postgres.role_get": None, "postgres.user_create": True})

    result = postgres_user.present("u", default_password="first")

    assert result_of(result) == (True, "The user u has been created", {"u": "Present"})
    assert calls[-1][2]["rolepassword"] == "first"


def test_a_refreshed_password_is_set_without_reading_what_is_stored(room):
    calls = room({"postgres.role_get": ROLE, "postgres.user_update": True})

    result = postgres_user.present("u", password="secret", refresh_password=True)

    assert result_of(result) == (True, "The user u has been updated", {"u": {"password": True}})
    assert calls[0][2]["return_password"] is False


def test_the_error_of_psql_is_in_the_comment_and_not_in_that_of_the_next_state(room):
    room(
        {"postgres.db_list": {}, "postgres.db_create": False, "postgres.db_exists": False},
        problem=("postgres.error", "postgres.db_create", "ERROR:  no"),
    )

    result = postgres_database.present("d")
    after = postgres_database.absent("d")

    assert result_of(result) == (False, "Failed to create database d\nERROR:  no", {})
    assert result_of(after) == (True, "Database d is not present, so it cannot be removed", {})


@pytest.mark.parametrize(("test", "result"), [(True, True), (False, False)])
def test_a_missing_answer_does_not_count_as_absent(room, test, result):
    room(
        {"postgres.user_exists": False}, test=test, problem=("postgres.error", "postgres.user_exists", "down")
    )

    assert postgres_user.absent("u")["result"] is result


def test_locales_of_a_database_that_exists_are_not_changed(room):
    known = {"d": {"Owner": "o", "Encoding": "UTF8", "Collate": "C", "Ctype": "C", "Tablespace": "t"}}
    room({"postgres.db_list": known})

    same = postgres_database.present("d", encoding="utf8", owner="o")
    other = postgres_database.present("d", lc_collate="de_DE.UTF-8")

    assert result_of(same) == (True, "Database d is already present", {})
    assert result_of(other) == (
        False,
        "Database d has wrong parameters which couldn't be changed on fly.",
        {},
    )


def test_a_user_needs_a_password_by_default(room):
    room({})

    result = mysql_user.present("u")

    assert result["result"] is False
    assert result["comment"].startswith("Either password or password_hash must be specified")


def test_rights_are_taken_away_first_where_that_is_wanted(room):
    line = "GRANT SELECT, DELETE ON `d`.* TO `u`@`localhost`"
    calls = room(
        {
            "mysql.grant_exists": False,
            "mysql.user_grants": ["GRANT USAGE ON *.* TO `u`@`localhost`", line],
            "mysql.tokenize_grant": {"grant": ["SELECT", "DELETE"], "database": "`d`.*"},
            "mysql.grant_revoke": True,
            "mysql.grant_add": True,
        }
    )

    result = mysql_grants.present("g", "INSERT", "d.*", "u", revoke_first=True)

    assert result["changes"] == {"g": "Present"}
    assert ("mysql.grant_revoke", ("SELECT,DELETE", "d.*", "u", "localhost", False, True), {}) in calls


def test_keys_to_remove_are_a_list(room):
    room({})

    assert result_of(redismod.absent("k", keys="a,b")) == (False, "`keys` not formed as a list type", {})
