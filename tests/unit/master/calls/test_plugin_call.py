import pytest

from salt_g.master.calls.plugin_call import split_load, timeout_of
from salt_g.report.run_verdict import succeeded


@pytest.mark.parametrize(
    ("load", "found"),
    [
        ({"arg": [1], "kwarg": {"a": 2}}, ([1], {"a": 2})),
        ({"arg": [1], "kwarg": {"a": 2}, "timeout": 3}, ([1], {"a": 2})),
        ({"a": 2, "__jid__": "7"}, ([], {"a": 2})),
        ({"arg": "text"}, ([], {"arg": "text"})),
        ({}, ([], {})),
    ],
)
def test_arguments_come_nested_or_as_keywords_alone(load, found):
    assert split_load(load) == found


@pytest.mark.parametrize(
    ("load", "timeout"),
    [
        ({"arg": [], "kwarg": {}, "timeout": 3}, 3.0),
        ({"arg": [], "kwarg": {}, "timeout": "3"}, None),
        ({"arg": [], "kwarg": {}, "timeout": -1}, None),
        ({"timeout": 3}, None),
        (None, None),
    ],
)
def test_the_time_limit_is_of_our_client_only(load, timeout):
    assert timeout_of(load) == timeout


@pytest.mark.parametrize(
    ("running", "is_good"),
    [
        ({"a": {"result": True}}, True),
        ({"a": {"result": None}}, True),
        ({"a": {"result": False}}, False),
        ({"m1": {"a": {"result": True}}, "m2": {"a": {"result": False}}}, False),
        ({"m1": {}}, False),
        ({"m1": ["no such sls"]}, False),
        ({"__extend__": []}, True),
        ({}, False),
        ("text", False),
    ],
)
def test_states_went_well_when_there_are_some_and_none_failed(running, is_good):
    assert succeeded(running) is is_good


def test_items_other_than_states_are_left_out_below_the_top():
    assert succeeded({"m1": {"a": {"result": True}, "note": "text"}}) is True
    assert succeeded({"note": "text"}, nested=True) is True
