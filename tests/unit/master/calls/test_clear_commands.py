"""Clear commands: authorization, the calls started, the answers."""

import pytest

from salt_g.errors import WireError
from salt_g.master.calls.authorization import Allowed, CommandCaller, NotAuthorized
from salt_g.master.calls.clear_commands import CallCommands, ClearCommands, PublishCommands
from salt_g.transport.protocols import Arrival
from salt_g.wire.packing import unpack

JID = "20260102030405678901"


class Permits:
    """Permits everything to `root`, limited rights to `fred`, nothing to anyone else."""

    def check_publish(self, load, caller):
        if load.get("user") not in ("root", "fred"):
            raise NotAuthorized({"error": "no"}, "unknown")
        return Allowed(load["user"], is_limited=load["user"] == "fred")

    def check_call(self, kind, call, load, caller):
        self.checked = (kind, call)
        return self.check_publish(load, caller)

    def make_token(self, load, caller):
        return {"token": "t"}

    get_token = make_token

    def key_owner(self, key):
        return 1000 if key == "key of fred" else None


class Master:
    """Everything behind the commands, and a record of its actions."""

    def __init__(self):
        self.published, self.refused, self.called = [], [], []
        self.authorization = Permits()
        self.reply = {"jid": JID, "minions": ["m1"]}

    def publish(self, job, *, user, uid, despite, source):
        self.despite = despite
        self.published.append((job, user, uid))
        return self.reply

    def fire_refused(self, load, error):
        self.refused.append(error)

    def start(self, call, *, timeout):
        self.called.append((call.kind, call.fun, call.args, call.kwargs, call.user, timeout, call.uid))
        self.jid = call.jid
        return {"tag": "salt/run/1", "jid": JID}

    def outcome(self, call):
        self.called.append((call.kind, call.fun, call.args, call.kwargs, call.user, None, call.uid))
        return {"jid": JID, "return": "value", "success": True}


@pytest.fixture
def master():
    return Master()


@pytest.fixture
def commands(master):
    return ClearCommands(
        {
            **PublishCommands(master.authorization, master).commands(),
            **CallCommands(master.authorization, master).commands(),
        },
        authorization=master.authorization,
        is_local=lambda address: address == "127.0.0.1",
    )


def test_another_host_gets_nothing_and_reaches_nothing(commands, master):
    with pytest.raises(WireError, match="a remote host") as refused:
        commands.answer({"cmd": "publish", "user": "root"}, Arrival(b"", "192.0.2.1"))

    assert (refused.value.answer, master.published) == ({}, [])


def test_a_publication_is_answered_in_an_envelope(commands, master):
    load = {"cmd": "publish", "user": "root", "fun": "test.ping", "id": "syndic", "to": 5}

    reply = unpack(commands.answer(load, Arrival(b"", "127.0.0.1")))

    assert reply == {"enc": "clear", "load": {"jid": JID, "minions": ["m1"]}}
    assert master.published == [(load, "root", None)]


def test_why_a_job_was_refused_is_where_clients_of_stock_look_for_it(commands, master):
    master.reply = {"error": "'(m1' is read as one criterion"}

    reply = unpack(commands.answer({"cmd": "publish", "user": "root"}, Arrival(b"", "127.0.0.1")))

    assert reply == {"enc": "clear", "load": master.reply, **master.reply}


def test_a_limited_user_does_not_act_for_others(commands, master):
    commands.serve({"cmd": "publish", "user": "fred", "id": "syndic", "to": 5}, CommandCaller(uid=1000))

    assert master.published == [({"cmd": "publish", "user": "fred"}, "fred", 1000)]


def test_a_refused_publication_is_answered_and_is_an_event(commands, master):
    assert commands.serve({"cmd": "publish", "user": "eve"}, CommandCaller()) == {"error": "no"}
    assert (master.refused, master.published) == ([{"error": "no"}], [])


@pytest.mark.parametrize("name", ["nope", "", None, 5, ["publish"], {"a": 1}, "_publish", "serve"])
def test_unknown_commands_do_nothing(commands, name):
    assert commands.serve({"cmd": name, "user": "root"}, CommandCaller()) == {}


@pytest.mark.parametrize(
    ("fields", "args", "kwargs"),
    [
        ({"arg": ["a"], "kwarg": {"b": 1}}, ["a"], {"b": 1}),
        ({"arg": [], "kwarg": {}}, [], {}),
        ({"kwarg": {"arg": ["a"], "kwarg": {"b": 1}}}, ["a"], {"b": 1}),
        ({"kwarg": {"b": 1, "__jid__": 2}}, [], {"b": 1}),
        ({"match": "m1", "password": "secret", "key": "secret"}, [], {"match": "m1"}),
    ],
    ids=str,
)
def test_arguments_come_in_the_forms_of_several_clients(commands, master, fields, args, kwargs):
    result = commands.serve(
        {"cmd": "wheel", "fun": "key.list", "user": "root", **fields}, CommandCaller(uid=5)
    )

    assert master.called == [("wheel", "key.list", args, kwargs, "root", None, 5)]
    assert master.authorization.checked[1][1:] == (args, kwargs)
    assert result["tag"] == result["data"]["tag"] and result["data"]["return"] == "value"


@pytest.mark.parametrize("fields", [{}, {"fun": 5}, {"fun": "a.b", "arg": "x"}, {"fun": "a.b", "kwarg": [1]}])
def test_a_malformed_call_is_refused(commands, master, fields):
    for cmd in ("runner", "wheel"):
        with pytest.raises(WireError):
            commands.serve({"cmd": cmd, "user": "root", **fields}, CommandCaller())
    assert master.called == []


def test_a_runner_is_started_with_the_time_and_jid_of_its_client(commands, master):
    load = {"cmd": "runner", "fun": "jobs.active", "user": "root"}

    result = commands.serve(
        {**load, "kwarg": {"arg": [], "kwarg": {}, "timeout": 7, "jid": JID}}, CommandCaller()
    )

    assert result == {"tag": "salt/run/1", "jid": JID}
    assert (master.called[0][5], master.jid) == (7.0, JID)
    assert commands.serve({**load, "user": "eve"}, CommandCaller()) == {"error": "no"}


def test_a_job_for_minions_that_are_away_goes_to_the_mailbox(master):
    kept = []

    def keep(load, allowed, uid):
        kept.append((load, allowed.user, uid))
        return {"jid": "", "minions": [], "kept": ["m1"]}

    publish = PublishCommands(master.authorization, master, keep).commands()["publish"]
    load = {"cmd": "publish", "user": "fred", "id": "syndic", "kwargs": {"when_back": 60}}

    assert publish(load, CommandCaller(uid=1000))["load"]["kept"] == ["m1"]
    # A user with limits does not act for others there either.
    assert kept == [({"cmd": "publish", "user": "fred", "kwargs": {"when_back": 60}}, "fred", 1000)]
    assert master.published == []


def test_locks_that_a_job_may_pass_are_named_to_the_publisher(master):
    publish = PublishCommands(master.authorization, master, despite=lambda load, caller: ["1f"]).commands()[
        "publish"
    ]

    publish({"cmd": "publish", "user": "root"}, CommandCaller())

    assert master.despite == ["1f"]
