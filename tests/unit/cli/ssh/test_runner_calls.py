"""Runners called by the pillar of hosts without a minion; their effect is tested with real hosts."""

import pytest

from salt_g.cli.ssh.runner_calls import HostRunnerCalls
from salt_g.errors import CommandExecutionError
from salt_g.shapes import MasterCall


def test_wheel_functions_and_calls_in_the_background_are_refused():
    calls = HostRunnerCalls({})

    with pytest.raises(CommandExecutionError, match="can only call runners"):
        calls.outcome(MasterCall("wheel", "key.list_all", [], {}, "root"))
    with pytest.raises(CommandExecutionError, match="wait for them"):
        calls.start(MasterCall("runner", "test.arg", [], {}, "root"))
    assert calls.running() == []
