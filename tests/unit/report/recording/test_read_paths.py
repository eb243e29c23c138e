"""Mappings that record reads: they behave like plain ones, and record each way to read."""

import copy
import json
import pickle
from collections import OrderedDict

import pytest

from salt_g.formats.ordered import Ordered
from salt_g.formats.yaml_dump import dump
from salt_g.report.recording.read_paths import NotedMapping, noted, plain
from salt_g.wire.packing import pack_bus, unpack

DATA = {"a": {"b": 1, "c": [1, {"d": 2}]}, "e": "text", "o": Ordered(z=1, y={"x": 2})}


class Notes:
    """Recorder of reads: paths, and mappings read as a whole."""

    def __init__(self):
        self.paths, self.wholes = [], []
        self.here = self

    def path(self, path):
        self.paths.append(path)

    add = path

    def whole(self, path):
        self.wholes.append(path)


@pytest.fixture
def notes():
    return Notes()


@pytest.fixture
def made(notes):
    return noted(copy.deepcopy(DATA), "pillar", notes)


@pytest.mark.parametrize(
    ("read", "value", "paths"),
    [
        (lambda data: data["e"], "text", ["pillar:e"]),
        (lambda data: data["a"]["b"], 1, ["pillar:a", "pillar:a:b"]),
        (lambda data: data.get("a").get("c"), [1, {"d": 2}], ["pillar:a", "pillar:a:c"]),
        (lambda data: data.get("none", 3), 3, ["pillar:none"]),
        (lambda data: "none" in data, False, ["pillar:none"]),
        (lambda data: data["o"]["y"]["x"], 2, ["pillar:o", "pillar:o:y", "pillar:o:y:x"]),
        (lambda data: data.setdefault("e", 1), "text", ["pillar:e", "pillar:e"]),
    ],
)
def test_a_key_is_one_path(made, notes, read, value, paths):
    assert read(made) == value
    assert (notes.paths, notes.wholes) == (paths, [])


@pytest.mark.parametrize(
    "read",
    [
        list,
        len,
        bool,
        dict,
        repr,
        sorted,
        copy.copy,
        copy.deepcopy,
        pack_bus,
        dump,
        json.dumps,
        plain,
        lambda data: data == {},
        lambda data: data.copy(),
        lambda data: list(data.items()),
        lambda data: list(data.values()),
        lambda data: list(data.keys()),
        lambda data: {**data},
        lambda data: data | {},
        lambda data: {} | data,
        lambda data: list(reversed(data)),
    ],
)
def test_reading_the_whole_mapping_is_noted_and_returns_the_same(made, notes, read):
    wanted = read(copy.deepcopy(DATA))

    assert read(made) == wanted
    assert "pillar" in notes.wholes


def test_only_the_mapping_that_is_looked_at_is_whole(made, notes):
    assert dict(made["a"]) == DATA["a"]

    assert notes.wholes == ["pillar:a"]


def test_copies_note_nothing_and_keep_their_kind(made, notes):
    copied = copy.deepcopy(made)
    notes.wholes.clear()

    assert (copied, type(copied), type(copied["a"]), type(copied["o"])) == (DATA, dict, dict, Ordered)
    assert not isinstance(pickle.loads(pickle.dumps(made["a"])), NotedMapping)
    assert unpack(pack_bus(made)) == unpack(pack_bus(DATA))


def test_it_prints_as_what_it_is_made_of(made):
    assert repr(made) == repr(DATA)
    assert str(made["o"]) == str(OrderedDict(DATA["o"]))
    # Templates' errors name the class of what lacks a key.
    assert [type(made[key]).__module__ for key in "ao"] == ["builtins", "collections"]
    assert [type(made[key]).__name__ for key in "ao"] == ["dict", "OrderedDict"]


def test_changes_reach_the_original(notes):
    data = {"a": {"b": 1}, "c": 1}
    made = noted(data, "pillar", notes)

    made["a"].update(b=2, d=3)
    made["e"] = made["a"]
    del made["c"]

    assert data == {"a": {"b": 2, "d": 3}, "e": {"b": 2, "d": 3}}
    assert type(data["e"]) is dict
    assert made.pop("e") == {"b": 2, "d": 3} and "e" not in data
    made.clear()
    assert data == {} == made


def test_a_key_that_is_missing_raises_as_ever(made):
    with pytest.raises(KeyError, match="none"):
        made["none"]
    with pytest.raises(KeyError):
        made.pop("none")
    assert made.pop("none", 5) == 5
