"""Refusals of malformed high data, in stock's words."""

import pytest

from salt_g.shapes.high_data import HighData
from salt_g.state.compile.verify import verify_high


def findings(arguments, state_id="a", module="test"):
    high = {state_id: {module: arguments, "__sls__": "web", "__env__": "base"}}
    return [problem.message for problem in verify_high(HighData.of(high))]


def test_well_formed_data_has_no_findings():
    assert findings(["nop", {"require": [{"test": "b"}, "c"]}]) == []


def test_internal_ids_are_skipped():
    assert findings(None, state_id="__x") == []


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"x": 1}, "State 'a' in SLS 'web' is not formed as a list"),
        ([{"x": 1}], "No function declared in state 'a' in SLS 'web'"),
        (
            ["nop", "x"],
            "Too many functions declared in state 'a' in SLS 'web'. "
            "Please choose one of the following: nop, x",
        ),
        (
            ["nop", {"names": "x"}],
            "The 'names' argument in state 'a' in SLS 'web' needs to be formed as a list",
        ),
        (
            ["nop", {"require": "b"}],
            "The require statement in state 'a' in SLS 'web' needs to be formed as a list",
        ),
        (
            ["nop", {"onfail_stop": False}],
            "The onfail_stop statement in state 'a' in SLS 'web' needs to be formed as a list",
        ),
        (
            ["nop", {"watch": [{"a": 1, "b": 2}]}],
            "Requisite declaration OrderedDict([('a', 1), ('b', 2)]) in state a in SLS web "
            "is not formed as a single key dictionary",
        ),
        (
            ["nop", {"require": [{"test.nop": "b"}]}],
            "Invalid requisite type 'test.nop' in state 'a', in SLS 'web'. "
            "Requisite types must not contain dots, did you mean 'test'?",
        ),
        (
            ["nop", {"require": [{"test": ["b"]}]}],
            'Illegal requisite "[\'b\']" in SLS "web", please check your syntax.\n',
        ),
        (
            ["nop", {"require": [{"test": "b"}], "order": 1}],
            "Multiple dictionaries defined in argument of state 'a' in SLS 'web'",
        ),
    ],
)
def test_malformed_arguments_are_named(arguments, text):
    assert findings(arguments) == [text]


def test_a_trailing_colon_is_explained():
    assert findings(None, module="test.nop")[0].startswith(
        "ID 'a' in SLS 'web' contains a short declaration (test.nop) with a trailing colon."
    )


def test_a_function_with_a_blank_is_a_forgotten_colon():
    messages = findings(["nop", "some thing"])

    assert 'The function "some thing" in state "a" in SLS "web" has whitespace' in messages[0]
    assert len(messages) == 2


@pytest.mark.parametrize("module", [5, True])
def test_a_module_that_is_not_a_text_is_refused(module):
    assert "is not formed as a string" in findings([], module=module)[0]


def test_an_id_that_is_not_a_text_is_refused():
    assert findings(["nop"], state_id=10) == [
        "ID '10' in SLS 'web' is not formed as a string, but is type int. It may need to be quoted."
    ]


def test_a_finding_knows_its_state():
    problem = next(verify_high(HighData({"a": {"test": [{"x": 1}], "__sls__": "web", "__env__": "base"}})))

    assert (problem.sls, problem.state_id) == ("web", "a")
