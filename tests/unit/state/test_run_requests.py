"""Requested runs that wait for confirmation."""

import os

import pytest

from salt_g.state.run_requests import RunRequests

REQUEST = {"test_run": {"t": {"result": None}}, "mods": ["web"], "kwargs": {}}


@pytest.fixture
def requests(tmp_path):
    return RunRequests(str(tmp_path / "cache"))


def test_requests_are_kept_by_name_and_replaced(requests):
    requests.put("a", REQUEST)
    requests.put("b", REQUEST)
    requests.put("a", {**REQUEST, "mods": ["db"]})

    assert requests.read() == {"a": {**REQUEST, "mods": ["db"]}, "b": REQUEST}


def test_one_is_removed_and_the_others_stay(requests):
    requests.put("a", REQUEST)
    requests.put("b", REQUEST)

    assert requests.clear("a") is True
    assert requests.read() == {"b": REQUEST}


def test_an_unknown_name_is_false_only_if_there_is_a_file(requests):
    assert requests.clear("a") is True
    requests.put("b", REQUEST)

    assert requests.clear("a") is False
    assert requests.read() == {"b": REQUEST}


def test_all_are_removed_also_when_there_are_none(requests):
    requests.put("a", REQUEST)

    assert requests.clear() is True
    assert requests.clear() is True
    assert requests.read() == {}


def test_stored_requests_are_private_and_hold_any_value(requests, tmp_path):
    requests.put("a", {**REQUEST, "kwargs": {"path": tmp_path}})

    assert os.stat(tmp_path / "cache" / "req_state.p").st_mode & 0o077 == 0
    assert requests.read()["a"]["kwargs"] == {"path": str(tmp_path)}
