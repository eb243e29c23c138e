import pytest

from salt_g.data.word_list import split


@pytest.mark.parametrize("value, words", [
    ("a", ["a"]), ("a, b ,c", ["a", "b", "c"]), (["a, b", 1], ["a, b", 1]), (("a",), ["a"]), (7, ["7"]),
])  # fmt: skip
def test_a_text_is_split_at_commas_and_a_list_stays(value, words):
    assert split(value) == words
