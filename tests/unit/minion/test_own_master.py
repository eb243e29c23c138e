"""Jobs, runner and wheel functions of a master on the minion's own machine."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.minion.own_master import ELSEWHERE, OwnMasterCalls, OwnMasterClient
from salt_g.shapes import MasterCall


@pytest.fixture
def opts(tmp_path):
    """Return settings of a minion and a stopped master on one machine."""
    (tmp_path / "master").write_text(f"root_dir: {tmp_path}\nsock_dir: {tmp_path / 'sock'}\n")
    return {"id": "m1", "conf_file": str(tmp_path / "minion")}


@pytest.mark.parametrize(
    "ask",
    [
        lambda opts: list(OwnMasterClient(opts).cmd_iter("*", "test.ping")),
        lambda opts: list(OwnMasterClient(opts).cmd_batch("*", "test.ping", batch=1)),
        lambda opts: list(OwnMasterClient(opts).cmd_subset("*", "test.ping", subset=1)),
        lambda opts: OwnMasterCalls(opts).outcome(MasterCall("runner", "test.arg", [], {}, "root")),
        lambda opts: OwnMasterCalls(opts).outcome(MasterCall("wheel", "key.list_all", [], {}, "root")),
    ],
)
def test_without_a_master_here_each_raises_in_stocks_words(opts, ask):
    with pytest.raises(CommandExecutionError) as caught:
        ask(opts)

    assert str(caught.value).startswith(ELSEWHERE)
    assert "\n" not in str(caught.value).strip()


def test_settings_of_the_master_that_cannot_be_read_are_reported(opts, tmp_path):
    (tmp_path / "master").write_text("sock_dir: [\n")

    with pytest.raises(CommandExecutionError, match="master"):
        list(OwnMasterClient(opts).cmd_iter("*", "test.ping"))


def test_nothing_is_connected_before_the_first_return_is_asked_for(opts):
    OwnMasterClient(opts).cmd_iter("*", "test.ping")
