"""Calls of scheduled jobs, and their returns."""

import pytest

from salt_g.schedule.scheduled_call import arguments_of, metadata_of, returners_of


@pytest.mark.parametrize(
    ("settings", "arguments"),
    [
        ({"args": ["a", 1], "kwargs": {"x": 2}}, (["a", 1], {"x": 2})),
        ({"args": ("a",)}, (["a"], {})),
        ({"args": "ls -l"}, (["ls -l"], {})),
        ({"args": 0}, ([0], {})),
        ({"args": {"a": 1}}, ([{"a": 1}], {})),
        ({"args": None, "kwargs": None}, ([], {})),
        ({"kwargs": ["x=2"]}, ([], {})),
        ({}, ([], {})),
    ],
)
def test_a_single_argument_counts_as_one_and_odd_keywords_as_none(settings, arguments):
    assert arguments_of(settings) == arguments


def test_a_call_may_change_its_arguments_without_changing_the_settings():
    settings = {"args": [1], "kwargs": {"x": 2}}
    args, kwargs = arguments_of(settings)

    args.append(3)
    kwargs["y"] = 4

    assert settings == {"args": [1], "kwargs": {"x": 2}}


def test_metadata_gets_the_time_in_the_form_of_stock():
    given = {"owner": "ops"}

    result = metadata_of({"metadata": given}, 0)

    assert (result["owner"], result["_TT"], given) == ("ops", "1970 January 01 Thu 00 01", {"owner": "ops"})
    assert result.keys() == {"owner", "_TOS", "_TS", "_TT"}
    assert len(result["_TOS"]) == 5


@pytest.mark.parametrize("metadata", [None, "text", ["list"]])
def test_without_a_map_there_is_no_metadata(metadata):
    assert metadata_of({"metadata": metadata}, 0) == metadata_of({}, 0) == {}


def test_each_returner_is_named_once_in_the_order_of_the_settings():
    assert returners_of("redis", ["mysql", "redis"], None, "", ("sqlite3",)) == ["redis", "mysql", "sqlite3"]
    assert returners_of() == returners_of(None, [], "") == []
