"""Extensions, mirrored requisites, use, exclude."""

import pytest

from salt_g.errors import CompileError
from salt_g.shapes.high_data import HighData
from salt_g.state.compile.exclude import apply_exclude
from salt_g.state.compile.extend import apply_extensions
from salt_g.state.compile.requisite_in import apply_mirrored


def state(*arguments, sls="web"):
    return {"test": ["nop", *arguments], "__sls__": sls, "__env__": "base"}


def extension(state_id, *arguments, sls="web"):
    return {state_id: {"test": list(arguments), "__sls__": sls, "__env__": "base"}}


def test_an_extension_replaces_adds_and_joins():
    high = {"b": state({"x": 1}, {"require": [{"test": "c"}]})}
    high["__extend__"] = [extension("b", {"x": 9}, {"new": 1}, {"require": [{"test": "a"}]}, "fail")]

    problems = list(apply_extensions(HighData.of(high)))

    assert problems == []
    assert high["b"]["test"] == ["fail", {"x": 9}, {"require": [{"test": "c"}, {"test": "a"}]}, {"new": 1}]


def test_an_extension_leaves_lists_that_others_share_alone():
    shared = [{"test": "c"}]
    high = {"a": state({"require": shared}), "b": state({"require": shared})}
    high["__extend__"] = [extension("a", {"require": [{"test": "d"}]})]

    list(apply_extensions(HighData.of(high)))

    assert high["b"]["test"] == ["nop", {"require": [{"test": "c"}]}]


def test_an_extension_finds_its_state_by_name():
    high = {"b": state({"name": "real"}), "__extend__": [extension("real", {"x": 1})]}

    list(apply_extensions(HighData.of(high)))

    assert {"x": 1} in high["b"]["test"]


def test_name_takes_the_place_of_names():
    high = {"b": state({"names": ["p", "q"]}), "__extend__": [extension("b", {"name": "r"})]}

    list(apply_extensions(HighData.of(high)))

    assert {"names": ["p", "q"]} not in high["b"]["test"]
    assert {"name": "r"} in high["b"]["test"]


def test_an_extension_of_an_excluded_file_is_dropped():
    high = {
        "b": state({"x": 1}),
        "__extend__": [extension("b", {"x": 2}, sls="gone")],
        "__exclude__": ["gone"],
    }

    list(apply_extensions(HighData.of(high)))

    assert high["b"]["test"] == ["nop", {"x": 1}]


def test_an_extension_without_a_target_names_the_nearest():
    high = {"nginx": state(), "__extend__": [extension("ngnix")]}
    high["__extend__"][0]["ngnix"]["test"] = [{"x": 1}]

    (problem,) = apply_extensions(HighData.of(high))

    assert problem.message.startswith(
        "Cannot extend ID 'ngnix' in 'base:web'. It is not part of the high state."
    )
    assert problem.nearest == ["nginx"]


@pytest.mark.parametrize("kind", ["require", "watch", "onchanges", "onfail", "prereq"])
def test_a_mirrored_requisite_lands_in_the_other_state(kind):
    high = {"a": state({f"{kind}_in": [{"test": "b"}]}), "b": state()}

    problems = apply_mirrored(HighData.of(high))

    assert problems == []
    assert high["b"]["test"] == ["nop", {kind: [{"test": "a"}]}]


def test_mirrored_requisites_of_many_states_add_up():
    high = {f"s{n}": state({"require_in": [{"test": "b"}]}) for n in range(3)} | {"b": state()}

    apply_mirrored(HighData.of(high))

    assert high["b"]["test"][1] == {"require": [{"test": "s0"}, {"test": "s1"}, {"test": "s2"}]}


def test_a_mirrored_requisite_may_be_a_bare_id_a_name_or_an_sls():
    high = {
        "a": state({"require_in": ["b", "called", {"sls": "db"}]}),
        "b": state(),
        "c": state({"name": "called"}),
        "d": state(sls="db"),
    }

    apply_mirrored(HighData.of(high))

    assert all({"require": [{"test": "a"}]} in high[target]["test"] for target in "bcd")


def test_a_mirrored_requisite_may_be_one_mapping():
    high = {"a": state({"watch_in": {"test": "b"}}), "b": state()}

    apply_mirrored(HighData.of(high))

    assert high["b"]["test"] == ["nop", {"watch": [{"test": "a"}]}]


def test_disabled_mirrored_requisites_are_ignored():
    high = {"a": state({"require_in": [{"test": "b"}]}), "b": state()}

    apply_mirrored(HighData.of(high), disabled=["require_in"])

    assert high["b"]["test"] == ["nop"]


def test_use_copies_what_the_user_has_not_set():
    high = {
        "src": state({"x": 1}, {"y": 2}, {"name": "n"}, {"require": [{"test": "z"}]}),
        "dst": state({"y": 9}, {"use": [{"test": "src"}]}),
    }

    apply_mirrored(HighData.of(high))

    assert high["dst"]["test"] == ["nop", {"y": 9}, {"use": [{"test": "src"}]}, {"x": 1}]


def test_use_in_is_the_mirror_of_use():
    high = {"src": state({"q": 5}, {"use_in": [{"test": "dst"}]}), "dst": state()}

    apply_mirrored(HighData.of(high))

    assert high["dst"]["test"] == ["nop", {"q": 5}]


def test_exclude_takes_ids_and_patterns_of_files():
    high = HighData.of(
        {"a": state(sls="x.one"), "b": state(), "c": state(), "__exclude__": ["x.*", {"id": "b"}]}
    )

    apply_exclude(high)

    assert list(high.declarations) == ["c"]


def test_a_requisite_on_an_excluded_state_misses_it(state_engine):
    engine = state_engine(
        {"a": {"exclude": [{"id": "b"}], "a": {"test.nop": [{"require": [{"test": "b"}]}]}, "b": "test.nop"}}
    )

    with pytest.raises(CompileError) as caught:
        engine.apply_sls(["a"])

    assert caught.value.messages == [
        "Referenced state does not exist for requisite [require: (test: b)] in state [a] in SLS [a]"
    ]
