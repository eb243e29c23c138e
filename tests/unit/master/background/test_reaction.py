"""Reactor files rendered to calls, in both forms of arguments."""

import pytest

from salt_g.errors import CompileError
from salt_g.master.background.reaction import reactions_of


def one(body):
    (reaction,) = reactions_of({"id": body}, "r.sls")
    return reaction


@pytest.mark.parametrize("word", ["local", "cmd"])
def test_a_local_call_in_the_new_form(word):
    body = {
        f"{word}.state.apply": [
            {"tgt": "web*"},
            {"tgt_type": "glob"},
            {"args": [{"mods": "a"}, {"test": True}]},
        ]
    }

    reaction = one(body)

    assert (reaction.kind, reaction.fun) == ("local", "state.apply")
    assert (reaction.args, reaction.kwargs) == ([], {"mods": "a", "test": True})
    assert reaction.how == {"tgt": "web*", "tgt_type": "glob"}


def test_a_local_call_in_the_old_form():
    reaction = one(
        {"local.cmd.run": [{"tgt": "m1"}, {"arg": ["ls"]}, {"kwarg": {"cwd": "/"}}, {"ret": "syslog"}]}
    )

    assert (reaction.args, reaction.kwargs) == (["ls"], {"cwd": "/"})
    assert reaction.how == {"tgt": "m1", "ret": "syslog"}


def test_a_runner_takes_keywords_directly_or_below_args():
    old = one({"runner.state.orchestrate": [{"mods": "orch.a"}, {"pillar": {"x": 1}}]})
    new = one({"runner.state.orchestrate": [{"args": [{"mods": "orch.a"}, {"pillar": {"x": 1}}]}]})

    assert (old.kind, old.fun, old.kwargs) == (
        "runner",
        "state.orchestrate",
        {"mods": "orch.a", "pillar": {"x": 1}},
    )
    assert old.kwargs == new.kwargs


def test_a_wheel_function_gets_its_arguments_by_name():
    assert one({"wheel.key.accept": [{"args": [{"match": "m1"}]}]}).kwargs == {"match": "m1"}


def test_a_caller_may_have_places_in_place_of_names():
    reaction = one({"caller.file.touch": [{"args": ["/tmp/a"]}]})

    assert (reaction.kind, reaction.args, reaction.kwargs) == ("caller", ["/tmp/a"], {})


def test_the_function_may_be_in_the_list():
    assert one({"local": ["test.ping", {"tgt": "*"}]}).fun == "test.ping"


def test_all_problems_are_reported_at_once():
    rendered = {
        "a": {"local.test.ping": []},
        "b": {"remote.test.ping": []},
        "c": "text",
        "d": {"runner.x.y": [{"args": "text"}]},
    }

    with pytest.raises(CompileError) as caught:
        reactions_of(rendered, "r.sls")

    assert [message.split(": ")[1] for message in caught.value.messages] == ["'a'", "'b'", "'c'", "'d'"]
