"""Routes of minions: what each user sees."""

import pytest

from salt_g.http_api.messages import Refusal

FACTS = {"os": "Debian", "os_version": "12", "os_family": "Debian", "kernel": "Linux", "version": "3008.3"}
RUN = {"jid": "1", "fun": "state.apply", "user": "bob", "verdict": "failed", "counts": {"failed": 1}}


@pytest.fixture(autouse=True)
def overview(master):
    rows = [
        {
            **{"id": id, **FACTS, "addresses": ["10.0.0.1"], "seen": 60, "connected": True},
            **{"last_run": RUN, "resources": 0},
        }
        for id in ("db1", "web1")
    ]
    result = {"boot": "b", "number": 1, "is_whole": True, "rows": rows, "gone": []}
    master.answers["overview"] = result
    master.answers["permission_ids"] = ["web1"]
    master.answers["grains"] = {"grains": {"os": "Debian"}}


def limit_rights(master, *permissions):
    master.answers["rights"] = {"user": "ann", "permissions": list(permissions)}


def test_a_user_with_all_rights_sees_whole_rows(call):
    result = call("GET", "/minions", {"limit": "1", "sort": "-id"}).data
    assert (result["total"], result["next"]) == (2, "web1")
    assert result["items"][0]["last_run"] == RUN
    assert [row["id"] for row in call("GET", "/minions", {"skip": "1"}).data["items"]] == ["web1"]
    assert call("GET", "/minions/db1").data["grains"] == {"os": "Debian"}


def test_minions_without_any_right_are_not_there(call, master):
    limit_rights(master, {"web*": ["test.*"]})

    assert [row["id"] for row in call("GET", "/minions").data["items"]] == ["web1"]
    with pytest.raises(Refusal) as refusal:
        call("GET", "/minions/db1")
    assert refusal.value.status == 404


def test_facts_and_runs_need_rights_and_filters_do_not_reveal_them(call, master):
    limit_rights(master, "test.*")

    [row, _] = call("GET", "/minions").data["items"]
    assert (row["os"], row["addresses"], row["last_run"], row["status"]) == (None, [], None, "none")
    assert call("GET", "/minions", {"filter": "os:Debian"}).data["total"] == 0
    assert call("GET", "/minions/summary").data["status"]["failed"] == 0
    limit_rights(master, "grains.items", "state.apply")
    assert call("GET", "/minions/summary").data["status"]["failed"] == 2


def test_a_target_is_explained_in_bounds(call, master):
    ids = [f"m{number:04}" for number in range(1500)]
    why = {id: {"matched": id == "m1400", "terms": []} for id in ids}
    master.answers["explain"] = {"ids": ids, "why": why}

    result = call("GET", "/targets/explain", {"tgt": "*", "why": "true"}).data
    assert (result["count"], len(result["ids"]), result["more"]) == (1500, 1000, 500)
    assert next(iter(result["why"])) == "m1400"
    assert len(result["why"]) == 100
    with pytest.raises(Refusal):
        call("GET", "/targets/explain")
