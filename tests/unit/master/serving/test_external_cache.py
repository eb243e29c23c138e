"""Copies of minion data, by a user's driver that stores its banks in one file and fails without it."""

import json

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.observed_banks import ObservedBanks
from salt_g.errors import StoreError
from salt_g.keys.files import KeyFiles
from salt_g.loader.cache_driver import CacheDriver
from salt_g.master.serving import external_cache
from salt_g.master.serving.external_cache import INTERVAL, ExternalCache
from salt_g.master.serving.minion_data import MinionData

DRIVER = """
import json


def init_kwargs(kwargs):
    return {"path": __opts__["shelf"]}


def _read(path):
    with open(path) as file:
        return json.load(file)


def _write(path, entries):
    text = json.dumps(entries)
    with open(path, "w") as file:
        file.write(text)


def store(bank, key, data, path):
    entries = _read(path)
    entries["clock"] += 1
    entries[f"{bank}:{key}"] = [entries["clock"], data]
    _write(path, entries)


def fetch(bank, key, path):
    return _read(path).get(f"{bank}:{key}", [0, {}])[1]


def flush(bank, key=None, path=None):
    kept = {name: value for name, value in _read(path).items()
            if not (name == f"{bank}:{key}" or key is None and name.startswith(f"{bank}:"))}
    _write(path, kept)


def ls(bank, path):
    return [name.partition(":")[2] for name in _read(path) if name.startswith(f"{bank}:")]


def contains(bank, key, path):
    return f"{bank}:{key}" in _read(path)


def updated(bank, key, path):
    return _read(path).get(f"{bank}:{key}", [None])[0]


__func_alias__ = {"ls": "list"}
"""
EMPTY = '{"clock": 1}'


class Master:
    """The store and minion data of a master, and its copies, with a manual clock."""

    def __init__(self, root, name, store, driver="shelf"):
        (root / "cache").mkdir(exist_ok=True)
        (root / "cache" / "shelf.py").write_text(DRIVER)
        self.now = 0.0
        self.keys = root / f"pki-{name}" / "minions"
        self.keys.mkdir(parents=True, exist_ok=True)
        opts = {"cache_dirs": [str(root / "cache")], "shelf": str(root / "shelf.json"), "id": name}
        self.banks = ObservedBanks(store)
        self.data = MinionData(self.banks)
        self.copies = ExternalCache(
            CacheDriver({**opts, "extension_modules": str(root), "cachedir": str(root)}, driver),
            master_id=name,
            banks=self.banks,
            keys=KeyFiles(str(self.keys.parent)),
            reread=self.data.reread_one,
            clock=lambda: self.now,
        )

    def accept(self, *ids):
        for id in ids:
            (self.keys / id).write_text("key")

    def put(self, id, grains, pillar=None):
        self.data.put(id, grains, pillar)
        self.settle()

    def settle(self):
        """Wait until everything queued so far is on disk."""
        self.banks.store("other", "x", 1).result(30)

    def go_on(self):
        """Run the round after the next interval."""
        self.now += INTERVAL
        self.copies.run_round()


@pytest.fixture
def shelf(tmp_path):
    (tmp_path / "shelf.json").write_text(EMPTY)
    return tmp_path / "shelf.json"


@pytest.fixture
def make_master(tmp_path, shelf):
    """Yield a function that makes a master with the accepted keys of `a` and `b`."""
    stores = {}

    def make(name, **options):
        if name not in stores:
            stores[name] = EmbeddedStore(str(tmp_path / name))
            stores[name].start()
        master = Master(tmp_path, name, stores[name], **options)
        master.accept("a", "b")
        return master

    yield make
    for store in stores.values():
        store.stop()


def test_a_master_learns_what_another_has_written(make_master):
    one, two = make_master("one"), make_master("two")
    two.go_on()

    one.put("a", {"os": "A"}, {"role": "web"})
    one.banks.store("mine", "a", {"test.ping": True}).result()
    one.copies.run_round()
    two.go_on()

    assert two.data.get("a") == ({"os": "A"}, {"role": "web"})
    assert two.banks.fetch("mine", "a") == {"test.ping": True}


def test_the_later_of_two_changes_is_kept_by_both(make_master):
    one, two = make_master("one"), make_master("two")
    for os, master in (("A", one), ("B", two), ("C", one)):
        master.put("a", {"os": os})
        master.copies.run_round()
    for master in (one, two, one, two):
        master.go_on()

    assert one.data.get("a") == two.data.get("a") == ({"os": "C"}, {})


def test_an_entry_removed_by_one_master_is_gone_on_the_other(make_master):
    one, two = make_master("one"), make_master("two")
    one.put("a", {"os": "A"})
    one.put("b", {"os": "B"})
    one.go_on()
    two.go_on()

    one.data.forget("a")
    one.settle()
    one.go_on()
    two.go_on()
    one.go_on()

    assert two.data.get("a") is None
    assert one.data.get("a") is None
    assert two.data.get("b") == ({"os": "B"}, {})


