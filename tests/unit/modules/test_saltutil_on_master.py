import pytest

from salt_g import api
from salt_g.errors import CommandExecutionError
from salt_g.modules import saltutil


class FakeClient:
    def cmd_iter(self, **options):
        self.options = options
        yield {"m1": {"ret": True}}
        yield {}
        yield {"m2": {"ret": False}}

    def cmd_batch(self, **options):
        yield {"m1": {"out": "nested"}}
        yield {"m2": True}

    def cmd_subset(self, **options):
        self.options = options
        yield {"m1": {"ret": True}}


class FakeCalls:
    def __init__(self):
        self.ran = []

    def outcome(self, call):
        self.ran.append((call.kind, call.fun, call.args, call.kwargs, call.user))
        return {"return": "done", "success": True, "jid": "9"}


def _takes_saltenv(saltenv="base"):
    return saltenv


@pytest.fixture
def master(call_context, fake_events):
    client, calls, events = FakeClient(), FakeCalls(), fake_events()
    tables = {
        "runners": {"pillar.show_top": _takes_saltenv, "test.arg": lambda **kwargs: kwargs},
        "wheel": {},
    }
    call_context(tables=tables, client=client, calls=calls, events=events)
    return client, calls, events


def test_cmd_joins_what_minions_answer(master):
    assert saltutil.cmd("*", "test.ping", expect_minions=True) == {"m1": {"ret": True}, "m2": {"ret": False}}
    assert master[0].options["expect_minions"] is True


def test_cmd_in_batches_has_the_same_form(master):
    assert saltutil.cmd("*", "test.ping", batch="1") == {
        "m1": {"out": "nested", "ret": {"out": "nested"}},
        "m2": {"out": "highstate", "ret": True},
    }


def test_cmd_on_some_minions_by_chance(master):
    saltutil.cmd("*", "test.ping", subset=1)

    assert master[0].options["subset"] == 1
    assert master[0].options["cli"] is True


def test_runner_gives_its_return_or_all_that_is_reported(master):
    _, calls, _ = master

    assert saltutil.runner("test.arg", kwarg={"a": 1}, b=2, __pub_user="eve") == "done"
    assert saltutil.runner("test.arg", full_return=True)["jid"] == "9"
    assert calls.ran[0] == ("runner", "test.arg", [], {"a": 1, "b": 2}, "eve")


def test_an_orchestration_reports_what_it_asks_for_and_hands_its_jid_on(master):
    _, calls, events = master

    saltutil.runner("state.orch", ["x"], __orchestration_jid__="7")
    saltutil.wheel("key.list", "acc", __orchestration_jid__="7")

    assert calls.ran[0][3] == {"orchestration_jid": "7"}
    assert [(tag, data["type"]) for tag, data in events.fired] == [
        ("salt/run/7/args", "runner"),
        ("salt/run/7/args", "wheel"),
    ]


def test_the_environment_goes_to_runners_that_take_one(master):
    saltutil.runner("pillar.show_top", __env__="dev")
    saltutil.runner("test.arg", __env__="dev")

    assert [kwargs for _, _, _, kwargs, _ in master[1].ran] == [{"saltenv": "dev"}, {}]


def test_hosts_of_a_roster_are_reached_by_the_runner_with_the_settings_of_the_call(call_context):
    calls = []

    def ssh_cmd(*args):
        calls.append((args, dict(api.opts[api.SSH_SETTINGS])))
        return {"h1": {"return": True, "retcode": 0}}

    call_context(tables={"runners": {"ssh.cmd": ssh_cmd}}, opts={"__role": "master"})
    options = {"ssh": True, "roster": "ansible", "ssh_user": "deploy", "expect_minions": True}

    assert saltutil.cmd("h*", "test.ping", **options) == {"h1": {"return": True, "retcode": 0}}
    assert list(saltutil.cmd_iter("h*", "test.ping", ssh=True)) == [{"h1": {"return": True, "retcode": 0}}]
    assert calls[0] == (
        ("h*", "test.ping", (), None, "glob", None), {"roster": "ansible", "ssh_user": "deploy"},
    )  # fmt: skip
    assert calls[1][1] == {}


def test_without_a_master_each_of_them_raises(call_context):
    call_context()

    for function in (saltutil.cmd, saltutil.runner, saltutil.wheel):
        with pytest.raises(CommandExecutionError, match="located on the master"):
            function("a", "b")
    with pytest.raises(CommandExecutionError, match="located on the master"):
        saltutil.cmd("a", "b", ssh=True)
