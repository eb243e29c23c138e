import pytest

from salt_g.errors import InvocationError
from salt_g.modules.mysql import _grants, tokenize_grant
from salt_g.modules.mysql._server import Version

MARIADB = Version(True, (10, 11, 6))


def test_a_line_is_taken_apart():
    line = "GRANT SELECT (`a`, b), LOCK TABLES, insert ON `sh\\_p`.* TO 'reader'@'%' WITH GRANT OPTION"

    assert tokenize_grant(line) == {
        "user": "reader",
        "host": "%",
        "grant": ["SELECT", "SELECT.a", "SELECT.b", "LOCK TABLES", "INSERT"],
        "database": "`sh\\_p`.*",
    }


def test_lines_about_roles_and_proxies_are_none():
    assert _grants.parse("GRANT `admins` TO `u`@`h`") is None
    assert _grants.parse("GRANT PROXY ON ''@'%' TO 'root'@'localhost' WITH GRANT OPTION") is None


@pytest.mark.parametrize(
    ("wanted", "database", "is_held"),
    [
        ("SELECT", "shop.*", True),
        ("select, insert", "shop.*", True),
        ("DELETE", "shop.*", False),
        ("SELECT", "shop.orders", False),
        ("SELECT (Id)", "shop.goods", True),
        ("SELECT (other)", "shop.goods", False),
        ("USAGE", "*.*", True),
        ("REPLICATION CLIENT", "*.*", True),
        ("all", "own.*", True),
    ],
)
def test_grants_cover_what_they_name(wanted, database, is_held):
    lines = [
        "GRANT BINLOG MONITOR ON *.* TO `u`@`h`",
        "GRANT SELECT, INSERT ON `shop`.* TO `u`@`h`",
        "GRANT SELECT (`Id`) ON `shop`.`goods` TO `u`@`h`",
        "GRANT ALL PRIVILEGES ON `own`.* TO `u`@`h`",
    ]

    assert _grants.covers(lines, _grants.tokens(wanted), _grants.place(database), MARIADB) is is_held


def test_grant_option_is_checked_where_it_is_requested():
    lines = ["GRANT SELECT ON `a`.* TO `u`@`h`"]

    assert not _grants.covers(lines, ["SELECT"], "`a`.*", MARIADB, grant_option=True)
    assert _grants.covers([f"{lines[0]} WITH GRANT OPTION"], ["SELECT"], "`a`.*", MARIADB, grant_option=True)


def test_names_of_databases_are_quoted_and_no_patterns():
    assert _grants.place("sh_p.*") == "`sh\\_p`.*"
    assert _grants.place("sh_p.t_1") == "`sh_p`.`t_1`"
    assert _grants.place("a`b%.*") == "`a``b%%`.*"
    assert _grants.place("`sh_%`.*", escape=False) == "`sh_%%`.*"


@pytest.mark.parametrize("text", ["SELECT; DROP", "", "SELECT (a", "`x`"])
def test_a_malformed_list_of_privileges_is_refused(text):
    with pytest.raises(InvocationError, match="Invalid grant"):
        _grants.checked(text)


def test_requirements_are_written_out():
    assert _grants.requirement([{"SSL": True}]) == " REQUIRE SSL"
    assert _grants.requirement([{"issuer": "/CN='x'"}, {"X509": False}]) == " REQUIRE ISSUER '/CN=x'"
    assert _grants.requirement(False) == ""
    with pytest.raises(InvocationError, match="'TLS'"):
        _grants.requirement([{"TLS": True}])
