"""Values of events in templates."""

import pytest

from salt_g.event.template_escaping import TemplateEscaping
from salt_g.formats.yaml_load import load


@pytest.mark.parametrize("text", ["m1", "web-1.example.org", "salt/job/1/ret/m1", "10.0.0.1", "two words"])
def test_plain_words_are_left_alone(text):
    assert type(TemplateEscaping().hide(text)) is str


@pytest.mark.parametrize(
    "text",
    [
        "a\nb: c",
        "m1'\n  - evil: 1",
        "x: y",
        "{a: b}",
        "[1, 2]",
        "*",
        "&a",
        "!!python/x",
        "a # b",
        "- a",
        "a,b",
        "a:",
    ],
)
def test_text_that_yaml_would_read_comes_back_whole(text):
    escaping = TemplateEscaping()
    value = escaping.hide({"id": text})["id"]

    plain, quoted = f"tgt: {value}\n", f'tgt: "{value}-x"\n'

    assert escaping.show(load(plain)) == {"tgt": text}
    assert escaping.show(load(quoted)) == {"tgt": f"{text}-x"}


def test_hidden_text_still_compares_and_splits():
    hidden = TemplateEscaping().hide("a: b")

    assert hidden == "a: b"
    assert hidden.split(": ") == ["a", "b"]


def test_data_of_any_depth_comes_back():
    escaping = TemplateEscaping()
    data = {"list": ["a: b", 1, None], "map": {"k: v": True}}

    assert escaping.show(escaping.hide(data)) == data
    assert {type(text) for text in escaping.show(escaping.hide(["a: b"]))} == {str}
