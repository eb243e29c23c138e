"""The call visible to plugins, and parts of it that are made on first use."""

import json

import pytest

from salt_g import api
from salt_g.errors import NoCallContext
from salt_g.services.plugins import Services


def _context(**parts):
    return api.CallContext(**{"opts": {}, "grains": {}, "pillar": {}, "services": Services(), **parts})


def test_outside_of_a_call_there_is_nothing_to_see():
    with pytest.raises(NoCallContext):
        api.grains["os"]


def test_the_proxies_follow_the_context_in_use():
    with api.use(_context(grains={"os": "Debian"})):
        outer = api.grains["os"]
        with api.use(_context(grains={"os": "Alpine"})):
            inner = api.grains["os"]

    assert (outer, inner) == ("Debian", "Alpine")


def test_deferred_grains_are_made_at_the_first_look_and_once():
    made = []
    context = _context(grains=api.Deferred(lambda: made.append(1) or {"os": "Debian"}))

    replaced = context.replace(saltenv="dev").with_opts(test=True)
    before = list(made)
    looks = (json.dumps(replaced.grains), context.grains["os"])

    assert before == []
    assert looks == ('{"os": "Debian"}', "Debian")
    assert made == [1]


def test_a_failed_making_is_tried_again():
    answers = [ValueError("not yet"), {"a": 1}]

    def make():
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    context = _context(pillar=api.Deferred(make))
    with pytest.raises(ValueError, match="not yet"):
        context.pillar.get("a")

    assert context.pillar == {"a": 1}


def test_call_reaches_a_function_by_name(call_context):
    call_context(functions={"test.echo": lambda text: text})

    assert api.call("test.echo", "hi") == "hi"
    assert api.has("test.echo")
    assert not api.has("test.shout")


def test_advice_is_kept_for_the_running_state_and_sent_for_other_calls():
    low = {"state": "file", "fun": "managed"}

    with api.use(_context()) as plain:
        api.advise("correct the name")
        api.advise("correct the name")
    with api.use(_context(low=low)) as state:
        api.advise("add the file")
    with api.use(_context(in_template=True)) as template:
        api.advise("nobody asked")

    assert plain.scratch == {"places": ["correct the name"]}
    assert state.scratch == {api.ADVICE: [(id(low), "add the file")]}
    assert template.scratch == {}


def test_with_opts_changes_only_the_new_context(call_context):
    context = call_context(opts={"test": False})

    changed = context.with_opts(test=True)

    assert (context.opts["test"], changed.opts["test"]) == (False, True)
