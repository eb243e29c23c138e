"""Nodegroups as words of a compound target."""

import pytest

from salt_g.errors import TargetError
from salt_g.match.nodegroups import expand_nodegroup

GROUPS = {
    "ids": ["web1", "web2"],
    "text": "web1 web2",
    "regex": ["web[12]", "db1"],
    "compound": "L@a,b or web*",
    "nested": "N@ids and not N@compound",
    "itself": "N@other or x*",
    "other": ["N@itself"],
    "empty": [],
    "number": 5,
    "numbers": [1, 2],
}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ids", ["L@web1,web2"]),
        ("text", ["L@web1,web2"]),
        ("regex", ["E@web[12],db1"]),
        ("compound", ["(", "L@a,b", "or", "web*", ")"]),
        ("nested", ["(", "L@web1,web2", "and", "not", "(", "L@a,b", "or", "web*", ")", ")"]),
        ("empty", ["E@^$"]),
        ("numbers", ["L@1,2"]),
    ],
)
def test_a_group_becomes_words(name, words):
    assert expand_nodegroup(name, GROUPS) == words


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nope", "'nope' does not exist"),
        ("itself", "contains itself: itself -> other -> itself"),
        ("number", "neither text nor a list .got int."),
    ],
)
def test_an_invalid_nodegroup_is_reported(name, text):
    with pytest.raises(TargetError, match=text):
        expand_nodegroup(name, GROUPS)
