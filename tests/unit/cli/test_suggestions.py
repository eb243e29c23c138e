"""Suggestions for functions, runners and subcommands that do not exist."""

import pytest

from salt_g.cli import dispatch, exit_codes, suggestions
from salt_g.cli.dispatch import SUBCOMMANDS
from salt_g.cli.suggestions import hints, runners, subcommands


@pytest.fixture
def opts(tmp_path):
    return {"cachedir": str(tmp_path), "extension_modules": str(tmp_path / "extmods")}


def test_a_mistyped_function_is_reported_with_the_nearest_ones(opts):
    [line] = hints("test.pign", ["'test.pign' is not available."], opts)

    assert line.startswith("'test.pign' is not available. Did you mean test.ping")


def test_a_map_of_functions_and_their_documentation_is_read_too(opts):
    values = [{"test.pign": "'test.pign' is not available.", "test.arg": "docs"}]

    [line] = hints(["test.pign", "test.arg"], values, opts)

    assert "test.ping" in line


@pytest.mark.parametrize(
    "value",
    [True, "pong", "'pkg.x' is not available. Possible reasons: ...", ["'test.pign' is not available."]],
)
def test_other_values_from_minions_bring_no_hint(opts, value):
    assert hints("test.pign", [value], opts) == []


def test_a_function_that_is_here_but_not_on_the_minion_is_not_offered_as_itself(opts):
    lines = hints("test.ping", ["'test.ping' is not available."], opts)

    assert lines == ["'test.ping' is not available. Did you mean redis.ping or test.fib?"]


def test_a_function_like_no_other_brings_no_hint(opts):
    assert hints("qqq.zzz", ["'qqq.zzz' is not available."], opts) == []


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("ky", "salt-g key"),
        ("mastr", "salt-g master"),
        ("help", "salt-g --help"),
        ("version", "salt-g --version"),
        ("invite", "salt-g key invite"),
    ],
)
def test_a_word_like_a_subcommand_is_reported(word, meant):
    assert subcommands(word, SUBCOMMANDS) == [meant]


@pytest.mark.parametrize("word", ["web1", "tset.ping", "key.list", "*"])
def test_a_word_like_no_subcommand_brings_no_hint(word):
    assert subcommands(word, SUBCOMMANDS) == []


def test_a_mistyped_runner_is_reported_with_the_nearest_ones(opts):
    [line] = runners("jobs.list_job_", "'jobs.list_job_' is not available.", opts)

    assert "jobs.list_job" in line


def test_another_error_of_a_runner_brings_no_hint(opts):
    assert runners("jobs.list_job_", "no job of that name", opts) == []


def test_each_link_that_is_refused_has_its_reason():
    assert set(dispatch.ABSENT_LINKS) == set(suggestions.ABSENT)
    assert suggestions.for_absent_program("web1") == ""


@pytest.mark.parametrize("argv", [["salt-syndic", "-d"], ["/usr/bin/salt-syndic"], ["salt-g", "syndic"]])
def test_a_syndic_is_refused_with_what_takes_its_place(argv, capsys):
    assert dispatch.run(argv) == exit_codes.USAGE
    assert "salt-g has no salt-syndic: minions may have several masters" in capsys.readouterr().err
