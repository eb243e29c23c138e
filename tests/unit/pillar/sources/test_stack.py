"""Merging of stacked pillar."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.pillar.sources.stack import merge_mapping


@pytest.mark.parametrize(
    ("base", "over", "merged"),
    [
        ({"a": 1}, {"b": 2}, {"a": 1, "b": 2}),
        ({"a": 1}, {"a": 2}, {"a": 2}),
        ({"a": 1}, {"__": "merge-first", "a": 2}, {"a": 1}),
        ({"a": 1, "b": 2}, {"__": "remove", "a": ""}, {"b": 2}),
        ({"a": 1}, {"__": "overwrite", "b": 2}, {"b": 2}),
        ({"l": [1]}, {"l": [2]}, {"l": [1, 2]}),
        ({"l": [1]}, {"l": [{"__": "merge-first"}, 2]}, {"l": [2, 1]}),
        ({"l": [1]}, {"l": [{"__": "overwrite"}, 2]}, {"l": [2]}),
        ({"l": [1, 2]}, {"l": [{"__": "remove"}, 2]}, {"l": [1]}),
        ({"d": {"x": 1}}, {"d": {"y": 2}}, {"d": {"x": 1, "y": 2}}),
        ({"d": {"x": 1}}, {"d": [1]}, {"d": [1]}),
        ({}, {"d": {"__": "overwrite", "x": 1}}, {"d": {"x": 1}}),
    ],
)
def test_marks_say_how_to_merge(base, over, merged):
    assert merge_mapping(base, over) == merged


def test_an_unknown_mark_is_an_error():
    with pytest.raises(CommandExecutionError, match='Unknown strategy "x"'):
        merge_mapping({}, {"__": "x"})
