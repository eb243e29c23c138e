"""Tokens for programs."""

import os

import pytest

from salt_g.auth.delays import Delays
from salt_g.auth.logins import Logins
from salt_g.auth.scoped_tokens import MOST, ScopedTokens
from salt_g.auth.tokens import Tokens
from salt_g.errors import InvocationError


@pytest.fixture
def now():
    return [1_000_000.0]


@pytest.fixture
def scoped(tmp_path, now):
    return ScopedTokens(Tokens(str(tmp_path / "scoped"), clock=lambda: now[0]))


def make(scoped, label="ci", **more):
    return scoped.make("ann", "pam", label=label, **{"allow": ["state.apply"], **more})


def test_a_token_is_kept_as_a_digest_and_listed_without_itself(scoped, tmp_path):
    token = make(scoped, on="web*")["token"]

    [listed] = scoped.list()
    assert (listed["user"], listed["label"], listed["limits"]) == ("ann", "ci", [{"web*": ["state.apply"]}])
    [name] = os.listdir(tmp_path / "scoped")
    assert token not in name
    assert token not in (tmp_path / "scoped" / name).read_text()
    assert token not in str(listed)
    assert scoped.get(token, "192.0.2.7")["name"] == "ann"


def test_a_token_ends(scoped, now):
    first, second = make(scoped, lifetime=60)["token"], make(scoped, "other")["token"]
    [_, other] = scoped.list("ann")

    assert not scoped.revoke(other["id"], "bob")
    assert scoped.revoke(other["id"], "ann")
    assert not scoped.revoke(other["id"])
    assert scoped.get(second, "") == {}
    now[0] += 61
    assert scoped.get(first, "") == {}
    assert scoped.list() == []


@pytest.mark.parametrize(
    ("source", "is_taken"),
    [
        ("10.1.2.3", True),
        ("::ffff:10.1.2.3", True),
        ("2001:db8::1", True),
        ("192.0.2.7", False),
        ("", False),
        ("x", False),
    ],
)
def test_a_token_is_for_its_networks(scoped, source, is_taken):
    token = make(scoped, cidr=["10.0.0.0/8", "2001:db8::/32"])["token"]
    assert bool(scoped.get(token, source)) == is_taken


@pytest.mark.parametrize(
    "more",
    [
        {"label": ""},
        {"label": "a b"},
        {"allow": []},
        {"allow": [1]},
        {"allow": ["@events"]},
        {"on": ""},
        {"on": "@runner"},
        {"lifetime": 0},
        {"lifetime": float("nan")},
        {"lifetime": True},
        {"cidr": ["10.0.0.0/99"]},
        {"allow": ["x" * 300]},
    ],
)
def test_a_token_that_cannot_be_is_refused(scoped, more):
    with pytest.raises(InvocationError):
        make(scoped, **more)


def test_names_are_unique_and_tokens_bounded(scoped):
    for number in range(MOST):
        make(scoped, f"t{number}")
    for label in ("t0", "more"):
        with pytest.raises(InvocationError):
            make(scoped, label)


def test_a_login_by_token_has_the_present_rights_of_its_user_and_the_limits(scoped, tmp_path):
    settings = {
        "external_auth": {"pam": {"ann": ["test.*"]}},
        **{"keep_acl_in_token": False, "permissive_acl": False},
    }
    logins = Logins(settings, Tokens(str(tmp_path / "tokens")), Delays(pause=lambda seconds: None), scoped)
    logins._plugins = type("Plugins", (), {"has": lambda self, name: False})()
    token = make(scoped, allow=["test.ping", "@runner"], cidr=["10.0.0.0/8"])["token"]

    login = logins.by_token(token, "10.0.0.1")
    assert (login.permissions, login.limits) == (["test.*"], [{"*": ["test.ping"]}, "@runner"])
    assert logins.about_token(token, "10.0.0.1")["label"] == "ci"
    assert logins.by_token(token, "192.0.2.7") is None
    settings["external_auth"]["pam"]["ann"] = []
    assert logins.by_token(token, "10.0.0.1").permissions == []
