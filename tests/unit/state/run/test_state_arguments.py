"""Keys of a chunk that reach its state function."""

import logging

import pytest

from salt_g.errors import InvocationError
from salt_g.state.run.state_arguments import arguments_for, log_missing_arguments, missing_parameters

LOW = {"state": "test", "fun": "nop", "__id__": "a", "__sls__": "web", "name": "n", "order": 1}


def named(name, source, mode=None):
    return name


def any_keyword(name, **kwargs):
    return kwargs


def own_order(name, order, umask=None):
    return order


def test_the_engine_keeps_its_keys_unless_the_function_has_them():
    assert arguments_for(any_keyword, {**LOW, "x": 1, "require": [], "retry": True}) == {"name": "n", "x": 1}
    assert arguments_for(own_order, LOW) == {"name": "n", "order": 1}


def test_the_umask_is_never_an_argument():
    assert arguments_for(own_order, {**LOW, "umask": "022"}) == {"name": "n", "order": 1}


def test_a_function_cannot_change_the_chunk():
    low = {**LOW, "source": [{"a": [1]}]}

    arguments_for(named, low)["source"][0]["a"].append(2)

    assert low["source"] == [{"a": [1]}]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"mood": 1}, "'mood' is an invalid keyword argument for 'test.nop'"),
        ({"x": 1, "y": 2}, "'x' and 'y' are invalid keyword arguments for 'test.nop'"),
        ({"x": 1, "y": 2, "z": 3}, "'x', 'y' and 'z' are invalid keyword arguments for 'test.nop'"),
    ],
)
def test_unknown_keys_are_refused(more, message):
    with pytest.raises(InvocationError) as caught:
        arguments_for(named, {**LOW, **more})

    assert str(caught.value) == message


def test_an_unknown_key_is_logged_with_the_nearest_one(caplog):
    with caplog.at_level(logging.ERROR), pytest.raises(InvocationError):
        arguments_for(named, {**LOW, "sourc": 1})

    assert "web: state 'test.nop' (ID 'a') has no argument 'sourc'; nearest: 'source'" in caplog.text


def test_a_missing_argument_is_named_with_what_was_given_instead(caplog):
    low = {**LOW, "sourec": 1}

    assert missing_parameters(named, low) == ["source"]
    with caplog.at_level(logging.ERROR):
        log_missing_arguments(["source"], named, low)

    assert caplog.messages == [
        "web: state 'test.nop' (ID 'a') is missing the argument 'source'; similar ones given: 'sourec'"
    ]


def test_watched_states_go_to_users_functions_of_any_keyword_only():
    low = {**LOW, "__reqs__": {"watch": []}}

    assert arguments_for(any_keyword, low) == {"name": "n", "__reqs__": {"watch": []}}
    assert arguments_for(own_order, low) == {"name": "n", "order": 1}
