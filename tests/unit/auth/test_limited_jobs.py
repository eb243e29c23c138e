"""Further fields of a job from a caller with limited rights."""

import pytest

from salt_g.auth.limited_jobs import STEERING, forged_names, further_calls, without_daemon_fields
from salt_g.auth.permissions import FunctionCall


def test_each_returner_is_a_call_of_its_own():
    assert further_calls("mysql, redis,mysql,", {}) == [
        FunctionCall("mysql.returner"),
        FunctionCall("redis.returner"),
    ]
    assert further_calls("", {}) == further_calls(None, {}) == []


def test_the_masters_own_job_cache_needs_no_permission():
    assert further_calls("mysql,redis", {}, always="mysql, pgjsonb") == [FunctionCall("redis.returner")]


@pytest.mark.parametrize("ret", [5, ["mysql"], {"mysql": 1}, True])
def test_a_returner_that_is_not_a_text_is_malformed(ret):
    assert further_calls(ret, {}) is None


@pytest.mark.parametrize("name", STEERING)
def test_fields_that_steer_minions_need_the_right_to_run_anything(name):
    assert further_calls("", {name: ["sudo"]}) == [FunctionCall("cmd.run")]
    assert further_calls("", {name: None}) == []


def test_arguments_that_daemons_add_are_found_in_every_call():
    calls = [
        FunctionCall("a", (), {"__pub_user": 1, "x": 2}),
        FunctionCall("b", (), {"__id__": 3}),
        FunctionCall("c", ("__x",)),
    ]

    assert forged_names(calls) == ["__id__", "__pub_user"]


def test_fields_of_daemons_are_dropped():
    assert without_daemon_fields({"id": "m1", "to": 5, "user": "fred"}) == {"user": "fred"}
