"""A job in a list of jobs, with the keys of stock."""

import pytest

from salt_g.report.job_summary import summary

LOAD = {"fun": "test.arg", "arg": [1], "tgt": "web*", "tgt_type": "glob", "user": "fred"}
SHOWN = {
    "Function": "test.arg",
    "Arguments": [1],
    "Target": "web*",
    "Target-type": "glob",
    "User": "fred",
}


def test_a_job_is_shown_with_stocks_keys():
    assert summary(LOAD) == SHOWN


def test_unknown_fields_have_the_words_of_stock():
    assert summary({}) == {
        "Function": "unknown-function",
        "Arguments": [],
        "Target": "unknown-target",
        "Target-type": "list",
        "User": "root",
    }


@pytest.mark.parametrize(
    "added",
    [
        {"metadata": {"why": 1}},
        {"kwargs": {"metadata": {"why": 1}}},
        {"arg": [1, {"__kwarg__": True, "metadata": {"why": 1}}]},
    ],
)
def test_metadata_is_shown_wherever_it_was_given(added):
    assert summary({**LOAD, **added})["Metadata"] == {"why": 1}


def test_an_argument_that_only_looks_like_metadata_is_none():
    assert "Metadata" not in summary({**LOAD, "arg": [{"metadata": 1}]})
