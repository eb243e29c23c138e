"""Defaults of formulas."""

import pytest

from salt_g.modules import defaults


class FakeFiles:
    def __init__(self, root):
        self.root = root

    def cache_file(self, url, saltenv="base"):
        path = self.root / url.removeprefix("salt://")
        return str(path) if path.is_file() else ""


@pytest.fixture
def formula(call_context, tmp_path):
    """Return a function that makes a formula `core` with this defaults file."""

    def make(name, text):
        (tmp_path / "core").mkdir()
        (tmp_path / "core" / name).write_text(text, encoding="utf-8")
        call_context(files=FakeFiles(tmp_path))

    return make


@pytest.mark.parametrize(
    ("name", "text"), [("defaults.yaml", "users: {root: 0}\n"), ("defaults.json", '{"users": {"root": 0}}')]
)
def test_defaults_are_read_by_path(formula, name, text):
    formula(name, text)

    assert defaults.get("core:users:root") == 0
    assert defaults.get("core:users:nobody", "none") == "none"
    assert defaults.get("core") == {"users": {"root": 0}}


def test_a_formula_without_defaults_gives_the_callers(formula):
    formula("other.yaml", "")

    assert defaults.get("core:users", "none") == "none"


def test_merging_is_in_place_by_default():
    dest = {"a": {"b": 1}}

    copied = defaults.merge(dest, {"a": {"c": 1}}, in_place=False)
    changed = defaults.merge(dest, {"d": 1})

    assert copied == {"a": {"b": 1, "c": 1}}
    assert changed is dest
    assert dest == {"a": {"b": 1}, "d": 1}


def test_nothing_counts_as_an_empty_mapping():
    assert defaults.merge(None, {"a": 1}, in_place=False) == {"a": 1}
    assert defaults.merge({"a": 1}, None) == {"a": 1}


def test_nothing_cannot_be_changed_in_place():
    with pytest.raises(TypeError, match="Can't perform in-place merge into NoneType"):
        defaults.merge(None, {})
    with pytest.raises(TypeError, match="Can't perform in-place update into NoneType"):
        defaults.update(None, {})


def test_every_value_gets_the_defaults():
    nodes = {"x": {"a": 1, "l": [1]}, "y": None}

    assert defaults.update(nodes, {"b": 2, "l": [0]}) == {
        "x": {"b": 2, "l": [0, 1], "a": 1},
        "y": {"b": 2, "l": [0]},
    }


def test_a_deep_copy_shares_nothing():
    source = {"a": [1]}

    assert defaults.deepcopy(source)["a"] is not source["a"]
