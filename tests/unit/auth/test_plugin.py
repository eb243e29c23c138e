"""Users' modules of external authentication, and `auto`."""

import pytest

from salt_g.auth.delays import Delays
from salt_g.auth.logins import Logins
from salt_g.auth.tokens import Tokens

DOORMAN = """
__virtualname__ = "door"


def __virtual__():
    return __virtualname__


def auth(username, password, badge=None, **kwargs):
    return password == __opts__["door.secret"] and badge != "lost" and "fun" not in kwargs


def groups(username, **kwargs):
    return ["admins"] if username == "ann" else []
"""
LISTED = """
def auth(username, password):
    return True


def acl(username, **kwargs):
    return {"ann": ["test.*", "cmd.*"], "tim": []}.get(username)


def process_acl(auth_list, opts):
    return [entry for entry in auth_list if entry != opts["forbidden"]]
"""
ENDS = """
import sys


def auth(username, password):
    sys.exit(3)
"""


@pytest.fixture
def logins(tmp_path):
    """Return a function that makes logins with these settings and the users' modules above."""
    directory = tmp_path / "extmods" / "auth"
    directory.mkdir(parents=True)
    for name, text in {"doorman": DOORMAN, "listed": LISTED, "ends": ENDS}.items():
        (directory / f"{name}.py").write_text(text)

    def make(external, **opts):
        settings = {
            "external_auth": external,
            "extension_modules": str(tmp_path / "extmods"),
            "permissive_acl": False,
            "keep_acl_in_token": False,
            "token_expire": 100,
            "token_expire_user_override": False,
            "door.secret": "sesame",
            "forbidden": "cmd.*",
            **opts,
        }
        return Logins(settings, Tokens(str(tmp_path / "tokens")), Delays(pause=lambda seconds: None))

    return make


def login(eauth, username="ann", password="sesame", **fields):
    return {"eauth": eauth, "username": username, "password": password, "fun": "test.ping", **fields}


def test_a_users_module_checks_the_login_and_names_groups(logins):
    made = logins({"door": {"admins%": ["test.*"], "tim": ["grains.*"]}})

    assert made.by_password(login("door"), "here").permissions == ["test.*"]
    assert made.by_password(login("door", "tim"), "here").permissions == ["grains.*"]
    assert made.by_password(login("door", password="wrong"), "here") is None


def test_a_users_module_receives_the_fields_that_it_names(logins):
    made = logins({"door": {"admins%": ["test.*"]}})

    assert made.by_password(login("door", badge="lost"), "here") is None
    assert made.by_password(login("door", badge="7"), "here") is not None


def test_a_users_module_may_give_the_permissions_and_change_them(logins):
    made = logins({"listed": {"bob": ["cmd.*", "grains.*"]}})

    assert made.by_password(login("listed"), "here").permissions == ["test.*"]
    assert made.by_password(login("listed", "tim"), "here").permissions == []
    assert made.by_password(login("listed", "bob"), "here").permissions == ["grains.*"]


def test_the_permissions_of_a_token_follow_the_module(logins):
    made = logins({"listed": {"bob": ["cmd.*", "grains.*"]}})
    token = made.make_token(login("listed"), "here")["token"]

    assert made.by_token(token, "here").permissions == ["test.*"]


def test_a_module_that_ends_its_process_refuses_the_login(logins, caplog):
    assert logins({"ends": {"ann": ["test.*"]}}).by_password(login("ends"), "here") is None
    assert "a plugin of the kind auth called sys.exit(3)" in caplog.text


def test_auto_accepts_every_password_and_is_named_at_the_start(logins, caplog):
    made = logins({"auto": {"ann": ["test.*"]}})

    assert made.by_password(login("auto", password="x"), "here").permissions == ["test.*"]
    assert "auto accepts every password; use it in tests only" in caplog.text


def test_an_unknown_module_is_named(logins, caplog):
    assert logins({"nosuch": {"ann": ["test.*"]}}).by_password(login("nosuch"), "here") is None
    assert "external_auth: unknown module 'nosuch'; available: auto, file" in caplog.text
