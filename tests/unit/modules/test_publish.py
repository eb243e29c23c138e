"""Jobs that a minion publishes through its master."""

import pytest

from salt_g.errors import CommandExecutionError, InvocationError, NoReply
from salt_g.modules import publish


class Master:
    """Publishes; each item of `returns` is the answer to one request for returns."""

    def __init__(self, job, *returns):
        self.job = job
        self.returns = list(returns)
        self.loads = []

    def ask(self, load, *, timeout):
        self.loads.append(load)
        if load["cmd"] == "minion_pub":
            return self.job
        return self.returns.pop(0) if len(self.returns) > 1 else self.returns[0]


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr(publish.time, "sleep", lambda seconds: None)


def test_it_waits_until_all_have_returned(call_context):
    both = {"a": {"ret": 1}, "b": {"ret": 2}}
    master = Master({"jid": "1", "minions": ["a", "b"]}, {}, {"a": {"ret": 1}}, both)
    call_context(master=master)

    assert publish.publish("*", "test.echo", "x, y") == {"a": 1, "b": 2}
    assert master.loads[0]["arg"] == ["x", "y"]
    assert len(master.loads) == 4


@pytest.mark.parametrize(
    ("arg", "args"),
    [("x, y", ["x", "y"]), ('["a, b", 1]', ["a, b", 1]), ("[a", ["[a"]), ("[a] b", ["[a] b"]), (None, [])],
)
def test_arguments_are_a_list_also_in_yaml_or_divided_by_commas(call_context, arg, args):
    master = Master({})
    call_context(master=master)

    publish.publish("*", "test.arg", arg)

    assert master.loads[0]["arg"] == args


def test_a_late_return_is_missing(call_context):
    master = Master({"jid": "1", "minions": ["a", "b"]}, {"a": {"ret": 1}})
    call_context(master=master)

    assert publish.full_data("*", "test.ping", timeout=0) == {"a": {"ret": 1}}


@pytest.mark.parametrize("job", [{}, "", {"jid": None}])
def test_a_job_that_the_master_does_not_publish_has_no_returns(call_context, job):
    call_context(master=Master(job))

    assert publish.publish("*", "test.ping") == {}


def test_a_master_that_the_minion_does_not_have_is_refused(call_context):
    master = Master({"jid": "1", "minions": ["a"]}, {"a": {"ret": 1}})
    call_context(master=master, opts={"master": ["salt1:4506", "salt2"]})

    assert publish.publish("*", "test.ping", via_master="salt1") == {"a": 1}
    with pytest.raises(
        InvocationError, match="'salt3' is not a master of this minion; its masters are salt1:4506, salt2"
    ):
        publish.publish("*", "test.ping", via_master="salt3")


def test_publishing_of_publishing_is_refused(call_context):
    master = Master({})
    call_context(master=master)

    assert publish.publish("*", "publish.publish") == {}
    assert master.loads == []


def test_a_malformed_function_name_is_reported(call_context):
    call_context(master=Master({}))

    with pytest.raises(InvocationError, match="is not the name of a function"):
        publish.publish("*", "rm -rf")


def test_a_call_without_a_master_raises(call_context):
    call_context()

    with pytest.raises(CommandExecutionError, match="no master"):
        publish.publish("*", "test.ping")


def test_a_silent_master_is_logged(call_context, caplog):
    class Silent:
        def ask(self, load, *, timeout):
            raise NoReply("master", timeout)

    call_context(master=Silent())

    assert publish.runner("manage.up") == {}
    assert "did not publish the job" in caplog.text
