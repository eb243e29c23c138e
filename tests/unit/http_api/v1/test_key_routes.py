"""Routes of keys."""

import pytest

from salt_g.http_api.messages import Refusal


@pytest.fixture(autouse=True)
def keys(master):
    found = {"minions": {"b": "1", "a": "2"}, "minions_pre": {"c": "3"}, "local": {"master.pem": "4"}}
    master.answers["wheel"] = lambda load: {
        "tag": "salt/wheel/1/ret",
        "data": {"return": found if load["fun"] == "key.finger" else {}, "success": True},
    }


def test_keys_come_by_page_and_state(call):
    result = call("GET", "/keys", {"limit": "2"}).data
    assert [key["id"] for key in result["items"]] == ["a", "b"]
    assert result["total"] == 3
    result = call("GET", "/keys", {"after": result["next"]}).data
    assert result["items"] == [{"id": "c", "state": "pending", "fingerprint": "3"}]
    assert result["next"] is None
    assert call("GET", "/keys", {"state": "denied"}).data["items"] == []


@pytest.mark.parametrize("id", ["*", "m?", "[ab]", "a,b"])
def test_one_key_is_changed_never_several(call, id):
    for word in ("accept", "reject", "delete"):
        with pytest.raises(Refusal) as refusal:
            call("POST", f"/keys/{id}:{word}")
        assert refusal.value.status == 400


def test_a_missing_key_is_reported(call):
    with pytest.raises(Refusal) as refusal:
        call("POST", "/keys/z:accept")
    assert refusal.value.status == 404
