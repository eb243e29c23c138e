"""Listeners, and their reaction to changes after the run."""

import itertools

import pytest

from salt_g.shapes import low_tag
from salt_g.state.compile.node import Node
from salt_g.state.run.last_chunks import beacon_nodes, collect_listeners, number_errors


def chunk(state_id, *, name=None, fun="nop", **more):
    return {"state": "test", "fun": fun, "__id__": state_id, "name": name or state_id, **more}


def collected(*chunks, changed=()):
    """Return the tags of the listeners and of the errors, if the states with these IDs have changes."""
    nodes = [Node(low, tag=low_tag(low)) for low in chunks]
    running = {
        node.tag: {"changes": {"x": 1} if node.low["__id__"] in changed else {}, "result": True}
        for node in nodes
    }
    found = collect_listeners(nodes, running)
    return list(found.listeners), list(found.errors)


LISTENER = "test_|-listener_b_|-b_|-mod_watch"


@pytest.mark.parametrize("item", [{"test": "a"}, {"test": "named"}, "a", "named"])
def test_a_listener_reacts_to_changes_by_id_and_by_name(item):
    chunks = (chunk("a", name="named"), chunk("b", listen=[item]))

    assert collected(*chunks, changed=["a"]) == ([LISTENER], [])
    assert collected(*chunks) == ([], [])


def test_listen_in_makes_the_other_state_the_listener():
    assert collected(chunk("a", listen_in=[{"test": "b"}]), chunk("b"), changed=["a"]) == ([LISTENER], [])


def test_a_listener_of_two_changed_states_runs_once():
    chunks = (chunk("a"), chunk("c"), chunk("b", listen=[{"test": "a"}, {"test": "c"}]))

    assert collected(*chunks, changed=["a", "c"]) == ([LISTENER], [])


def test_of_one_id_with_several_names_only_the_declaring_chunk_listens():
    chunks = (
        chunk("b", name="one"),
        chunk("b", name="two", listen=[{"test": "a"}]),
        chunk("a"),
    )

    assert collected(*chunks, changed=["a"])[0] == ["test_|-listener_b_|-two_|-mod_watch"]


def test_the_listener_watches_without_its_requisites():
    low = chunk("b", listen=[{"test": "a"}], require=[{"test": "z"}], mode=1)
    nodes = [Node(each, tag=low_tag(each)) for each in (chunk("a"), low)]

    found = collect_listeners(nodes, {nodes[0].tag: {"changes": {"x": 1}}})

    assert found.listeners[LISTENER].low == {
        "state": "test",
        "fun": "mod_watch",
        "sfun": "nop",
        "__id__": "listener_b",
        "name": "b",
        "mode": 1,
    }
    assert "listen" in low


def test_listening_to_a_missing_state_is_an_error_with_a_run_number():
    nodes = [Node(low, tag=low_tag(low)) for low in [chunk("b", listen=[{"test": "z"}])]]
    numbered = number_errors(collect_listeners(nodes, {}), itertools.count(7))

    assert numbered == {
        "Listen_Error_|-listen_z_|-listen_test_|-Listen_Error": {
            "comment": "Referenced state test: z does not exist",
            "name": "listen_test:z",
            "result": False,
            "changes": {},
            "__run_num__": 7,
        }
    }


def test_a_reference_that_is_not_a_name_is_nothing():
    assert collected(chunk("b", listen=[{"test": ["a"]}, "nosuch"])) == ([], [])


@pytest.mark.parametrize(("ran", "expected"), [(True, [LISTENER]), (False, [])])
def test_a_state_skipped_in_its_preview_does_not_react(ran, expected):
    low = chunk("b", listen=[{"test": "a"}])
    changed, node = (Node(each, tag=low_tag(each)) for each in (chunk("a"), low))
    node.preview = Node(low, tag=node.tag, is_preview=True)
    running = {
        changed.tag: {"changes": {"x": 1}, "result": True},
        node.tag: {"changes": {}, "result": True, "__state_ran__": ran},
    }

    assert list(collect_listeners([node.preview, changed, node], running).listeners) == expected


@pytest.mark.parametrize(("previewed", "expected"), [([LISTENER], []), (["test_|-b_|-b_|-nop"], [LISTENER])])
def test_an_unreached_state_reacts_only_after_its_preview(previewed, expected):
    low = chunk("b", listen=[{"test": "a"}])
    changed, node = (Node(each, tag=low_tag(each)) for each in (chunk("a"), low))
    node.preview = Node(low, tag=node.tag, is_preview=True)
    running = {changed.tag: {"changes": {"x": 1}, "result": True}}

    found = collect_listeners([node.preview, changed, node], running, previewed=previewed)

    assert list(found.listeners) == expected


def test_the_listeners_of_one_id_run_one_after_the_other():
    chunks = (
        chunk("b", name="one", listen=[{"test": "a"}]),
        chunk("c", listen=[{"test": "a"}]),
        chunk("b", name="two", listen=[{"test": "a"}]),
        chunk("a"),
    )

    assert [tag.split("_|-")[2] for tag in collected(*chunks, changed=["a"])[0]] == ["one", "two", "c"]


LOW = {"state": "file", "__id__": "conf", "name": "/etc/x", "fun": "managed", "order": 1}


def node(**more):
    low = {**LOW, **more}
    return Node(low, tag=low_tag(low))


def test_a_chunk_with_a_beacon_is_followed_by_its_configuration():
    [found] = beacon_nodes([node(beacon=True, require=[{"pkg": "x"}], interval=5), node()])

    assert found.low == {
        **LOW,
        "beacon": True,
        "interval": 5,
        "fun": "mod_beacon",
        "sfun": "managed",
        "__id__": "beacon_conf",
    }
    assert found.tag == low_tag(found.low)
