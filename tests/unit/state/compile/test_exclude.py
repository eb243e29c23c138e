"""States removed from high data by name, and by SLS."""

import pytest

from salt_g.shapes.high_data import HighData
from salt_g.state.compile.exclude import apply_exclude, excluded_sls


def high(*excluded):
    states = {
        "nginx": {"pkg": ["installed"], "__sls__": "web.nginx"},
        "site": {"file": ["managed"], "__sls__": "web"},
        "db": {"pkg": ["installed"], "__sls__": "db"},
    }
    return HighData(states).with_extensions([]).with_exclusions(excluded)


@pytest.mark.parametrize(
    ("excluded", "left"),
    [
        ("web", ["nginx", "db"]),
        ("web*", ["db"]),
        ({"sls": "web.*"}, ["site", "db"]),
        ({"id": "db"}, ["nginx", "site"]),
        ({"id": "d*"}, ["nginx", "site", "db"]),
        ({"id": "nosuch"}, ["nginx", "site", "db"]),
        ({"id": 5}, ["nginx", "site", "db"]),
        ({"id": "db", "sls": "web"}, ["nginx", "db"]),
        ({}, ["nginx", "site", "db"]),
        (7, ["nginx", "site", "db"]),
    ],
)
def test_patterns_are_of_sls_and_ids_are_exact(excluded, left):
    data = high(excluded)

    apply_exclude(data)

    assert list(data.declarations) == left


def test_data_without_a_list_stays_as_it_is():
    data = HighData({"a": {"test": ["nop"], "__sls__": "a"}})

    apply_exclude(data)

    assert list(data.declarations) == ["a"]


def test_an_id_that_is_not_a_mapping_is_left_to_the_checks_after():
    data = HighData.of({"a": "test.nop", "__exclude__": ["*"]})

    apply_exclude(data)

    assert data.declarations == {"a": "test.nop"}


def test_only_texts_are_names_of_sls():
    assert excluded_sls(["a", {"sls": "b"}, {"sls": 3}, {"id": "c"}, "", None]) == ["a", "b"]
