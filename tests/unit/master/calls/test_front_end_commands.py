"""Commands available to a front end."""

import pytest

from salt_g.master.calls.authorization import CommandCaller
from salt_g.master.calls.front_end_commands import FrontEndCommands


class Permits:
    """Authorization that records its questions."""

    def get_rights(self, load, caller):
        return ("rights", load["token"], caller.source)

    def end_token(self, load, caller):
        return ("end", load["token"])

    def get_permission_ids(self, load, caller):
        return [load["tgt"]]


@pytest.fixture
def answer():
    commands = FrontEndCommands(
        Permits(),
        clear=lambda load, caller: ("clear", load["cmd"]),
        queries={name: lambda load: "queried" for name in ("presence", "expected", "job")},
        views={"overview": lambda load, caller: "overview"},
    )
    return lambda **load: commands.answer(load, CommandCaller("192.0.2.7"))


def test_commands_of_every_client_are_passed_on(answer):
    assert answer(cmd="publish") == ("clear", "publish")


def test_data_of_jobs_is_not_among_the_queries(answer):
    assert answer(cmd="presence") == answer(cmd="expected") == "queried"
    assert answer(cmd="job") == ("clear", "job")


def test_views_are_served(answer):
    assert answer(cmd="overview") == "overview"


def test_tokens_are_shown_and_ended(answer):
    assert answer(cmd="rights", token="t") == ("rights", "t", "192.0.2.7")
    assert answer(cmd="end_token", token="t") == ("end", "t")


def test_targets_of_permissions_are_resolved(answer):
    assert answer(cmd="permission_ids", tgt="web*") == ["web*"]


def test_a_load_without_a_command_gets_nothing(answer):
    assert answer(cmd=["publish"]) == {}
