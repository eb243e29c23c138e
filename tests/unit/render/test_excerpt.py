"""Source excerpts around an error."""

import pytest

from salt_g.render.excerpt import MARKER, excerpt, located_error

TEXT = "\n".join(f"l{number}" for number in range(1, 21))


@pytest.mark.parametrize(
    ("line", "first", "last"),
    [(1, "l1", "l6"), (6, "l1", "l11"), (7, "l2", "l12"), (15, "l10", "l20"), (20, "l15", "l20")],
)
def test_five_lines_on_either_side_are_shown_and_the_line_is_marked(line, first, last):
    shown = excerpt(TEXT, line).splitlines()[1:-1]
    kept = [text for text in shown if text != "[...]"]

    assert f"l{line}{MARKER}" in kept
    assert kept[0].removesuffix(MARKER) == first
    assert kept[-1].removesuffix(MARKER) == last
    assert (shown[0] == "[...]") is (first != "l1")
    assert (shown[-1] == "[...]") is (last != "l20")


def test_a_missing_line_shows_the_whole_text():
    assert excerpt("a\nb", 3) == "a\nb"


def test_an_error_has_its_place_as_text_and_as_attributes():
    error = located_error("bad", line=1, text="a", path="/x.sls")

    assert str(error) == f"bad; line 1\n\n---\na{MARKER}\n---"
    assert (error.line, error.path, error.context) == (1, "/x.sls", f"---\na{MARKER}\n---")


def test_an_error_without_a_place_is_its_message_and_trace():
    assert str(located_error("bad", line=3)) == "bad"
    assert str(located_error("bad", text="a", trace="T")) == "bad\nT\n"
