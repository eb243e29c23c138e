"""The record of high data, and the mapping that users see."""

import copy
import itertools

import pytest

from salt_g.shapes.high_data import HighData, MalformedChanges

STATE = {"test": [{"x": 1}, "nop"], "__sls__": "web", "__env__": "base"}
EXTENSION = {"a": {"test": [{"x": 2}]}}


def test_the_parts_of_a_mapping_are_apart():
    high = HighData.of({"a": STATE, "__extend__": [EXTENSION], "__exclude__": ["db", {"id": "b"}]})

    assert high.declarations == {"a": STATE}
    assert high.extensions == (EXTENSION,)
    assert high.exclusions == ("db", {"id": "b"})


@pytest.mark.parametrize("keys", list(itertools.permutations(["a", "b", "__extend__", "__exclude__"])))
def test_a_mapping_comes_back_with_its_keys_in_order(keys):
    values = {"a": STATE, "b": STATE, "__extend__": [EXTENSION], "__exclude__": ["db"]}
    mapping = {key: values[key] for key in keys}

    made = HighData.of(mapping).as_mapping()

    assert list(made) == list(keys)
    assert made == mapping


@pytest.mark.parametrize(
    "mapping",
    [
        {},
        {"a": STATE},
        {"__extend__": []},
        {"__exclude__": []},
        {"a": None, 5: "test.nop", "b": ["x"], "c": {5: None, "test": "nop"}, None: {}},
        {"__odd__": {"test": ["nop"]}, "__sls__": "web"},
        {"a": "x", "__extend__": [{}, {"a": {}}], "__exclude__": [None, {}, [1]]},
    ],
)
def test_malformed_and_empty_parts_come_back_as_they_are(mapping):
    before = copy.deepcopy(mapping)

    made = HighData.of(mapping).as_mapping()

    assert made == mapping == before
    assert list(made) == list(before)


@pytest.mark.parametrize("key", ["__extend__", "__exclude__"])
@pytest.mark.parametrize("value", [5, None, "text", {"a": "b"}])
def test_changes_that_are_not_a_list_are_an_error(key, value):
    with pytest.raises(MalformedChanges, match=f"^{key} is not ") as caught:
        HighData.of({key: value})

    assert caught.value.key == key


@pytest.mark.parametrize("item", [5, None, "text", ["a"], {"a": 5}, {"a": None}])
def test_an_extension_that_is_not_a_mapping_of_bodies_is_an_error(item):
    with pytest.raises(MalformedChanges, match="^__extend__ is not a list of dictionaries of IDs$"):
        HighData.of({"__extend__": [EXTENSION, item]})


def test_the_mapping_of_a_user_keeps_its_keys():
    mapping = {"a": STATE, "__extend__": [EXTENSION]}
    high = HighData.of(mapping)

    del high.declarations["a"]
    high.with_exclusions(["db"])

    assert mapping == {"a": STATE, "__extend__": [EXTENSION]}


def test_added_changes_follow_what_is_declared_before_them():
    high = HighData({"a": STATE}).with_exclusions(["db"])
    high.declarations["b"] = STATE
    high = high.with_extensions([EXTENSION]).with_exclusions([{"id": "c"}])
    high.declarations["c"] = STATE

    assert list(high.as_mapping()) == ["a", "__exclude__", "b", "__extend__", "c"]
    assert high.as_mapping()["__exclude__"] == ["db", {"id": "c"}]


def test_changes_of_two_are_joined_extensions_first():
    one = HighData({"a": STATE}).with_exclusions(["db"])
    other = HighData({}).with_exclusions(["web"]).with_extensions([EXTENSION])

    joined = HighData({"b": STATE}).with_changes_of(other)

    assert one.with_changes_of(other).exclusions == ("db", "web")
    assert list(joined.as_mapping()) == ["b", "__extend__", "__exclude__"]
    assert one.with_changes_of(HighData({"c": STATE})) == one


def test_an_empty_list_of_changes_is_seen_and_counts():
    high = HighData({}).with_extensions([])

    assert high.as_mapping() == {"__extend__": []}
    assert not high.is_empty
    assert HighData({}).is_empty
    assert not HighData({"a": STATE}).is_empty
