"""Routes of functions, resources and schedules."""

import pytest

from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.fleet_routes import _shown


def test_arguments_at_the_end_have_defaults():
    spec = {"args": ["a", "b", "c"], "defaults": [None, 5], "varargs": True, "kwargs": None}
    shown = _shown("x.y", spec, None)
    assert [(one["name"], one["required"], one["default"]) for one in shown["arguments"]] == [
        ("a", True, None),
        ("b", False, None),
        ("c", False, 5),
    ]
    assert (shown["takes_more"], shown["takes_any"], shown["doc"]) == (True, False, "")


@pytest.mark.parametrize("query", [{}, {"q": "*"}, {"q": "a;b", "on": "m1"}, {"q": "test"}])
def test_a_search_names_functions_and_a_minion(call, query):
    with pytest.raises(Refusal) as refusal:
        call("GET", "/functions", query)
    assert refusal.value.status == 400


class Orders:
    """Jobs for a minion with two functions; other requests go to `others`."""

    answers = {
        "sys.argspec": {"pkg.install": {"args": ["name"]}, "pkg.info": {"args": []}},
        "sys.doc": {"pkg.install": "Install."},
    }

    def __init__(self, others):
        self.check, self.ask = others.check, others.ask
        self.requests = []

    def run(self, order, client):
        self.requests.append(order["fun"])
        word = order["arg"][0].rstrip("*")
        found = self.answers[order["fun"]]
        return [{"m1": {name: one for name, one in found.items() if name.startswith(word)}}]


@pytest.fixture
def minion(parts, master):
    """Return the requests sent to the minion."""
    row = {"id": "m1", "version": "1", "last_run": None}
    master.answers["overview"] = {
        **{"is_whole": True, "gone": [], "rows": [row], "boot": "b", "number": 1},
    }
    parts.orders = Orders(parts.orders)
    return parts.orders.requests


def test_a_minion_is_asked_once_for_a_name_that_is_typed(call, minion):
    for word, names in [("pkg.", ["pkg.info", "pkg.install"]), ("pkg.ins", ["pkg.install"])]:
        answer = call("GET", "/functions", {"q": word, "on": "m1"})
        assert [one["name"] for one in answer.data["items"]] == names
    assert answer.data["items"][0]["doc"] == "Install."
    assert minion == ["sys.argspec", "sys.doc"]


def test_an_unknown_minion_is_not_there_and_one_that_is_away_does_not_answer(call, minion, parts):
    parts.orders.run = lambda order, client: [{}]
    for id, status in (("m2", 404), ("m1", 504)):
        with pytest.raises(Refusal) as refusal:
            call("GET", "/functions", {"q": "pkg.", "on": id})
        assert refusal.value.status == status


def test_a_user_without_rights_on_the_minion_is_answered_by_the_master(call, minion, master):
    call("GET", "/functions", {"q": "pkg.", "on": "m1"})
    master.answers["rights"] = {"user": "bob", "eauth": "pam", "permissions": ["test.*"]}

    call("GET", "/functions", {"q": "pkg.", "on": "m1"})

    assert minion == ["sys.argspec", "sys.doc"] * 2
