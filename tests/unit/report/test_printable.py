"""Text of others on a terminal."""

from salt_g.report.printable import printable


def test_control_characters_are_replaced_and_the_rest_stays():
    assert printable("a\tb é 😀") == "a\tb é 😀"
    assert printable("a\x1b[2J\r\n\x9b\u202eb") == "a\ufffd[2J\ufffd\ufffd\ufffd\ufffdb"
