"""Completions; tests/integration/language_server/test_language_server.py has one for each kind."""

import pytest

from salt_g.language_server.completion import MAX_ITEMS, Completion, kind_of
from salt_g.language_server.documents import Position


@pytest.fixture
def offered(make_project, document):
    """Return a function that returns the completions at `|` in a text, in a tree with these files."""

    def ask(text, files=(), path="states/a.sls"):
        project = make_project({"states/a.sls": "# empty\n", **dict(files)})
        opened, position = document(path, text)
        place = project.overlay.place(opened.path)
        return Completion(project).at(opened, place, Position(*position))

    return ask


def labels(answer):
    return [item["label"] for item in answer["items"]]


def test_states_of_the_same_sls_come_first(offered):
    files = {f"states/{name}.sls": f"{name}1:\n  test.nop: []\n" for name in "bac"}

    assert labels(offered("x:\n  test.nop:\n    - require:\n      - test: |", files)) == ["a1", "b1", "c1"]


def test_sls_can_be_named_relative_to_the_including_one(offered):
    files = {f"states/web/{name}.sls": "# x\n" for name in ("init", "conf", "init2")}

    found = labels(offered("include:\n  - |", files, path="states/web/init.sls"))

    assert found == ["a", "web.conf", "web.init2", ".conf", ".init2"]


def test_too_many_are_cut_and_asked_again(offered):
    answer = offered("{{ salt['|'] }}")

    assert len(answer["items"]) == MAX_ITEMS
    assert answer["isIncomplete"]
    assert not offered("{{ salt['cmd.ru|'] }}")["isIncomplete"]


def test_values_of_pillar_are_in_no_answer(offered):
    files = {"pillar/top.sls": "base:\n  '*': [p]\n", "pillar/p.sls": "password: geheim\nsub:\n  a: geheim\n"}

    answer = offered("{{ pillar['|", files)

    assert labels(answer) == ["password", "sub"]
    assert "geheim" not in str(answer)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": 1}, "a mapping with a"),
        ({}, "an empty mapping"),
        ([1, 2], "a list of 2"),
        (True, "a boolean"),
        (1.5, "a number"),
        (None, "nothing"),
        ("x", "a text"),
    ],
)
def test_kinds_of_values(value, text):
    assert kind_of(value) == text
