"""Returns: on disk until a master acknowledges them, and resent until then."""

import os

import pytest

from salt_g.errors import NoReply, WireError
from salt_g.minion.jobs.return_sender import ReturnSender
from salt_g.minion.jobs.spool import Spool
from salt_g.minion.settings import RetrySettings
from salt_g.wire.packing import pack_bus
from tests.support.waiting import hub_turns, hub_until


class Master:
    """Accepts returns, after `silent` requests without a response."""

    def __init__(self, silent=0):
        self.silent = silent
        self.loads = []

    def ask(self, load, *, timeout, tries):
        if self.silent:
            self.silent -= 1
            raise NoReply("master", timeout)
        self.loads.append(load)


def load(jid="20260102030405678901", value=True):
    return {"jid": jid, "fun": "test.ping", "fun_args": [], "return": value, "retcode": 0, "success": True}


@pytest.fixture
def spool(tmp_path):
    return Spool(str(tmp_path))


@pytest.fixture
def make(spool, opts, supervisor):
    """Return a function that starts Returns to masters by name."""

    def build(**masters):
        returns = ReturnSender(
            spool, RetrySettings.of(opts), supervisor=supervisor, sleep=lambda seconds: hub_turns()
        )
        returns.start(masters)
        return returns

    return build


def names(tmp_path):
    return sorted(path.name for path in (tmp_path / "returns").iterdir())


def test_a_return_is_sent_and_leaves_the_disk(make, tmp_path):
    master = Master()

    make(a=master).deliver("a", load())
    hub_until(lambda: master.loads and not names(tmp_path))

    assert master.loads == [{**load(), "cmd": "_return"}]


def test_a_return_stays_on_disk_until_it_is_acknowledged(make, tmp_path):
    master = Master(silent=2**30)

    make(a=master).deliver("a", load())
    hub_until(lambda: master.silent < 2**30 - 2)

    assert names(tmp_path) == ["20260102030405678901.0000"]
    master.silent = 0
    hub_until(lambda: not names(tmp_path))
    assert len(master.loads) == 1


def test_returns_left_by_an_earlier_minion_are_sent(make, spool, tmp_path):
    spool.open()
    spool.put("a", load())
    master = Master()

    make(a=master)
    hub_until(lambda: not names(tmp_path))

    assert [sent["jid"] for sent in master.loads] == ["20260102030405678901"]


def test_each_master_gets_what_it_ordered(make, tmp_path):
    first, second = Master(), Master()
    returns = make(a=first, b=second)

    returns.deliver("b", load("2"))
    returns.deliver("", load("1"))
    hub_until(lambda: not names(tmp_path))

    assert [sent["jid"] for sent in first.loads] == ["1"]
    assert [sent["jid"] for sent in second.loads] == ["2"]


def test_a_value_that_cannot_be_sent_becomes_a_failure(make, tmp_path):
    master = Master()

    make(a=master).deliver("a", load(value=object()))
    hub_until(lambda: master.loads)

    assert master.loads[0]["success"] is False
    assert "object has no form on the wire" in master.loads[0]["return"]


def test_a_disk_that_takes_nothing_keeps_no_return_back(make, spool, monkeypatch, caplog):
    master = Master()
    returns = make(a=master)

    def full(master, load):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(spool, "put", full)
    returns.deliver("a", load())
    hub_until(lambda: master.loads)

    assert "No space left on device" in caplog.text


def test_a_disk_that_takes_nothing_is_reported_once_and_so_is_its_end(make, spool, monkeypatch, caplog):
    master = Master()
    returns = make(a=master)

    with monkeypatch.context() as patched:
        patched.setattr(spool, "_folder", "/proc/nowhere/returns")
        for _ in range(3):
            returns.deliver("a", load())
    for _ in range(3):
        returns.deliver("a", load())
    hub_until(lambda: len(master.loads) == 6)

    assert caplog.text.count("cannot save returns to disk") == 1
    assert caplog.text.count("returns are saved to disk again") == 1


def test_a_disk_that_takes_nothing_at_the_start_is_survived(opts, supervisor, caplog):
    master = Master()
    returns = ReturnSender(Spool("/proc/nowhere"), RetrySettings.of(opts), supervisor=supervisor)

    returns.start({"a": master})
    returns.deliver("a", load())
    hub_until(lambda: master.loads)

    assert "/proc/nowhere/returns cannot be used" in caplog.text


