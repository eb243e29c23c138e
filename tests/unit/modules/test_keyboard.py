"""Keyboard layout in Debian's file."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import keyboard


@pytest.fixture
def file(tmp_path, monkeypatch, call_context, installed):
    path = tmp_path / "keyboard"
    path.write_text('# a comment\nXKBLAYOUT="us"\nXKBVARIANT=""\n')
    monkeypatch.setitem(keyboard.FILES, "Debian", (str(path), "XKBLAYOUT"))
    installed()
    call_context(grains={"os_family": "Debian"})
    return path


def test_the_layout_is_one_setting_of_the_file(file):
    before = keyboard.get_sys()
    keyboard.set_sys("de")

    assert before == "us"
    assert keyboard.get_sys() == "de"
    assert file.read_text() == '# a comment\nXKBLAYOUT=de\nXKBVARIANT=""\n'


def test_a_file_without_the_setting_is_named(file):
    file.write_text("")

    with pytest.raises(CommandExecutionError, match="has no XKBLAYOUT"):
        keyboard.get_sys()


def test_a_missing_program_is_named(file):
    with pytest.raises(CommandExecutionError, match="setxkbmap is not installed"):
        keyboard.get_x()
