import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.errors import StoreError
from salt_g.master.serving.minion_data import MinionData


@pytest.fixture
def banks(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        yield Banks(store)


def settled(banks):
    """Wait until everything queued so far is on disk."""
    banks.store("other", "x", 1).result(30)
    return banks


def test_stored_data_is_known_at_once_and_after_a_restart(banks):
    data = MinionData(banks)

    data.put("m1", {"os": "Debian"}, {"role": "web"})

    assert data.get("m1") == ({"os": "Debian"}, {"role": "web"})
    assert MinionData(settled(banks)).get("m1") == ({"os": "Debian"}, {"role": "web"})
    assert data.ids() == ["m1"]


def test_a_minion_that_never_sent_any_is_unknown(banks):
    assert MinionData(banks).get("m1") is None


def test_without_pillar_that_of_before_stays(banks):
    data = MinionData(banks)
    data.put("m1", {"a": 1}, {"role": "web"})

    data.put("m1", {"a": 2})

    assert data.get("m1") == ({"a": 2}, {"role": "web"})


def test_unchanged_data_is_not_written(banks, monkeypatch):
    data = MinionData(banks)
    data.put("m1", {"a": 1}, {"b": 2})
    written = []
    monkeypatch.setattr(banks, "store", lambda *args: written.append(args))

    data.put("m1", {"a": 1}, {"b": 2})
    data.put("m1", {"a": 1}, {"b": 3})

    assert written == [("pillar", "m1", {"b": 3})]


def test_a_forgotten_minion_leaves_nothing(banks):
    data = MinionData(banks)
    data.put("m1", {"a": 1}, {"b": 2})
    banks.store("mine", "m1", {"x": 1}).result(30)

    data.forget("m1")

    settled(banks)
    assert data.get("m1") is None
    assert [banks.contains(bank, "m1") for bank in ("grains", "pillar", "mine")] == [False] * 3


def test_one_part_can_be_forgotten(banks):
    data = MinionData(banks)
    data.put("m1", {"a": 1}, {"b": 2})

    assert data.forget_part("m1", "pillar") is True
    assert data.forget_part("m1", "pillar") is False
    assert data.get("m1") == ({"a": 1}, {})


def test_nothing_is_kept_when_that_is_switched_off(banks):
    data = MinionData(banks, keeps=False)

    data.put("m1", {"a": 1}, {"b": 2})

    assert data.get("m1") is None


def test_a_full_store_leaves_the_memory_right(banks, monkeypatch, caplog):
    data = MinionData(banks)

    def busy(*args):
        raise StoreError("store.sqlite", "busy")

    monkeypatch.setattr(banks, "store", busy)
    data.put("m1", {"a": 1}, {"b": 2})

    assert data.get("m1") == ({"a": 1}, {"b": 2})
    assert "m1: cannot save its grains" in caplog.text


def test_forgotten_data_is_not_read_again_before_its_removal_is_committed(banks):
    data = MinionData(banks)
    data.put("m1", {"a": 1}, {"b": 2})
    settled(banks)

    data.forget("m1")

    assert data.get("m1") is None


def test_equal_texts_of_minions_are_one_object(banks):
    data = MinionData(banks)
    for number, id in enumerate(("m1", "m2")):
        text = f"{number}:fpu vme de"[2:]
        data.put(id, {"cpu": {"flags": [text, number]}, "long": text * 100}, {})

    one, other = (data.get(id)[0] for id in ("m1", "m2"))

    assert one["cpu"]["flags"][0] is other["cpu"]["flags"][0]
    assert (one["cpu"]["flags"][1], other["cpu"]["flags"][1]) == (0, 1)
    assert one["long"] == other["long"]


def test_watchers_learn_of_each_change(banks):
    data, result = MinionData(banks), []
    data.watch(result.append)

    data.put("m1", {"a": 1}, {})
    data.put("m1", {"a": 1}, {})
    data.forget_part("m1", "grains")
    data.forget("m1")
    data.reread_one("m2")
    data.reread()

    assert result == ["m1", "m1", "m1", "m2", None]
