"""Parsing of words to functions and arguments."""

import argparse

import pytest

from salt_g.cli.cmd.job_request import (
    MissingArguments,
    documentation_words,
    function_and_arguments,
    why_malformed,
)
from salt_g.client.publishing import JobRequest


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["test.ping"], ("test.ping", [])),
        (["f.g", "a", "b=1", "[1, 2]"], ("f.g", ["a", [1, 2], {"__kwarg__": True, "b": 1}])),
        (["a.b,c.d", ",", "hi"], (["a.b", "c.d"], [[], ["hi"]])),
        (["a.b,c.d", "x", ",", "hi", "n=1"], (["a.b", "c.d"], [["x"], ["hi", {"__kwarg__": True, "n": 1}]])),
        (["a.b,c.d", "x,hi"], (["a.b", "c.d"], [["x"], ["hi"]])),
        (["a.b,c.d", ",hi"], (["a.b", "c.d"], [[], ["hi"]])),
    ],
)
def test_words_are_functions_and_their_arguments(words, expected):
    assert function_and_arguments(words) == expected


def test_another_separator_leaves_commas_alone():
    found = function_and_arguments(["a.b,c.d", "x,y", "-", "z"], separator="-")

    assert found == (["a.b", "c.d"], [["x,y"], ["z"]])


@pytest.mark.parametrize("words", [[], ["a.b,c.d"], ["a.b,c.d", "x,y,z"]])
def test_words_that_are_not_whole_jobs_are_refused(words):
    with pytest.raises(MissingArguments):
        function_and_arguments(words)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], ["*", "sys.doc"]),
        (["m1"], ["m1", "sys.doc"]),
        (["m1", "test.ping"], ["m1", "sys.doc", "test.ping"]),
        (["m1", "sys.doc", "test"], ["m1", "sys.doc", "test"]),
    ],
)
def test_documentation_is_a_job_of_its_own(words, expected):
    assert documentation_words(words) == expected


@pytest.mark.parametrize(
    ("tgt", "tgt_type", "words"),
    [
        ("web*", "glob", ""),
        ("webs", "nodegroup", ""),
        ("G@", "compound", "'G@' has no pattern"),
        ("x", "nodegroup", "'x'"),
    ],
)
def test_a_malformed_target_without_minions_is_explained(tgt, tgt_type, words):
    job, options = JobRequest(tgt, "test.ping", [], tgt_type), argparse.Namespace(delimiter=":")

    why = why_malformed(job, options, {"nodegroups": {"webs": "web*"}})

    assert words in why and bool(why) is bool(words)
