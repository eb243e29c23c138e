"""Views of the fleet for users of front ends."""

import types

import pytest

from salt_g.auth.sight import Sight
from salt_g.errors import TargetError
from salt_g.master.calls.authorization import CommandCaller
from salt_g.master.fleet.views import Views

RIGHTS = {"all": [".*", "@runner"], "web": [{"web*": ["test.*"]}]}


def resolve_all(tgt, tgt_type):
    if tgt == "broken":
        raise TargetError("a broken target")
    return types.SimpleNamespace(minions=["db1", "web1"])


@pytest.fixture
def ask():
    def sight_of(load, caller):
        permissions = RIGHTS.get(load.get("token"))
        return permissions and Sight("ann", [permissions], lambda target: frozenset(("web1",)))

    views = Views(
        types.SimpleNamespace(sight_of=sight_of),
        overview=types.SimpleNamespace(changes=lambda load: "changes"),
        data=types.SimpleNamespace(get=lambda id: ({"os": "Debian"}, {"secret": 1}) if id == "db1" else None),
        targets=types.SimpleNamespace(resolve_all=resolve_all),
        target_explain=types.SimpleNamespace(
            explain=lambda tgt, tgt_type: {id: {"matched": True, "terms": []} for id in ("db1", "web1")}
        ),
        jobs=types.SimpleNamespace(views=lambda: {"jobs": lambda load, sight: sight.user}),
        history=types.SimpleNamespace(views=dict),
    )
    commands = views.commands()
    return lambda cmd, **load: commands[cmd](load, CommandCaller("192.0.2.7"))


def test_a_login_that_is_over_sees_nothing(ask):
    assert ask("grains", token="old", id="db1")["needs"] == "login"
    assert ask("explain", token="old", tgt="*")["needs"] == "login"
    assert ask("overview") == "changes"


def test_grains_need_their_right_and_never_have_pillar(ask):
    assert ask("grains", token="all", id="db1") == {"grains": {"os": "Debian"}}
    assert ask("grains", token="all", id="web1") == {"grains": None}
    assert ask("grains", token="web", id="web1")["needs"] == "right"


def test_a_target_shows_only_minions_that_the_user_sees(ask):
    assert ask("explain", token="web", tgt="*", why=True) == {"ids": ["web1"], "why": {}}
    result = ask("explain", token="all", tgt="*", why=True)
    assert result["ids"] == list(result["why"]) == ["db1", "web1"]


@pytest.mark.parametrize(
    ("tgt", "tgt_type"),
    [("a:b", "pillar"), ("I@a:b", "compound"), ("web", "nodegroup"), ("N@web", "compound"), ("x", "own")],
)
def test_pillar_cannot_be_guessed_with_targets(ask, tgt, tgt_type):
    assert ask("explain", token="web", tgt=tgt, tgt_type=tgt_type)["needs"] == "right"
    assert ask("explain", token="all", tgt=tgt, tgt_type=tgt_type)["ids"]


def test_a_broken_target_is_an_error(ask):
    assert ask("explain", token="all", tgt="broken") == {"error": "a broken target"}


def test_views_of_jobs_get_their_user(ask):
    assert ask("jobs", token="all") == "ann"
