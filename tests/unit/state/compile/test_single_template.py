"""Data of a text that is an SLS by itself."""

import pytest

from salt_g.state.compile.diagnostics import Problems
from salt_g.state.compile.single_template import declare_single


def declared(data):
    problems = Problems()
    high = declare_single(data, "<text>", problems)
    return high.as_mapping(), problems.messages()


@pytest.mark.parametrize("data", [None, {}, ""])
def test_nothing_declares_nothing(data):
    assert declared(data) == ({}, [])


def test_short_forms_become_long_ones():
    data = {"a": "test.nop", "b": {"test.nop": [{"x": 1}]}, "c": {"test": ["nop", {"x": 1}]}}

    assert declared(data) == (
        {"a": {"test": ["nop"]}, "b": {"test": [{"x": 1}, "nop"]}, "c": {"test": ["nop", {"x": 1}]}},
        [],
    )


@pytest.mark.parametrize("word", ["include", "exclude", "extends"])
def test_declarations_that_need_other_files_are_refused(word):
    high, messages = declared({word: ["x"], "a": "test.nop"})

    assert high == {}
    assert messages == [
        f"The '{word}' declaration found on '<text>' is invalid when rendering single templates"
    ]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (["a"], "Template <text> does not render to a dictionary"),
        ({"a": 5}, "ID a in template <text> is not a dictionary"),
        ({"a": "nop"}, "ID a in template <text> is not a dictionary"),
        (
            {"a": {"test.nop": None}},
            "ID 'a' in template <text> contains a short declaration (test.nop) with a trailing colon. "
            "When not passing any arguments to a state, the colon must be omitted.",
        ),
        (
            {"a": {"test.nop": [], "test.ping": []}},
            "ID 'a' in template '<text>' contains multiple state declarations of the same type",
        ),
    ],
)
def test_faults_are_reported(data, text):
    assert declared(data)[1] == [text]


def test_the_arguments_of_the_template_are_not_changed():
    arguments = [{"x": 1}]

    declared({"a": {"test.nop": arguments}})

    assert arguments == [{"x": 1}]
