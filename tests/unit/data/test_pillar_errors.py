"""Messages under `_errors` of a pillar, with content of any type."""

import pytest

from salt_g.data.pillar_errors import errors_of


@pytest.mark.parametrize(
    ("pillar", "messages"),
    [
        ({}, []),
        ({"_errors": None}, []),
        ({"_errors": []}, []),
        ({"_errors": ["one", 2]}, ["one", "2"]),
        ({"_errors": "text"}, ["text"]),
        ({"_errors": 5}, ["5"]),
        ({"_errors": {"a": 1}}, ["{'a': 1}"]),
    ],
    ids=str,
)
def test_a_list_has_a_message_in_each_item_and_any_other_value_is_one(pillar, messages):
    assert errors_of(pillar) == messages
