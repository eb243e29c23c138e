"""Minions that do not have a function: what was probably meant."""

import pytest

from salt_g.cli.mistyped import hints


@pytest.fixture
def opts(tmp_path):
    return {"cachedir": str(tmp_path), "extension_modules": str(tmp_path / "extmods")}


def test_a_mistyped_function_is_told_with_the_nearest_ones(opts):
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
def test_what_minions_otherwise_return_brings_no_hint(opts, value):
    assert hints("test.pign", [value], opts) == []


def test_a_function_that_is_here_but_not_on_the_minion_is_not_offered_as_itself(opts):
    lines = hints("test.ping", ["'test.ping' is not available."], opts)

    assert all("Did you mean test.ping?" not in line for line in lines)


def test_a_function_like_no_other_brings_no_hint(opts):
    assert hints("qqq.zzz", ["'qqq.zzz' is not available."], opts) == []
