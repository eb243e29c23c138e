"""Events as lines: values unsupported by JSON become text."""

from salt_g.report.event_lines import event_line


def test_a_line_has_the_tag_and_the_data():
    assert event_line("my/tag", {"b": 1, "a": [None]}, pretty=False) == 'my/tag\t{"b": 1, "a": [null]}'


def test_a_pretty_one_is_sorted_over_several_lines():
    assert event_line("t", {"b": 1, "a": 2}, pretty=True) == 't\t{\n    "a": 2,\n    "b": 1\n}'


def test_bytes_are_read_as_text_and_anything_else_is_described():
    line = event_line("t", {"bytes": b"caf\xc3\xa9 \xff", "set": {1}}, pretty=False)

    assert line == 't\t{"bytes": "caf\\u00e9 \\ufffd", "set": "{1}"}'
