import pytest

from salt_g.modules.mysql import _accounts
from salt_g.modules.mysql._accounts import Login
from salt_g.modules.mysql._server import Version

MARIADB, OLD_MARIADB = Version(True, (10, 11, 6)), Version(True, (10, 3, 39))
MYSQL, OLD_MYSQL = Version(False, (8, 4, 0)), Version(False, (5, 6, 51))
SECRET = "it's secret"


@pytest.mark.parametrize(
    ("server", "statement"),
    [
        (MARIADB, "CREATE USER %(user)s@%(host)s IDENTIFIED BY %(password)s"),
        (MYSQL, "CREATE USER %(user)s@%(host)s IDENTIFIED WITH %(plugin)s BY %(password)s"),
    ],
)
def test_users_are_made_in_the_servers_words(server, statement):
    sql, values = _accounts.create(server, Login("u", "h", password=SECRET))

    assert sql == statement
    assert values["password"] == SECRET


@pytest.mark.parametrize(
    ("server", "end"),
    [
        (MARIADB, "IDENTIFIED VIA %(plugin)s USING PASSWORD(%(password)s)"),
        (OLD_MARIADB, "SET PASSWORD FOR %(user)s@%(host)s = PASSWORD(%(password)s)"),
        (MYSQL, "IDENTIFIED WITH %(plugin)s BY %(password)s"),
        (OLD_MYSQL, "SET PASSWORD FOR %(user)s@%(host)s = PASSWORD(%(password)s)"),
    ],
)
def test_passwords_are_changed_in_the_servers_words(server, end):
    sql, values = _accounts.change(server, Login("u", password=SECRET, auth_plugin="unix_socket"))

    assert sql.endswith(end)
    assert values.get("plugin") == "mysql_native_password"


def test_the_socket_has_another_name_at_each_server():
    login = Login("u", unix_socket=True)

    assert _accounts.create(MARIADB, login)[0].endswith("IDENTIFIED VIA unix_socket")
    assert _accounts.create(MYSQL, login)[0].endswith("IDENTIFIED WITH auth_socket")
    assert _accounts.find(MYSQL, login, "c", passwordless=True)[1]["plugin"] == "auth_socket"


def test_a_password_is_looked_for_by_its_digest():
    login = Login("u", password="secret")

    sql, values = _accounts.find(MARIADB, login, "Password", passwordless=False)

    assert sql.endswith("AND Password = %(password)s")
    assert values["password"] == "*14E65567ABDB5135D0CFD9A70B3032C179A49EE7"


def test_a_salted_digest_reveals_nothing():
    login = Login("u", password="secret", auth_plugin="caching_sha2_password")

    sql, _ = _accounts.find(MYSQL, login, "authentication_string", passwordless=False)

    assert "authentication_string" not in sql
