"""Changes of `stateconf` to high data, and malformed high data, which later layers report."""

import copy

import pytest

from salt_g.errors import RenderError
from salt_g.render.stateconf_rewrite import (
    add_goal,
    add_start,
    configured,
    require_in_order,
    use_absolute_ids,
    use_absolute_names,
)


def changed(function, data, *args):
    """Return the high data after a function has changed it."""
    data = copy.deepcopy(data)
    function(data, *args)
    return data


@pytest.mark.parametrize(
    ("include", "absolute"),
    [
        ([".b"], ["web.b"]),
        (["..b"], ["b"]),
        (["b", {"dev": ".c"}], ["b", {"dev": "web.c"}]),
        # Malformed: the compiler has the words for them.
        (".b", ".b"),
        ({".b": []}, {".b": []}),
        ([{"dev": None}, 1], [{"dev": None}, 1]),
        (None, None),
    ],
)
def test_includes_become_absolute(include, absolute):
    assert changed(use_absolute_names, {"include": include}, "web.a") == {"include": absolute}


@pytest.mark.parametrize(
    ("exclude", "absolute"),
    [
        ([{"sls": ".b"}, {"id": ".x"}], [{"sls": "web.b"}, {"id": ".x"}]),
        ([{"sls": 1}], [{"sls": 1}]),
        (".b", ".b"),
    ],
)
def test_excludes_become_absolute(exclude, absolute):
    assert changed(use_absolute_names, {"exclude": exclude}, "web.a") == {"exclude": absolute}


def test_an_include_above_the_top_is_refused():
    with pytest.raises(RenderError, match="beyond top level"):
        use_absolute_names({"include": ["...b"]}, "web.a")


def test_dotted_ids_and_requisites_get_the_name_of_the_sls():
    data = {
        ".a": {"test.nop": [{"require": [{"test": ".b"}, {"sls": "x"}]}]},
        ".b": {"test.nop": [{"name": "kept"}]},
        "c": {"test.nop": [{"watch_in": [{"test": "..up::d"}]}]},
        "extend": {".b": {"test.nop": []}},
    }

    found = changed(use_absolute_ids, data, "web.a")

    assert found == {
        "web.a::a": {"test.nop": [{"name": "a"}, {"require": [{"test": "web.a::b"}, {"sls": "x"}]}]},
        "web.a::b": {"test.nop": [{"name": "kept"}]},
        "c": {"test.nop": [{"watch_in": [{"test": "up::d"}]}]},
        "extend": {"web.a::b": {"test.nop": [{"name": "b"}]}},
    }


def test_an_absolute_id_that_is_taken_is_refused():
    with pytest.raises(RenderError, match="already exists"):
        use_absolute_ids({".a": {"test.nop": []}, "web::a": {"test.nop": []}}, "web")


def test_each_state_requires_the_one_before_it():
    data = {"a": {"test.nop": []}, "b": {"cmd": ["run"], "test.nop": [{"require": [{"test": "z"}]}]}}

    found = changed(require_in_order, data)

    assert found["b"]["cmd"] == ["run", {"require": [{"test": "a"}]}]
    assert found["b"]["test.nop"] == [{"require": [{"cmd": "b"}, {"test": "z"}]}]


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        ([{"require": [{"test": "b"}]}], [], "defined after"),
        ([], [{"require_in": [{"test": "a"}]}], "defined before"),
        ([{"names": ["x"]}], [], "'names' declaration"),
    ],
)
def test_requisites_that_contradict_the_order_are_refused(first, second, text):
    with pytest.raises(RenderError, match=text):
        require_in_order({"a": {"test.nop": first}, "b": {"test.nop": second}})


def test_start_and_goal_hold_the_states_together():
    data = {"include": ["x"], "a": {"test.nop": []}, "b": {"cmd.run": []}}

    assert changed(add_start, data, "web")[".start"] == {"stateconf.set": [{"require_in": [{"test": "a"}]}]}
    assert changed(add_goal, data)[".goal"] == {"stateconf.set": [{"require": [{"test": "a"}, {"cmd": "b"}]}]}
    for function, taken, rest in ((add_start, ".start", ["web"]), (add_goal, ".goal", [])):
        with pytest.raises(RenderError, match="already exists"):
            function({taken: {"test.nop": []}}, *rest)


def test_arguments_of_stateconf_set_are_attributes():
    data = {"web::params": {"stateconf.set": [{"port": 80}, "text", {"host": "h"}]}, "x": {"test.nop": []}}

    found = configured(data, "web")

    assert (found["params"].port, found["params"]["host"], list(found)) == (80, "h", ["params"])
    with pytest.raises(AttributeError):
        _ = found["params"].other


@pytest.mark.parametrize(
    "data",
    [
        {1: {"test.nop": []}},
        {"a": {1: []}, "b": {"test.nop": []}},
        {".a": None, "b": {"test.nop": None}},
        {".a": ["x"], "b": {"test.nop": {"x": 1}}},
        {"a": {"test.nop": []}, "b": {"test.nop": [{"require": {"test": "a"}}]}},
        {"a": {"test.nop": []}, "b": {"test.nop": [{"require": [{1: "a"}, {"test": ["x"]}]}]}},
    ],
    ids=str,
)
def test_malformed_high_data_is_left_to_the_compiler(data):
    data = copy.deepcopy(data)

    require_in_order(data)
    add_goal(data)
    use_absolute_names(data, "web")
    use_absolute_ids(data, "web")

    assert "web::goal" in data
