"""Edits of settings line by line, which keep everything of the user's."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.install.settings import with_settings


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'master: "m"\n'),
        ("# hi\n", '# hi\nmaster: "m"\n'),
        ("a: 1\nmaster: old # was\nb: 2\n", 'a: 1\nmaster: "m"\nb: 2\n'),
        ("master: m\n", "master: m\n"),
        ("masters: x\n", 'masters: x\nmaster: "m"\n'),
    ],
)
def test_one_line_is_set(before, after):
    assert with_settings(before, {"master": "m"}, "minion") == after


@pytest.mark.parametrize("value", ['a"b', "a\\1b", "yes", "12:30", "#x", "é"])
def test_any_text_is_read_back_as_it_was_given(value):
    from salt_g.install.settings import parse

    assert parse(with_settings("id: a\n", {"id": value}, "minion"), "minion") == {"id": value}


@pytest.mark.parametrize("text", ["master: [a,\n  b]\n", "x: |\n  a\n\nmaster:\n- a\n", "{master: a}\n"])
def test_a_setting_that_needs_an_edit_by_hand_is_refused(text):
    with pytest.raises(CommandExecutionError, match="by hand"):
        with_settings(text, {"master": "m"}, "minion")
