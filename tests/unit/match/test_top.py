"""Target types of top files."""

import pytest

from salt_g.match.top import target_type


@pytest.mark.parametrize(
    ("items", "kind"),
    [
        (["a", "b"], "compound"),
        (["a", {"match": "grain"}], "grain"),
        ([{"match": "grain"}, "a", {"match": "list"}], "list"),
        ([{"order": 1}], "compound"),
        ([], "compound"),
        ([{"match": 5}], "5"),
    ],
)
def test_the_last_match_counts(items, kind):
    assert target_type(items) == kind
