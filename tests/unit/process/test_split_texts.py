"""Texts split into lines."""

import pytest

from salt_g.process.split_texts import spans_around, squeezed

TEXT = "correct horse-battery"


@pytest.mark.parametrize(
    "broken",
    [
        "correct\nhorse-battery",
        "correct\n   horse-battery",
        "correct\\\n  \\ horse-battery",
        "correct horse-\n+battery",
        "+corre\n+ct horse-battery",
        "correct\\nhorse-battery",
        "correct\n+\n+  horse-battery",
    ],
)
def test_it_is_found_with_its_breaks(broken):
    text = f"a: {broken}\nb"

    ((start, end),), _ = spans_around(text, text.index("horse"), squeezed(TEXT), len(TEXT))

    assert text[start:end] == broken.lstrip("+")


@pytest.mark.parametrize("text", ["correct  horse battery\n", "correct\nhorse battle", "correct horse"])
def test_nothing_else_is_found(text):
    assert spans_around(text, text.index("horse"), squeezed(TEXT), len(TEXT))[0] == []


def test_a_place_far_away_is_not_looked_at():
    text = f"correct\nhorse-battery{'.' * 5000}horse"

    assert spans_around(text, text.rindex("horse"), squeezed(TEXT), len(TEXT))[0] == []


def test_places_that_were_seen_are_named():
    text = "correct\nhorse-battery " * 100
    place, found = 0, []
    while (place := text.find("horse", place)) >= 0:
        spans, place = spans_around(text, place, squeezed(TEXT), len(TEXT))
        found += spans

    assert {text[start:end] for start, end in found} == {"correct\nhorse-battery"}
    assert len(set(found)) == 100
    assert len(found) < 130
