from salt_g.formats import ansi
from salt_g.formats.ansi import printable


def test_no_colour_means_empty_codes():
    assert set(ansi.palette(False).values()) == {""}


def test_one_colour_can_stand_for_all():
    colors = ansi.palette("RED")

    assert colors["GREEN"] == colors["RED"] == "\033[0;31m"
    assert colors["ENDC"] == "\033[0;0m"


def test_a_theme_replaces_codes(tmp_path):
    theme = tmp_path / "theme"
    theme.write_text('GREEN: "38;5;28"\n')

    colors = ansi.palette(True, str(theme))

    assert colors["GREEN"] == "\033[38;5;28m"
    assert colors["RED"] == "\033[0;31m"


def test_a_theme_that_cannot_be_read_is_logged_and_changes_nothing(tmp_path, caplog):
    colors = ansi.palette(True, str(tmp_path / "missing"))

    assert colors == ansi.palette(True)
    assert "missing" in caplog.text


def test_control_characters_are_replaced_and_the_rest_stays():
    assert printable("a\tb é 😀") == "a\tb é 😀"
    assert printable("a\x1b[2J\r\n\x9b\u202eb") == "a\ufffd[2J\ufffd\ufffd\ufffd\ufffdb"
