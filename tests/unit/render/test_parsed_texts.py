"""Texts that are parsed once, and their data, which are never shared."""

import pytest

from salt_g.render import parsed_texts
from salt_g.render.parsed_texts import ParsedTexts
from salt_g.render.yaml import render

TEXT = "users:\n  - name: a\n    groups: [b]\nshared: &x {k: 1}\nagain: *x\n"


def counted(parse=lambda text: {"text": [text]}):
    parsed = []

    def count(text):
        parsed.append(text)
        return parse(text)

    return ParsedTexts(count), parsed


def test_a_text_is_kept_from_its_second_time_on():
    texts, parsed = counted()

    got = [texts.get("a: 1") for _ in range(4)]

    assert got == [{"text": ["a: 1"]}] * 4
    assert parsed == ["a: 1"] * 2


def test_callers_share_no_data_with_the_cache_or_each_other():
    texts, _ = counted()

    for _ in range(4):
        got = texts.get("a: 1")
        assert got == {"text": ["a: 1"]}
        got["text"].append("changed")
        got["more"] = True


def test_rendered_yaml_may_be_changed_by_its_caller():
    first = render(TEXT, None)

    for _ in range(4):
        got = render(TEXT, None)
        assert got == first
        assert list(got) == list(first) == ["users", "shared", "again"]
        assert type(got) is type(first)
        got["users"][0]["groups"].append("changed")
        got["shared"]["k"] = 2
        del got["again"]


def test_an_error_is_raised_each_time():
    texts, parsed = counted(lambda text: 1 / 0)

    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            texts.get("a: 1")

    assert len(parsed) == 3


def test_kept_texts_are_bounded_in_number_and_characters_and_the_latest_stay(monkeypatch):
    monkeypatch.setattr(parsed_texts, "MOST_TEXTS", 3)
    monkeypatch.setattr(parsed_texts, "MOST_CHARACTERS", 100)
    monkeypatch.setattr(parsed_texts, "LONGEST", 50)
    texts, parsed = counted()

    for number in range(10):
        for text in ("often", str(number) * 10, str(number) * 10):
            texts.get(text)

    assert len(texts) == 3
    assert parsed.count("often") == 2
    for letter in "abc":
        texts.get(letter * 50)
        texts.get(letter * 50)
    assert len(texts) == 2
    for _ in range(3):
        texts.get("x" * 51)
    assert parsed.count("x" * 51) == 3


def test_a_text_that_another_greenlet_kept_meanwhile_counts_once():
    texts, _ = counted()
    texts._parse = lambda text: inner.pop()(text) if inner else {"text": [text]}
    inner = []
    texts.get("a")
    inner.append(lambda text: texts.get(text) and texts.get(text) and {"text": [text]})

    texts.get("a")

    assert texts.get("a") == {"text": ["a"]}
    assert len(texts) == 1
