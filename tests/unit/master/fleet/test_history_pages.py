"""Pages of the history for users with different rights."""

import pytest

from salt_g.auth.sight import Sight
from salt_g.errors import StoreError
from salt_g.master.fleet import history_pages
from salt_g.master.fleet.history_pages import HistoryPages
from salt_g.report.state_changes import Cause, StateChange

ROWS = [
    StateChange(
        *(f"2033051803332{job}000000", minion, 0, 2e9, "motd", f"/etc/motd{job}", "file.managed"),
        *(int(Cause.CORRECTIVE if job == 3 else Cause.INTENDED), 0, "ann", 1, 1, b"t"),
    )
    for job in (3, 2, 1)
    for minion in ("web2", "web1")
]


class History:
    """Six changes of three jobs."""

    rows = ROWS

    def place(self):
        return []

    def page(self, *, since, after=None, name="", cause=None, most=2):
        later = [
            one
            for one in self.rows
            if after is None or (one.jid, one.minion, one.number) < after
            if cause in (None, one.cause) and name in ("", one.name, one.id) and one.at >= since
        ]
        return later[:most]

    def drift(self, *, since):
        return [one for one in self.rows if one.cause == Cause.CORRECTIVE and one.at >= since]

    def untested(self, before):
        return ["db1"]

    def text(self, digest):
        return "+a" if digest == b"t" else ""


@pytest.fixture(autouse=True)
def slices(monkeypatch):
    monkeypatch.setattr(history_pages, "SLICE", 2)


@pytest.fixture
def ask():
    def run(view, permissions=(".*",), history=None, is_kept=True, **load):
        views = HistoryPages(history or History(), is_kept=is_kept, now=lambda: 2e9 + 10).views()
        return views[view](load, Sight("ann", [list(permissions)], lambda target: frozenset()))

    return run


def names(result):
    return [(group["name"], group["minions"]) for group in result["groups"]]


def test_changes_come_by_page_each_job_and_content_once(ask):
    result = ask("history", limit=2)
    assert names(result) == [("/etc/motd3", ["web1", "web2"]), ("/etc/motd2", ["web1", "web2"])]
    result = ask("history", limit=2, after=result["next"])
    assert (names(result), result["next"]) == ([("/etc/motd1", ["web1", "web2"])], None)


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ({"q": "ETC/MOTD2"}, 1),
        ({"q": "file.man"}, 3),
        ({"q": "nginx"}, 0),
        ({"minion": "web1"}, 3),
        ({"minion": "db*"}, 0),
        ({"cause": "corrective"}, 1),
        ({"name": "/etc/motd1"}, 1),
        ({"name": "/etc"}, 0),
        ({"since": 1}, 0),
    ],
)
def test_changes_are_chosen_by_text_minion_cause_name_and_time(ask, query, number):
    assert len(ask("history", **query)["groups"]) == number


def test_a_page_examines_a_bounded_number_and_leads_on(ask, monkeypatch):
    monkeypatch.setattr(history_pages, "MOST_EXAMINED", 3)
    result = ask("history", q="motd1")
    assert result["groups"] == [] and result["next"]
    assert names(ask("history", q="motd1", after=result["next"])) == [("/etc/motd1", ["web1", "web2"])]


@pytest.mark.parametrize("after", ["x", "j/x/m", "j/99999999999999999999/m"])
def test_a_place_that_was_made_up_is_refused(ask, after):
    assert "after" in ask("history", after=after)["error"]


def test_drift_has_its_minions_and_those_that_were_not_tested(ask):
    result = ask("drift", since=60)
    assert [(one["name"], one["minions"]) for one in result["drift"]] == [("/etc/motd3", ["web1", "web2"])]
    assert (result["not_tested"], result["is_cut"]) == (["db1"], False)
    assert ask("history_text", digest=b"t") == {"text": "+a"}
    assert ask("history_text", digest="t") == {"text": ""}


@pytest.mark.parametrize(
    ("permissions", "seen"),
    [
        ([".*"], ["history", "history_text", "drift"]),
        (["@events"], ["history", "history_text", "drift"]),
        (["@runner"], ["history", "history_text", "drift"]),
        ([{"@runner": ["history.drift"]}], ["drift"]),
        (["state.*", "@wheel", "@jobs"], []),
        ([{"web*": [".*"]}], []),
    ],
)
def test_the_history_needs_its_right_or_full_permissions(ask, permissions, seen):
    views = ("history", "history_text", "drift")
    assert [view for view in views if "refused" not in ask(view, permissions)] == seen


def test_without_a_history_there_is_none_and_a_broken_store_is_reported(ask):
    class Broken(History):
        def drift(self, *, since):
            raise StoreError("/store", "cannot be read")

    assert ask("history", is_kept=False) == {"off": True}
    assert "cannot be read" in ask("drift", history=Broken())["error"]
