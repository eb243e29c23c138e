"""`--out-record` and `--explain` of orders through a master."""

import json

import pytest

SLS = "loud: test.succeed_with_changes\nquiet:\n  test.nop:\n    - onchanges: [{test: loud}]\n"


@pytest.fixture(scope="module")
def fleet(shared_daemons):
    master = shared_daemons.start_master()
    shared_daemons.start_minion(master, "a")
    (master.root / "states" / "web.sls").write_text(SLS)
    return master


@pytest.fixture
def recorded(fleet, salt, tmp_path):
    """Factory: the record of an order, and what it printed."""

    def order(*words):
        path = tmp_path / "end.json"
        told = salt(fleet, f"--out-record={path}", *words)
        return json.loads(path.read_text(encoding="utf-8")), told

    return order


@pytest.mark.parametrize("options", [(), ("-b", "1"), ("--static",)])
def test_each_minion_has_its_verdict(recorded, options):
    record, told = recorded(*options, "*", "state.apply", "web")

    assert record["counts"] == {"changed": 1}
    assert record["minions"]["a"]["states"] == {"total": 2, "changed": 1, "failed": 0, "failed_ids": []}
    assert (record["exit_code"], told.code, record["target"], record["fun"]) == (0, 0, "*", "state.apply")
    assert record["jid"].isdigit()


def test_an_order_without_waiting_awaits_nobody(recorded):
    record, _ = recorded("--async", "*", "test.ping")

    assert record["minions"] == {"a": {"verdict": "not awaited", "retcode": None}}


def test_an_accepted_minion_that_is_away_is_not_connected(recorded, fleet):
    keys = fleet.pki_dir / "minions"
    (keys / "gone").write_bytes((keys / "a").read_bytes())
    try:
        record, told = recorded("-L", "a,gone", "test.ping")
    finally:
        (keys / "gone").unlink()

    assert {id: one["verdict"] for id, one in record["minions"].items()} == {
        "a": "ok",
        "gone": "not connected",
    }
    assert told.code == record["exit_code"] == 1


def test_a_target_without_minions_is_recorded(recorded):
    record, told = recorded("nobody", "test.ping")

    assert (record["exit_code"], record["minions"], told.code) == (2, {}, 2)


def test_explanations_come_with_the_returns(fleet, salt):
    told = salt(fleet, "*", "state.apply", "web", "--explain")

    found = {one["__id__"]: one["explanation"]["because"] for one in told.minions["a"].values()}
    assert found == {"loud": [], "quiet": ["onchanges test loud: changed"]}
