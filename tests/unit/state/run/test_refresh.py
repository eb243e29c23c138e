"""Reloads of plugins, grains and pillar after a chunk."""

import pytest

from salt_g.state.run.refresh import Refresh
from salt_g.state.run.state_call import StateCaller


@pytest.fixture
def after(call_context):
    """Return a function that returns the context after a chunk, and how often plugins were reloaded."""

    def run(low, *, changes=None, **gathered):
        caller = StateCaller(call_context(grains={"old": 1}, pillar={"old": 2}))
        refresh = Refresh(**gathered)
        refresh.after({"state": "test", "name": "n", "fun": "nop", **low}, {"changes": changes or {}}, caller)
        return caller.context, len(caller.context.services.plugins.reloaded)

    return run


def test_grains_and_pillar_are_replaced_on_request_only(after):
    gathered = {"grains": lambda: {"new": 1}, "pillar": lambda context: {"new": context.pillar["old"]}}

    context, _ = after({"reload_grains": True}, **gathered)
    assert (context.grains, context.pillar) == ({"new": 1}, {"old": 2})

    context, _ = after({"reload_pillar": True}, **gathered)
    assert (context.grains, context.pillar) == ({"old": 1}, {"new": 2})

    context, _ = after({}, **gathered)
    assert (context.grains, context.pillar) == ({"old": 1}, {"old": 2})


def test_a_run_that_cannot_gather_keeps_what_it_has(after):
    context, reloaded = after({"reload_grains": True, "reload_pillar": True}, changes={"x": 1})

    assert (context.grains, context.pillar, reloaded) == ({"old": 1}, {"old": 2}, 0)


@pytest.mark.parametrize(
    ("low", "reloaded"),
    [
        ({}, 0),
        ({"reload_modules": True}, 1),
        ({"reload_grains": True}, 1),
        ({"state": "pkg"}, 1),
        ({"state": "pip"}, 1),
        ({"state": "service"}, 0),
        ({"state": "file", "fun": "recurse"}, 1),
        ({"state": "file", "fun": "managed", "name": "/x/a.py"}, 1),
        ({"state": "file", "fun": "managed", "name": "/x/a.conf"}, 0),
        ({"state": "file", "fun": "absent", "name": "/x/a.py"}, 0),
        ({"state": "file", "fun": "symlink", "name": "/usr/bin/x"}, 1),
        ({"state": "file", "fun": "symlink", "name": "/etc/x"}, 0),
    ],
)
def test_changes_that_may_bring_plugins_reload_them(after, low, reloaded):
    assert after(low, changes={"x": 1}, grains=dict)[1] == reloaded


def test_without_changes_only_force_reloads(after):
    assert after({"state": "pkg", "reload_modules": True})[1] == 0
    assert after({"force_reload_modules": True})[1] == 1