def test_data_that_the_server_lost_is_copied_again(make_master, shelf):
    one = make_master("one")
    one.put("a", {"os": "A"})
    one.go_on()

    shelf.write_text(EMPTY)
    one.go_on()

    assert '"os": "A"' in shelf.read_text()
    assert one.data.get("a") == ({"os": "A"}, {})


def test_a_server_that_is_away_costs_one_line_and_no_data(make_master, shelf, caplog):
    one = make_master("one")
    one.put("a", {"os": "A"})
    one.go_on()
    saved = shelf.read_text()
    shelf.unlink()

    one.put("a", {"os": "B"})
    one.go_on()
    one.go_on()
    shelf.write_text(saved)
    one.go_on()

    (line,) = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert line.startswith("cache shelf: contains: [Errno 2] No such file")
    assert line.endswith("; the master's own store has all data, which will be copied later")
    assert '"os": "B"' in shelf.read_text()


def test_a_value_that_the_store_refused_keeps_no_other_back(make_master, shelf):
    one = make_master("one")
    refused = one.banks.store("mine", "a\udc80", {"x": 1})
    with pytest.raises(StoreError):
        refused.result(30)

    one.put("a", {"os": "A"})
    one.go_on()

    assert '"os": "A"' in shelf.read_text()


def test_a_value_that_the_server_refuses_keeps_no_other_back(make_master, caplog):
    one, two = make_master("one"), make_master("two")
    one.banks.store("mine", "a", {"x": b"no JSON"}).result(30)
    one.put("a", {"os": "A"})
    two.put("b", {"os": "B"})
    two.go_on()

    one.go_on()
    one.go_on()
    two.go_on()

    assert two.data.get("a") == ({"os": "A"}, {})
    assert one.data.get("b") == ({"os": "B"}, {})
    (line,) = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert line.startswith("cache shelf: mine of a is not copied: store: Object of type bytes")


def test_a_removal_while_the_server_is_away_outlasts_a_restart(make_master, shelf):
    one = make_master("one")
    one.put("a", {"os": "A"})
    one.go_on()
    saved = shelf.read_text()
    shelf.unlink()
    one.data.forget("a")
    one.settle()
    one.go_on()

    shelf.write_text(saved)
    again = make_master("one")
    again.banks.start(print)
    again.go_on()
    again.go_on()

    assert again.data.get("a") is None
    assert '"os": "A"' not in shelf.read_text()


def test_data_of_minions_that_are_not_accepted_is_not_read(make_master):
    one, two = make_master("one"), make_master("two")
    one.accept("c")
    one.put("c", {"os": "C"})
    one.go_on()
    two.go_on()
    assert two.data.get("c") is None

    two.accept("c")
    two.go_on()
    assert two.data.get("c") == ({"os": "C"}, {})


def test_changes_that_were_too_many_are_found_by_comparison(make_master, shelf):
    one = make_master("one")
    one.go_on()
    one.banks.is_complete = False
    one.banks.store_unnoted("grains", "a", {"os": "A"}).result()

    one.go_on()

    assert '"os": "A"' in shelf.read_text()
    assert one.banks.is_complete


def test_a_driver_that_does_not_exist_is_named(make_master, caplog):
    one = make_master("one", driver="none")

    one.go_on()

    assert "cache none: contains: there is no driver with the function none.contains; " in caplog.text


def _add(shelf, **entries):
    found = json.loads(shelf.read_text())
    shelf.write_text(json.dumps({**found, **entries}))


def test_entries_without_a_time_keep_no_other_back(make_master, shelf, caplog):
    one, two = make_master("one"), make_master("two")
    two.put("b", {"os": "B"})
    two.go_on()
    _add(shelf, **{"grains:a": ["soon", {"os": "A"}], "mine:a": [None, {}], "pillar:a": [1e999, {}]})

    one.go_on()

    assert one.data.get("b") == ({"os": "B"}, {})
    assert one.data.get("a") is None
    assert caplog.records == []


@pytest.mark.parametrize("answer", ["None", "[['a']]", "5"])
def test_a_driver_that_answers_nonsense_counts_as_away(make_master, tmp_path, answer, caplog):
    one = make_master("one")
    (tmp_path / "cache" / "odd.py").write_text(
        DRIVER.replace("__func_alias__", f"def stamps(bank, path):\n    return {answer}\n\n\n__func_alias__")
    )
    odd = make_master("odd", driver="odd")

    odd.go_on()
    odd.go_on()

    (line,) = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert line.startswith("cache odd: stamps: ")
    assert one.copies.name == "shelf"


def test_a_call_that_takes_for_ever_is_ended(make_master, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(external_cache, "LIMIT", 0.01)
    slow = "import gevent.event\n\n\ndef stamps(bank, path):\n    gevent.event.Event().wait()\n\n\n"
    make_master("one")
    (tmp_path / "cache" / "slow.py").write_text(DRIVER.replace("__func_alias__", slow + "__func_alias__"))

    make_master("slow", driver="slow").go_on()

    (line,) = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert line.startswith("cache slow: stamps: no answer within 0.01 s")
