"""Splitting and joining of low tags."""

import pytest

from salt_g.shapes import LowTag, is_low_tag, low_tag


def test_a_low_tag_is_parsed_into_the_parts_that_it_was_made_of():
    tag = LowTag("pkg", "web", "nginx", "installed")

    assert str(tag) == "pkg_|-web_|-nginx_|-installed"
    assert LowTag.parse(str(tag)) == tag
    assert low_tag({"state": "pkg", "__id__": "web", "name": "nginx", "fun": "installed"}) == str(tag)


def test_a_separator_inside_belongs_to_the_name():
    tag = LowTag.parse("cmd_|-id_|-echo a_|-b_|-run")

    assert (tag.id, tag.name, tag.fun) == ("id", "echo a_|-b", "run")
    assert str(tag) == "cmd_|-id_|-echo a_|-b_|-run"


@pytest.mark.parametrize("text", ["", "pkg", "pkg_|-web_|-installed", None, 7])
def test_other_text_is_not_a_low_tag(text):
    assert not is_low_tag(text)
    with pytest.raises(ValueError, match="not a low tag"):
        LowTag.parse(str(text))
