"""Secrets of pillar by their paths."""

import pytest

from salt_g.pillar.secret_paths import hidden, secrets_in, without_secrets
from salt_g.process import secret_hiding

PILLAR = {
    "db": {
        "prod": {"password": "topsecret1", "user": "bob"},
        "test": {"password": 7654321},
        "keys": [{"pem": "abcdefgh"}],
    },
    "dsn": "postgres://u:topsecret9@h",
    "flag": True,
}


@pytest.fixture(autouse=True)
def no_secrets():
    with secret_hiding.forgotten():
        yield


@pytest.mark.parametrize(
    ("patterns", "found"),
    [
        (["db:*:password"], {"topsecret1": "db:prod:password", "7654321": "db:test:password"}),
        ("db:prod:p*", {"topsecret1": "db:prod:password"}),
        (["db:keys"], {"abcdefgh": "db:keys:0:pem"}),
        (["db:keys:*:pem"], {"abcdefgh": "db:keys:0:pem"}),
        (["*:password", "flag", "none:such"], {}),
        ([], {}),
    ],
)
def test_a_path_finds_the_values_at_and_below_it(patterns, found):
    assert secrets_in(PILLAR, patterns) == found


def test_a_noted_value_is_named_by_the_text_that_holds_it():
    assert secrets_in(PILLAR, [], ["topsecret9", "nowhere"]) == {"topsecret9": "dsn"}


def test_hidden_pillar_has_places_instead_of_values():
    assert hidden(PILLAR, ["db:*:password"])["db"]["test"] == {"password": "<secret:db:test:password>"}


def test_pillar_of_a_job_is_hidden_and_its_secrets_are_known_from_then_on():
    arguments = [
        "web",
        {"__kwarg__": True, "pillar": {"db": {"a": {"password": "topsecret3"}}}, "note": "topsecret3"},
    ]

    shown = without_secrets(arguments, ["db:*:password"])

    assert shown[1]["pillar"] == {"db": {"a": {"password": "<secret:db:a:password>"}}}
    assert shown[1]["note"] == "<secret:db:a:password>"
    assert arguments[1]["pillar"]["db"]["a"]["password"] == "topsecret3"
    assert secret_hiding.hide("topsecret3") == "<secret:db:a:password>"


def test_pillar_that_is_text_is_hidden_as_a_whole():
    assert without_secrets([["pillar={a: 1}"], [{"pillar": "{a: 1}"}]], ["a"]) == [
        ["pillar=<secret:pillar>"],
        [{"pillar": "<secret:pillar>"}],
    ]