def test_without_a_master_no_event_is_sent(make, tmp_path):
    make().deliver("", load())

    assert names(tmp_path) == []


def test_the_oldest_returns_go_when_the_disk_has_its_fill(tmp_path, caplog):
    spool = Spool(str(tmp_path), max_bytes=400)
    spool.open()

    kept = [spool.put("a", load(jid, "x" * 100)) for jid in ("1", "2", "3")]

    assert names(tmp_path) == kept[1:]
    assert "is removed" in caplog.text


def test_a_damaged_return_is_put_aside(tmp_path):
    spool = Spool(str(tmp_path))
    spool.open()
    name = spool.put("a", load())
    (tmp_path / "returns" / name).write_bytes(b"\xc1rubbish")

    assert spool.get(name) is None
    assert names(tmp_path) == [f"{name}.damaged"]
    assert Spool(str(tmp_path)).open() == []


def test_a_jid_names_no_file_elsewhere(tmp_path):
    spool = Spool(str(tmp_path))
    spool.open()

    spool.put("a", load("../../evil"))

    assert names(tmp_path) == ["evil.0000"]


def test_returns_are_private(tmp_path):
    spool = Spool(str(tmp_path))
    spool.open()
    name = spool.put("a", load())

    assert (tmp_path / "returns" / name).stat().st_mode & 0o077 == 0
    assert (tmp_path / "returns").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "kept",
    [
        {"master": "a", "load": {}},
        {"master": "a", "load": {"jid": 5, "return": True}},
        {"master": "a", "load": {"jid": "1", "returns": []}},
        {"master": "a", "load": {"jid": "1", "returns": [{"return": True}]}},
        {"master": "a", "load": ["jid"]},
        ["master", "load"],
    ],
    ids=str,
)
def test_a_file_that_holds_no_return_is_put_aside_and_the_others_are_sent(make, tmp_path, kept):
    folder = tmp_path / "returns"
    folder.mkdir()
    (folder / "0.0000").write_bytes(pack_bus(kept))
    Spool(str(tmp_path)).put("a", load("1"))
    master = Master()

    make(a=master)
    hub_until(lambda: names(tmp_path) == ["0.0000.damaged"])

    assert [sent["jid"] for sent in master.loads] == ["1"]


def test_entries_other_than_files_stay_in_the_folder(make, tmp_path, caplog):
    folder = tmp_path / "returns"
    folder.mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "directory").mkdir()
    (folder / "link").symlink_to(tmp_path / "nowhere")
    Spool(str(tmp_path)).put("a", load("1"))
    master = Master()

    make(a=master)
    hub_until(lambda: master.loads and names(tmp_path) == ["directory", "link", "pipe"])

    assert caplog.text.count("not a regular file, ignored") == 3


def test_a_return_too_deep_to_share_a_file_fails_alone(make):
    master = Master()
    returns = make(a=master)
    returns.takes_many("a", 10)
    value = []
    while _fits(load(value=value)):
        deepest, value = value, [value]

    returns.deliver_many("a", [load(value=deepest), load()])
    hub_until(lambda: len(master.loads) == 2)

    failed, well = sorted(master.loads, key=lambda one: one["success"])
    assert failed["return"].startswith("ERROR: the return of the function cannot be sent: ")
    assert (well["success"], well["return"]) == (True, True)


def _fits(value):
    try:
        return bool(pack_bus(value))
    except WireError:
        return False


def test_a_return_of_too_many_lists_becomes_a_failure(tmp_path, opts, supervisor):
    spool = Spool(str(tmp_path))
    returns = ReturnSender(spool, RetrySettings.of(opts), supervisor=supervisor)
    returns.start({"m": None})
    # Nothing is sent here: the return stays on disk.
    supervisor.stop()

    returns.deliver("m", {"jid": "1", "id": "m1", "return": [[]] * 300_000, "retcode": 0})

    [name] = spool.open()
    kept = spool.get(name).load
    assert kept["retcode"] == 1 and "maps and lists" in kept["return"]
