"""Logins: admission, failures, tokens."""

import hashlib
import stat

import pytest

from salt_g.auth.delays import Delays
from salt_g.auth.logins import Logins
from salt_g.auth.tokens import Tokens


class Clock:
    def __init__(self):
        self.now = 1000.0
        self.pauses = []

    def __call__(self):
        return self.now

    def pause(self, seconds):
        self.pauses.append(seconds)
        self.now += seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def logins(tmp_path, clock):
    def make(external=None, **opts):
        settings = {
            "external_auth": {"sharedsecret": external or {"fred": ["test.*"], "admins%": [".*"]}},
            "sharedsecret": "geheim",
            "permissive_acl": False,
            "keep_acl_in_token": False,
            "token_expire": 100,
            "token_expire_user_override": False,
            **opts,
        }
        tokens = Tokens(str(tmp_path / "tokens"), clock=clock)
        return Logins(settings, tokens, Delays(pause=clock.pause, clock=clock))

    return make


LOGIN = {"eauth": "sharedsecret", "username": "fred", "password": "geheim"}


def test_a_right_password_gives_the_users_permissions(logins, clock):
    login = logins().by_password(LOGIN, "here")

    assert (login.user, login.permissions) == ("fred", ["test.*"])
    assert clock.pauses == []


@pytest.mark.parametrize(
    "change",
    [
        {"password": "x"},
        {"password": ""},
        {"password": None},
        {"username": ""},
        {"username": "a" * 300},
        {"eauth": "pam"},
        {"eauth": "nope"},
        {"eauth": ["sharedsecret"]},
    ],
)
def test_every_failure_waits_and_says_the_same(logins, clock, change):
    assert logins().by_password({**LOGIN, **change}, "here") is None
    assert 0.7 <= clock.pauses[0] <= 1.3


def test_an_empty_secret_admits_no_user(logins):
    assert logins(sharedsecret="").by_password({**LOGIN, "password": ""}, "here") is None


def test_failures_of_a_source_wait_longer_and_longer_and_those_of_others_do_not(logins, clock):
    wrong = {**LOGIN, "password": "x"}
    checking = logins()

    for _ in range(5):
        checking.by_password(wrong, "here")
    checking.by_password(wrong, "there")

    assert clock.pauses[3] > 5
    assert max(clock.pauses) <= 10
    assert clock.pauses[-1] < 1.3


def test_a_user_name_is_not_a_pattern(logins):
    login = logins({"fred": ["test.*"], "root": [".*"]}).by_password({**LOGIN, "username": "*"}, "here")

    assert login.permissions == []


def test_every_user_gets_the_star_unless_named(logins):
    external = {"fred": ["test.*"], "*": ["grains.*"], "^option": ["cmd.run"]}

    assert logins(external).by_password(LOGIN, "h").permissions == ["test.*"]
    assert logins(external).by_password({**LOGIN, "username": "eve"}, "h").permissions == ["grains.*"]
    # A directory may take it for fred, who has fewer rights than those that are not listed.
    assert logins(external).by_password({**LOGIN, "username": "Fred "}, "h").permissions == []
    both = logins(external, permissive_acl=True).by_password(LOGIN, "h").permissions
    assert both == ["test.*", "grains.*"]


def test_a_token_stands_for_its_login_until_it_ends(logins, clock):
    checking = logins()
    made = checking.make_token(LOGIN, "here")

    assert set(made) == {"token", "start", "expire", "name", "eauth"}
    assert len(made["token"]) == 64
    assert checking.by_token(made["token"], "here").permissions == ["test.*"]
    clock.now += 101
    assert checking.by_token(made["token"], "here") is None


def test_a_token_is_kept_as_its_digest(logins, tmp_path):
    token = logins().make_token(LOGIN, "here")["token"]
    (path,) = (tmp_path / "tokens").iterdir()

    assert path.name == hashlib.sha256(token.encode()).hexdigest()
    assert token not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("token", ["", "0" * 64, "../../etc/passwd", None, 5, "0" * 63 + "g"])
def test_a_malformed_token_gives_no_access(logins, clock, token):
    assert logins().by_token(token, "here") is None
    assert clock.pauses


def test_only_permitted_users_choose_the_lifetime_of_a_token(logins, clock):
    load = {**LOGIN, "token_expire": 7}

    assert logins().make_token(load, "h")["expire"] == clock.now + 100
    assert logins(token_expire_user_override=True).make_token(load, "h")["expire"] == clock.now + 7
    listed = {"sharedsecret": ["fred"]}
    assert logins(token_expire_user_override=listed).make_token(load, "h")["expire"] == clock.now + 7
    assert (
        logins(token_expire_user_override={"pam": ["fred"]}).make_token(load, "h")["expire"] > clock.now + 7
    )


def test_permissions_can_stay_in_the_token(logins):
    token = logins(keep_acl_in_token=True).make_token(LOGIN, "h")["token"]

    assert logins({"fred": []}, keep_acl_in_token=True).by_token(token, "h").permissions == ["test.*"]
    assert logins({"fred": []}).by_token(token, "h").permissions == []


def test_a_token_of_a_module_that_is_off_now_is_none(logins, tmp_path):
    token = logins().make_token(LOGIN, "h")["token"]

    assert logins(external_auth={}).by_token(token, "h") is None


def test_ended_and_old_tokens_are_gone(logins, clock, tmp_path):
    checking = logins()
    first, second = (checking.make_token(LOGIN, "h")["token"] for _ in range(2))

    assert checking.end_token(first)
    assert not checking.end_token(first)
    clock.now += 200
    assert Tokens(str(tmp_path / "tokens"), clock=clock).clean() == 1
    assert checking.about_token(second, "h") == {}


def test_one_source_cannot_try_more_than_a_few_at_once(clock):
    delays = Delays(pause=clock.pause, clock=clock)
    turns = [delays.turn("here") for _ in range(6)]

    assert [turn.__enter__() for turn in turns] == [True] * 4 + [False] * 2
    for turn in turns:
        turn.__exit__(None, None, None)
    with delays.turn("here") as has_turn:
        assert has_turn


def test_whatever_a_module_raises_is_a_failure_like_the_others(logins, clock, tmp_path, caplog):
    kept = tmp_path / "passwords"
    kept.write_text("fred:geheim\n")
    external = {"file": {"^filename": str(kept), "^username_field": "first", "fred": [".*"]}}
    checking = logins(external_auth=external)

    assert checking.by_password({**LOGIN, "eauth": "file"}, "here") is None
    assert 0.7 <= clock.pauses[0] <= 1.3
    assert "cannot check a login: ValueError" in caplog.text


def test_an_earlier_login_has_the_permissions_of_now(logins):
    login = logins().by_password(LOGIN, "192.0.2.1")
    fewer = {"fred": ["test.ping"]}

    assert logins().renewed(login) == login
    assert logins(fewer).renewed(login).permissions == ["test.ping"]
    assert logins(external_auth={"pam": {"fred": [".*"]}}).renewed(login) is None


def test_an_earlier_login_by_a_scoped_token_ends_with_the_token(logins):
    login = logins().by_password(LOGIN, "192.0.2.1")

    assert logins().renewed(login._replace(limits=["test.*"], label="ci")) is None


def test_a_module_whose_users_are_no_mapping_refuses_all_and_says_why(logins, caplog):
    made = logins(external=["fred"])

    assert made.by_password(LOGIN, "here") is None
    assert made.modules == []
    assert "external_auth: sharedsecret is not a mapping of users to permissions" in caplog.text
