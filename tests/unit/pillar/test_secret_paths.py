"""Secrets of pillar by their paths."""

import pytest

from salt_g.pillar.secret_paths import hidden, learn_from_job, secrets_in, with_paths, without_secrets
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


def test_pillar_deeper_in_arguments_is_hidden_too():
    job = {"function": "state.apply", "job_kwargs": {"pillar": {"db": {"a": {"password": "topsecret4"}}}}}

    shown = without_secrets(["job1", {"__kwarg__": True, **job}, 7, ["x"]], ["db:*:password"])

    assert shown[1]["job_kwargs"] == {"pillar": {"db": {"a": {"password": "<secret:db:a:password>"}}}}
    assert (shown[0], shown[2:]) == ("job1", [7, ["x"]])
    assert secret_hiding.hide("topsecret4") == "<secret:db:a:password>"


def test_a_job_with_pillar_has_the_paths_by_which_its_minion_knows_the_secrets():
    job = {
        "fun": "test.kwarg",
        "arg": [{"__kwarg__": True, "pillar": {"db": {"a": {"password": "topsecret5"}}}}],
    }
    plain = {"fun": "test.arg", "arg": ["pillar"]}

    sent = with_paths(job, ["db:*:password"])
    assert with_paths(plain, ["db:*:password"]) is plain
    assert with_paths(job, []) is job
    learn_from_job(sent)

    assert secret_hiding.hide("topsecret5") == "<secret:db:a:password>"


def test_pillar_that_is_text_is_hidden_as_a_whole():
    assert without_secrets([["pillar={a: 1}"], [{"pillar": "{a: 1}"}]], ["a"]) == [
        ["pillar=<secret:pillar>"],
        [{"pillar": "<secret:pillar>"}],
    ]
