"""Changes of grains and pillar between two runs, by their parts."""

import pytest

from salt_g.report.recording.run_data import RunData, digest_of, tops_of

GRAINS = {"os": "Debian", "pid": 1}
PILLAR = {"nginx": {"port": 80, "user": "w"}, "a:b": 1, 7: "x"}


class Kept(str):
    """Text of a subclass as in pillar data of vault, stack and users' modules."""

    __slots__ = ()


#: All tops of these data, and some that they lack.
TOPS = (
    "grain",
    "grain:os",
    "grain:pid",
    "pillar",
    "pillar:nginx",
    "pillar:a",
    "pillar:7",
    "pillar:x",
    "pillar:new",
)


def changed(pillar, grains=GRAINS, *, tops=TOPS):
    before = RunData({"grains": GRAINS, "pillar": PILLAR})
    return RunData({"grains": grains, "pillar": pillar}).changed(before.kinds, before.digests(tops))


def test_equal_data_have_not_changed():
    assert changed({"nginx": {"port": 80, "user": "w"}, "a:b": 1, 7: "x"}) == frozenset()


@pytest.mark.parametrize(
    ("change", "tops"),
    [
        ({"nginx": {"port": 81, "user": "w"}}, {"pillar:nginx"}),
        ({"nginx": {"user": "w", "port": 80}}, {"pillar:nginx"}),
        ({"a:b": "1"}, {"pillar:a"}),
        ({"new": None}, {"pillar:new"}),
        ({7: "y"}, {"pillar:7"}),
        ({"x": "\udc80"}, {"pillar:x"}),
    ],
)
def test_a_change_is_named_by_its_top_and_its_kind(change, tops):
    assert changed({**PILLAR, **change}) == {*tops, "pillar"}


@pytest.mark.parametrize(
    ("before", "after"),
    [(1, True), (1, 1.0), ([1], (1,)), ({"a": 1, "b": 2}, {"b": 2, "a": 1}), ("1", b"1")],
)
def test_equal_values_of_other_types_are_changes(before, after):
    first = RunData({"pillar": {"a": before, "b": 2}})

    assert RunData({"pillar": {"a": after, "b": 2}}).changed(first.kinds, first.digests(["pillar:a"]))


@pytest.mark.parametrize("value", [{"port": 80}, Kept("x"), 1 << 90, "\udc80", {"x"}, None])
def test_changes_by_the_run_itself_are_not_reported(value):
    pillar = {"a": value, "b": [1]}
    first = RunData({"pillar": pillar})
    pillar["b"].append(2)
    pillar["c"] = 3

    again = RunData({"pillar": {"a": value, "b": [1]}})
    assert again.kinds == first.kinds
    assert again.changed(first.kinds, first.digests(["pillar:b", "pillar:c"])) == frozenset()
    assert again.digests(["pillar:b"]) == first.digests(["pillar:b"])


def test_unread_data_are_not_compared():
    assert changed({**PILLAR, 7: "y"}, tops=["pillar:nginx", "grain"]) == frozenset()
    assert changed({**PILLAR, 7: "y"}, tops=["pillar:7", "grain"]) == {"pillar:7"}


def test_keys_with_one_text_are_one_top():
    before = RunData({"pillar": {7: "x", "7": "y"}})
    digests = before.digests(["pillar:7"])

    for other in ({7: "z", "7": "y"}, {7: "x", "7": "z"}):
        assert RunData({"pillar": other}).changed(before.kinds, digests) == {"pillar:7"}


def test_removed_keys_and_another_order_are_changes():
    assert changed({"nginx": PILLAR["nginx"], "a:b": 1}) == {"pillar", "pillar:7"}
    assert changed(dict(reversed(PILLAR.items()))) == {"pillar"}
    assert changed(PILLAR, {"os": "Debian", "pid": 2}) == {"grain", "grain:pid"}


def test_the_tops_of_names_are_the_first_parts_of_their_paths():
    names = {
        "pillar:nginx:port",
        "pillar:nginx",
        "grain:os",
        "pillar",
        "salt://grain:x",
        "function:pillar.get",
    }

    assert tops_of(names) == {"pillar:nginx", "grain:os", "pillar"}


def test_texts_that_differ_in_halves_of_characters_have_other_digests():
    assert digest_of("\udc80") != digest_of("\udc81") == digest_of("\udc81")
