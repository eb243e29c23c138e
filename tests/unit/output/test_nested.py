from collections import OrderedDict

from hypothesis import given
from hypothesis import strategies as st

from salt_g.output import nested

DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.integers(), inner, max_size=4),
    max_leaves=15,
)


def test_ordered_mappings_keep_their_order():
    data = OrderedDict([("b", 1), ("a", 2)])

    assert nested.output(data, {}) == "b:\n    1\na:\n    2"


def test_keys_of_several_types_are_sorted_as_text():
    assert nested.output({"b": 1, 1: 2}, {}) == "1:\n    2\nb:\n    1"


def test_failed_results_have_red_keys():
    text = nested.output({"a": [[1]]}, {"color": True}, retcode=1)

    assert text.startswith("\033[0;31ma\033[0;0m:")


def test_escape_characters_in_values_cannot_steer_the_terminal():
    assert nested.output("\033[2J", {}) == "?[2J"
    assert nested.output("\033[2J", {"strip_colors": False}) == "\033[2J"


@given(DATA)
def test_colour_adds_nothing_but_escape_sequences(data):
    import re

    plain = nested.output(data, {"color": False})
    colored = nested.output(data, {"color": True})

    assert re.sub("\033\\[[0-9;]*m", "", colored) == plain
