"""Small values, stored in one private file."""

import os

import pytest

from salt_g.modules import data


@pytest.fixture
def store(call_context, tmp_path):
    """Return the path of the file that holds the values."""
    call_context(opts={"cachedir": str(tmp_path / "cache")})
    return tmp_path / "cache" / "datastore"


def test_a_value_is_kept_in_a_private_file(store):
    data.update("k", {"a": [1]})

    assert data.get("k") == {"a": [1]}
    assert os.stat(store).st_mode & 0o777 == 0o600


def test_check_and_set_changes_only_what_is_as_expected(store):
    data.update("k", "old")

    assert data.cas("k", "new", "wrong") is False
    assert data.cas("k", "new", "old") is True
    assert data.cas("none", "new", None) is False
    assert data.load() == {"k": "new"}


def test_pop_removes_and_returns(store):
    data.update("k", 1)

    assert data.pop("k") == 1
    assert data.pop("k", "nothing") == "nothing"
    assert data.has_key("k") is False


def test_dump_replaces_everything_and_refuses_what_is_not_a_mapping(store):
    assert data.dump('{"a": 1}') is True
    assert data.dump("[1]") is False
    assert data.dump("{broken") is False
    assert data.items() == {"a": 1}


def test_a_damaged_file_is_an_empty_store(store):
    data.update("k", 1)
    store.write_bytes(b"\xc1\xff")

    assert data.load() == {}
    assert data.get(["k"]) == []


def test_clear_forgets_everything(store):
    data.update("k", 1)

    assert data.clear() is True
    assert data.clear() is True
    assert data.keys() == data.values() == []
