"""Sentences about wrong arguments, for the log and the master."""

import logging

import pytest

from salt_g.api import ADVICE
from salt_g.state.compile.argument_hints import ArgumentHints
from salt_g.state.compile.source_locations import SourceLocations

LOW = {"state": "test", "fun": "nop", "__id__": "a", "__sls__": "web", "name": "n"}


def configurable(name, source=None, **kwargs):
    """Accept `template` as well."""


def with_mode(name, mode: str = ""):
    """Accept a text."""


@pytest.fixture
def hints(call_context):
    """Return a function that makes hints in a new call, and the sentences for the master."""

    def make(places=None):
        context = call_context()
        return ArgumentHints(context, places), lambda: context.scratch.get("places", [])

    return make


def test_a_misspelt_keyword_is_returned_each_time_and_logged_once(hints, caplog):
    made, _ = hints()
    arguments = {"name": "n", "sourec": 1}

    with caplog.at_level(logging.WARNING):
        found = [made.on_keywords(configurable, arguments, LOW) for _ in range(2)]

    assert found == [["test.nop: the argument 'sourec' is not known; nearest: 'source'"]] * 2
    assert caplog.messages == [f"web: {found[0][0]} (ID 'a')"]


def test_known_keywords_and_hooks_are_not_reported(hints):
    made, _ = hints()

    assert made.on_keywords(configurable, {"name": "n", "template": 1, "zzz": 1}, LOW) == []
    assert made.on_keywords(configurable, {"sourec": 1}, {**LOW, "fun": "mod_watch"}) == []


def test_an_error_of_types_names_its_argument_to_the_master(hints):
    made, sent = hints()

    made.on_error(with_mode, {"name": "n", "mode": [1]}, LOW, TypeError("list"))
    made.on_error(with_mode, {"name": "n", "mode": [1]}, LOW, TypeError("list"))

    (sentence,) = sent()
    assert sentence.startswith("web: test.nop: ")
    assert "mode" in sentence


def test_the_first_line_of_other_errors_is_reported_without_passwords(hints):
    made, sent = hints()

    made.on_error(with_mode, {"name": "n"}, LOW, OSError("disk\nand more"))
    made.on_error(
        with_mode, {"name": "n"}, {**LOW, "__id__": "b"}, RuntimeError("--password=abc1 " + "x" * 999)
    )

    first, second = sent()
    assert first == "web: test.nop: failed with OSError: disk (ID 'a')"
    assert "abc1" not in second
    assert len(second) < 400


def test_without_a_culprit_the_error_is_reported_but_not_for_secret_states(hints):
    made, sent = hints()

    made.on_error(with_mode, {"name": "n"}, LOW, ValueError("s3cret"))
    made.on_error(with_mode, {"name": "n"}, {**LOW, "__id__": "b", "no_log": True}, ValueError("s3cret"))

    assert sent() == [
        "web: test.nop: failed with ValueError: s3cret (ID 'a')",
        "web: test.nop: failed with ValueError (ID 'b')",
    ]


def test_the_master_gets_a_limited_number_and_the_file_of_each(hints):
    places = SourceLocations(lambda: None)
    places.add("web", url="salt://web.sls", path="/c", saltenv="base")
    made, sent = hints(places)

    for number in range(30):
        made.on_error(with_mode, {}, {**LOW, "__id__": None}, ValueError(str(number)))

    assert len(sent()) == 20
    assert sent()[0].startswith("salt://web.sls (base): test.nop: ")


def test_advice_of_plugins_is_sent_for_a_state_that_failed(hints, call_context):
    made, sent = hints()
    low = dict(LOW)

    for result in (True, False):
        made._context.scratch[ADVICE] = [(id(low), f"result {result}"), (0, "of another state")]
        made.on_failure(low, result)

    assert sent() == ["web: result False (ID 'a')"]
    assert made._context.scratch[ADVICE] == [(0, "of another state")]


def test_a_missing_state_function_names_the_nearest_to_the_master(hints):
    made, sent = hints()

    made.on_missing("test.nopp", ["test.nop"], LOW)

    assert sent() == ["web: no state function 'test.nopp'; nearest: test.nop (ID 'a')"]
