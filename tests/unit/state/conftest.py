"""A state engine on trees of plain data: no files, no renderer, no loader."""

import inspect

import pytest

from salt_g.state.engine import StateEngine
from salt_g.state.run.state_run import Clock
from salt_g.states import test as states_test
from tests.support.state_trees import FakeFiles, FakeMatching, FakeRendering


def our_states():
    """Return the table of our own `test` states."""
    functions = inspect.getmembers(states_test, inspect.isfunction)
    return {
        f"test.{name}": function
        for name, function in functions
        if function.__module__.endswith("states.test")
    }


@pytest.fixture
def state_engine(call_context, tmp_path):
    """Return a function that makes an engine for `base` ({sls: data}) or several environments.

    `slept` on the engine lists the waits; further keywords go to `call_context`.
    """

    def make(base=None, *, trees=None, states=None, functions=None, opts=None, job=None, **context):
        trees = trees or {"base": base or {}}
        slept = []
        files, rendering = FakeFiles(trees), FakeRendering(trees)
        entered = call_context(
            states={**our_states(), **(states or {})},
            functions=functions,
            opts={"cachedir": str(tmp_path / "cache"), "state_auto_order": True, **(opts or {})},
            files=files,
            render=rendering,
            match=FakeMatching(),
            **context,
        )
        if job:
            object.__setattr__(entered, "job", job)
        engine = StateEngine(entered.services, clock=Clock(sleep=slept.append))
        engine.slept = slept
        return engine

    return make


@pytest.fixture
def comments():
    """Return a function that returns {id: comment} of a running dict."""
    return lambda running: {
        ret.get("__id__", tag.split("_|-")[1]): ret["comment"] for tag, ret in running.items()
    }


@pytest.fixture
def results():
    """Return {id: result} of a running dict."""
    return lambda running: {tag.split("_|-")[1]: ret["result"] for tag, ret in running.items()}


@pytest.fixture
def one():
    """Return the only return of a running dict."""

    def only(running):
        (ret,) = running.values()
        return ret

    return only
