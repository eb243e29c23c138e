"""Advice on malformed SLS."""

import pytest

from salt_g.state.compile.diagnostics import Problem
from salt_g.state.compile.form_advice import advice_for


@pytest.mark.parametrize(
    ("message", "advice"),
    [
        ("No function declared in state 'a' in SLS 'web'", "file.managed, not file"),
        ("State 'a' in SLS 'web' is not formed as a list", "each argument on a line of its own"),
        (
            "The require statement in state 'a' in SLS 'web' needs to be formed as a list",
            "each entry on a line",
        ),
        ("ID a in SLS web is not a dictionary", "write a state below the ID"),
        ("Include Declaration in SLS web is not formed as a list", "write include:"),
        ("Recursive requisites were found: ...", "remove one of the requisites"),
        ("... 'utf-8' codec can't decode byte 0xff in position 3", "UTF-8 text"),
    ],
)
def test_an_error_of_form_has_advice(message, advice):
    assert advice in advice_for(message)
    assert Problem(message).hint == advice_for(message)


def test_a_self_explanatory_message_gets_no_advice():
    assert advice_for("ID include in SLS web is not a dictionary") == ""
    assert advice_for("Cannot extend ID 'a' in 'base:web'.") == ""


def test_advice_of_the_finder_comes_first():
    assert Problem("a is not formed as a list", advice="indent it").hint == "indent it"
