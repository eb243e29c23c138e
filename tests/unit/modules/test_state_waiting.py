"""Waiting for other state runs, as in extensions that use names of stock's `salt.modules.state`."""

from types import SimpleNamespace

import pytest

from salt_g.compat.utils.calls.functools import namespaced_function
from salt_g.modules import state

BUSY = 'The function "state.apply" is running as PID 7'


@pytest.fixture
def runs(call_context):
    """Return answers about other runs, the last of which is repeated; and the context of the call."""
    answers = [[]]

    def conflicts(jid):
        assert jid == "20260101"
        return answers.pop(0) if len(answers) > 1 else answers[0]

    context = call_context()
    context.services.states = SimpleNamespace(lock=SimpleNamespace(conflicts=conflicts))
    return SimpleNamespace(answers=answers, context=context)


def check(queue, **kwargs):
    """Call the function as an extension does: a copy with the globals of its own file."""
    copied = namespaced_function(state._check_queue, {"call": None, "log": None, "state": None})
    return copied(queue, {"__pub_jid": "20260101", **kwargs})


def test_no_other_run_is_no_conflict(runs):
    assert check(False) is None
    assert "retcode" not in runs.context.scratch


def test_another_run_is_reported_and_makes_the_call_fail(runs):
    runs.answers[:] = [[BUSY]]

    assert check(False) == [BUSY]
    assert runs.context.scratch["retcode"] == 1
    assert check(False, concurrent=True) is None


def test_a_queued_run_waits_for_the_end_of_the_others(runs):
    runs.answers[:] = [[BUSY], []]

    assert check(True) is None
    assert runs.answers == [[]]
    assert state._prior_running_states("20260101") == []
