"""Syntax of managed templates."""

import pytest

from salt_g.lint.template_check import broken_template


@pytest.fixture
def broken(tmp_path):
    """Return a function that returns the problem with a template of this content."""

    def check(content):
        (tmp_path / "t").write_bytes(content)
        return broken_template(str(tmp_path / "t"))

    return check


def test_the_line_of_an_error(broken):
    found = broken(b"a\n{% if x %}\n{{ y \n")

    assert found.line == 3
    assert found.message.startswith("Jinja syntax error: ")


@pytest.mark.parametrize("content", [b"{{ nosuch }}{% import_yaml 'x' as y %}{{ y | yaml }}", b"\xff\xfe{{"])
def test_a_valid_template_or_a_binary_file_is_sound(broken, content):
    assert broken(content) is None


def test_a_file_that_does_not_exist_is_another_check():
    assert broken_template("/nosuch") is None
