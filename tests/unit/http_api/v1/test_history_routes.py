"""Routes of the history."""

import pytest

from salt_g.http_api.messages import Refusal

GROUP = {"name": "/etc/motd", "text": b"\x01\xff", "minions": ["m1"], "added": None}


def test_texts_have_a_name_and_minions_a_bound(call, master):
    master.answers["history"] = {"groups": [{**GROUP, "minions": ["m"] * 1001}], "next": "j/0/m"}
    result = call("GET", "/history", {"q": "motd"}).data

    [item] = result["items"]
    assert (item["text"], item["count"], len(item["minions"])) == ("01ff", 1001, 1000)
    load, _ = master.requests[-1]
    assert (load["q"], load["since"], result["next"]) == ("motd", 30 * 86400, "j/0/m")


def test_a_text_is_found_by_its_digest(call, master):
    master.answers["history_text"] = lambda load: {"text": "+a" if load["digest"] == b"\x01\xff" else ""}
    assert call("GET", "/history/texts/01ff").data == {"text": "+a"}
    for digest in ("00", "no hex"):
        with pytest.raises(Refusal) as refusal:
            call("GET", f"/history/texts/{digest}")
        assert refusal.value.status == 404


def test_drift_is_bounded(call, master):
    ids = [f"m{number}" for number in range(1002)]
    master.answers["drift"] = {"drift": [GROUP], "not_tested": ids, "is_cut": False}
    result = call("GET", "/drift").data
    assert (len(result["not_tested"]), result["more"], result["items"][0]["text"]) == (1000, 2, "01ff")


def test_a_master_without_a_history_says_how_to_have_one(call, master):
    master.answers["drift"] = {"off": True}
    with pytest.raises(Refusal, match="history: True") as refusal:
        call("GET", "/drift")
    assert refusal.value.status == 404
