"""Filters, orders, pages and counts of minions."""

import pytest

from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.minion_query import (
    arranged,
    check_fields,
    filtered,
    paged,
    shown,
    summary,
)


def row(id, os="Debian", status="ok", connected=True, **more):
    facts = {"os_version": "12", "os_family": "Debian", "kernel": "Linux", "version": "3008.3"}
    return {
        **facts,
        **{"id": id, "os": os, "status": status, "connected": connected},
        **{"addresses": ["10.0.0.1"], "seen": 60, "last_run": None, "resources": 0, **more},
    }


ROWS = [
    row("db1", "Red Hat", "failed"),
    row("web1", status="changed"),
    row("web2", connected=False, addresses=["10.0.0.2"]),
    row("web3", None, "none", version=None),
]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("", ["db1", "web1", "web2", "web3"]),
        ("web", ["web1", "web2", "web3"]),
        ("id:web*", ["web1", "web2", "web3"]),
        ("os:debian", ["web1", "web2"]),
        ("os:'Red Hat'", ["db1"]),
        ("status:away", ["web2"]),
        ("status:failed id:web*", []),
        ("connected:true web", ["web1", "web3"]),
        ("10.0.0.2", ["web2"]),
        ("address:10.*.2", ["web2"]),
        ("version:3008*", ["db1", "web1", "web2"]),
        ("x:y", []),
    ],
)
def test_a_filter_is_a_conjunction_of_words(text, ids):
    assert [one["id"] for one in filtered(ROWS, text)] == ids


@pytest.mark.parametrize("text", ["os:'", "seen:1", "a " * 21])
def test_a_filter_that_cannot_be_read_is_refused(text):
    with pytest.raises(Refusal) as refusal:
        filtered(ROWS, text)
    assert refusal.value.status == 400


def test_rows_are_sorted_and_rows_without_a_value_come_last():
    assert [one["id"] for one in arranged(ROWS, "os")] == ["web1", "web2", "db1", "web3"]
    assert [one["id"] for one in arranged(ROWS, "status")] == ["db1", "web1", "web2", "web3"]
    assert next(one["id"] for one in arranged(ROWS, "-id")) == "web3"
    with pytest.raises(Refusal):
        arranged(ROWS, "colour")


def test_pages_follow_each_other():
    page, after = paged(ROWS, "", "", 3)
    assert ([one["id"] for one in page], after) == (["db1", "web1", "web2"], "web2")
    page, after = paged(ROWS, "", after, 3)
    assert ([one["id"] for one in page], after) == (["web3"], None)
    # A minion that is gone meanwhile does not end pages by id.
    assert [one["id"] for one in paged(ROWS, "id", "web11", 9)[0]] == ["web2", "web3"]
    assert paged(ROWS, "os", "gone", 9) == ([], None)


def test_a_page_may_begin_anywhere():
    page, after = paged(ROWS, "-id", "", 2, skip=1)
    assert ([one["id"] for one in page], after) == (["web1", "web2"], "web2")
    assert paged(ROWS, "", "", 2, skip=9) == ([], None)


def test_clients_choose_fields():
    assert shown(ROWS[0], "os,status") == {"id": "db1", "os": "Red Hat", "status": "failed"}
    assert "last_run" in shown(ROWS[0], "")
    with pytest.raises(Refusal):
        check_fields("os,colour")


def test_counts_have_their_filters():
    result = summary(ROWS)

    assert result["total"] == 4
    assert result["status"] == {"ok": 1, "changed": 1, "would change": 0, "failed": 1, "none": 1, "away": 1}
    for facet in result["facets"]["os"]:
        assert len(filtered(ROWS, facet["filter"])) == facet["count"]
