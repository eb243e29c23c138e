from types import SimpleNamespace

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.runners import reactor


def test_list_asks_the_reactor_over_the_bus(call_context, fake_events):
    events = fake_events(SimpleNamespace(data={"reactors": [{"a/b": ["x.sls"]}]}))
    call_context(opts={"reactor": [{"a/b": ["x.sls"]}]}, events=events)

    assert reactor.list_() == [{"a/b": ["x.sls"]}]
    assert events.fired == [("salt/reactors/manage/list", {})]


def test_add_takes_one_file_or_many(call_context, fake_events):
    answer = SimpleNamespace(data={"result": {"status": True, "comment": "Reactor added."}})
    events = fake_events(answer, answer)
    call_context(opts={"engines": ["reactor"]}, events=events)

    assert reactor.add("a/b", "x.sls") == {"status": True, "comment": "Reactor added."}
    reactor.add("a/b", ["x.sls", "y.sls"])
    assert [data["reactors"] for _, data in events.fired] == [["x.sls"], ["x.sls", "y.sls"]]


def test_without_a_reactor_everything_is_refused(call_context, fake_events):
    call_context(opts={"reactor": []}, events=fake_events())

    with pytest.raises(CommandExecutionError, match="Reactor system is not running"):
        reactor.is_leader()


def test_a_reactor_that_does_not_answer_is_named(call_context, fake_events):
    call_context(opts={"reactor": [{}]}, events=fake_events())

    with pytest.raises(CommandExecutionError, match="did not answer 'delete' within 30 s"):
        reactor.delete("a/b")
