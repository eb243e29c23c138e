"""Rights to send commands through the local socket."""

import os

import pytest

from salt_g.master.calls.authorization import CommandCaller
from salt_g.master.calls.local_commands import LocalCommands

STRANGER = 65533


class Batches:
    """Batches that record their requests."""

    def start(self, load, caller):
        return ("started", load["fun"], caller.uid)

    def running(self):
        return {"1": {"fun": "test.ping"}}

    def stop(self, jid):
        return jid == "1"


@pytest.fixture
def answer():
    """Return a function that returns the reply to a user's command."""
    commands = LocalCommands(
        clear=lambda load, caller: ("clear", load.get("cmd"), caller.uid),
        trusted={"top": lambda load: {"id": "main"}},
        batches=Batches(),
    )
    return lambda uid, **load: commands.answer(load, CommandCaller("", uid))


@pytest.mark.parametrize("uid", [0, os.geteuid()])
def test_root_and_the_masters_user_may_ask_for_everything(answer, uid):
    assert answer(uid, cmd="top") == {"id": "main"}
    assert answer(uid, cmd="batches") == {"1": {"fun": "test.ping"}}
    assert (answer(uid, cmd="batch_stop", jid=1), answer(uid, cmd="batch_stop")) == (True, False)


@pytest.mark.parametrize("command", ["top", "batches", "batch_stop"])
def test_others_are_refused_what_is_about_minions(answer, command):
    assert answer(STRANGER, cmd=command, jid="1")["error"]["name"] == "AuthorizationError"


def test_others_start_batches_and_clear_commands_in_their_own_name(answer):
    assert answer(STRANGER, cmd="batch", fun="test.ping") == ("started", "test.ping", STRANGER)
    assert answer(STRANGER, cmd="publish") == ("clear", "publish", STRANGER)


@pytest.mark.parametrize("command", [None, 5, ["top"], {"top": 1}, ""])
def test_other_commands_are_left_to_the_clear_commands(answer, command):
    assert answer(STRANGER, cmd=command) == ("clear", command, STRANGER)
