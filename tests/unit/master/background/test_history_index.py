"""The indexer of the history: each return once, in order, after any interruption."""

import contextlib

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.history import FleetHistory, HistoryLimits
from salt_g.cache.jobs import Jobs, Retention
from salt_g.cache.return_commit import RETURN
from salt_g.cache.returns_reader import STEP
from salt_g.master.background import history_index
from salt_g.master.background.history_index import HistoryIndex
from salt_g.wire.packing import pack_bus

ONE, TWO = b"1" * 8, b"2" * 8
DIFF = "-a\n+b\n"


@pytest.fixture
def store(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        yield store


@pytest.fixture
def jobs(store):
    return Jobs(store)


@pytest.fixture
def history(store):
    return FleetHistory(store)


@pytest.fixture
def made(store):
    """Yield a function that makes an indexer, closed at the end."""
    with contextlib.ExitStack() as stack:

        def make(limits=None, **options):
            indexer = HistoryIndex(store, limits or HistoryLimits(0, 0), **options)
            return stack.enter_context(contextlib.closing(indexer))

        yield make


@pytest.fixture
def indexer(made):
    return made()


def returned(jobs, number, minion="m1", *, changes=True, digest=ONE, fun="state.apply", is_known=True):
    """Store the return of a state run; a lower number is an older jid."""
    jid = f"202611180000000{number:05}"
    if is_known:
        jobs.save_load(
            jid, {"fun": fun, "arg": [], "tgt": "*", "tgt_type": "glob", "user": "ann", "jid": jid}
        )
    entry = {"changes": {"diff": DIFF} if changes else {}, "result": True, "__run_num__": 0, "name": "/x"}
    ret = {"file_|-x_|-/x_|-managed": entry}
    load = {"jid": jid, "id": minion, "fun": fun, "return": ret, "user": "ann", "low_digests": digest}
    jobs.save_return(load).result(30)
    return jid


def found(history):
    return [(one.jid[-5:], one.minion, int(one.cause)) for one in history.changes("/x", since=0.0)][::-1]


def test_changes_of_new_returns_are_in_the_history_with_their_cause(jobs, history, indexer):
    returned(jobs, 1, changes=False)
    returned(jobs, 2)
    returned(jobs, 3, digest=TWO)
    indexer.index()
    returned(jobs, 4, digest=TWO)
    returned(jobs, 5, fun="test.ping")
    indexer.index()

    assert found(history) == [("00002", "m1", 2), ("00003", "m1", 1), ("00004", "m1", 2)]


def undone(jobs, number, job, **more):
    jid = f"202611180000000{number:05}"
    ret = {"jid": job, "result": True, "restored": ["/x"], "services": ["web"], **more}
    load = {"jid": jid, "id": "m1", "fun": "state.undo", "return": ret, "user": "ann"}
    jobs.save_return(load).result(30)


@pytest.mark.parametrize("is_one_step", [True, False])
def test_a_change_undone_and_applied_again_is_no_drift(jobs, history, indexer, is_one_step):
    returned(jobs, 1)
    job = returned(jobs, 2, digest=TWO)
    if not is_one_step:
        indexer.index()
    undone(jobs, 3, job)
    if not is_one_step:
        indexer.index()
    returned(jobs, 4, digest=TWO)
    returned(jobs, 5, digest=TWO)
    indexer.index()

    assert found(history) == [
        ("00001", "m1", 0),
        ("00002", "m1", 1),
        ("00003", "m1", 1),
        ("00004", "m1", 1),
        ("00005", "m1", 2),
    ]
    (row,) = history.changes("web", since=0.0)
    assert (row.fun, row.who, row.id) == ("state.undo", "ann", f"undo of {job}")


def test_a_test_of_an_undo_and_other_functions_of_states_change_nothing(jobs, history, indexer, store):
    job = returned(jobs, 1)
    undone(jobs, 2, job, test=True)
    jobs.save_return({"jid": "20261118000000000003", "id": "m2", "fun": "state.show_top", "return": {}})
    indexer.index()
    returned(jobs, 4)
    indexer.index()

    assert found(history) == [("00001", "m1", 0), ("00004", "m1", 2)]
    assert history.untested(1e12) == ["m1"]


def test_looking_at_states_is_no_run_of_them(jobs, history, indexer):
    job = returned(jobs, 1)
    indexer.index()
    jobs.save_return({"jid": "20271118000000000003", "id": "m1", "fun": "state.running", "return": []})
    undone(jobs, 4, job)
    indexer.index()

    assert history.untested(1_795_000_000) == ["m1"]


def test_a_new_minion_of_an_old_name_has_no_drift_at_once(jobs, history, indexer):
    returned(jobs, 1)
    indexer.index()
    indexer.forget("m1")
    returned(jobs, 2)
    indexer.index()
    returned(jobs, 3)
    indexer.index()

    assert found(history) == [("00001", "m1", 0), ("00002", "m1", 0), ("00003", "m1", 2)]


def test_returns_of_old_jobs_and_of_jobs_without_a_load_are_not_missed(jobs, history, indexer):
    returned(jobs, 9)
    indexer.index()
    returned(jobs, 1)
    returned(jobs, 2, is_known=False)
    indexer.index()

    assert [jid for jid, _, _ in found(history)] == ["00001", "00002", "00009"]


def test_many_returns_are_read_in_steps(jobs, history, indexer):
    for number in range(STEP + 10):
        returned(jobs, number)
    indexer.index()

    assert len(found(history)) == STEP + 10


def test_an_indexer_that_begins_anew_goes_on(store, jobs, history, indexer, made):
    returned(jobs, 1)
    indexer.index()
    returned(jobs, 2)
    before = store.writes[1]

    again = made()
    again.index()
    again.index()

    assert [jid for jid, _, _ in found(history)] == ["00001", "00002"]
    assert store.writes[1] - before <= 4


def test_a_place_that_was_not_stored_is_read_again_and_nothing_is_there_twice(store, jobs, history, indexer):
    returned(jobs, 1)
    place, connection = history.place(), store.open_in_thread()
    connection.close()
    _, indexed = indexer._read(place)
    history.add(indexed).result(30)

    # As if the writer had been killed after its commit, and the reader before it knew.
    history.add(indexed).result(30)
    indexer.index()

    assert len(found(history)) == 1


def test_pruned_jobs_leave_no_gap_even_if_row_numbers_are_used_again(jobs, history, indexer):
    for number in (1, 2, 3):
        returned(jobs, number)
    indexer.index()
    while jobs.prune(Retention(1, 0)).result(30):
        pass

    # The first row of an emptied table has the number 1 again.
    returned(jobs, 4)
    indexer.index()

    assert [jid for jid, _, _ in found(history)] == ["00001", "00002", "00003", "00004"]


def test_only_the_leader_indexes(jobs, history, made):
    returned(jobs, 1)
    made(is_leader=lambda: False).index()

    assert found(history) == []


def test_the_history_is_bounded(jobs, history, made):
    returned(jobs, 1)
    moment = [1.0e9]
    indexer = made(HistoryLimits(100, 0), now=lambda: moment[0])
    indexer.index()
    assert len(found(history)) == 1

    moment[0] = 4.0e9
    indexer.index()

    assert found(history) == []


def test_an_unreadable_return_is_left_out(store, jobs, history, indexer, caplog):
    returned(jobs, 1)
    store.write(RETURN, ("20261118000000000009", "m1", b"\xc1")).result(30)
    returned(jobs, 2)
    indexer.index()

    assert [jid for jid, _, _ in found(history)] == ["00001", "00002"]
    assert "unreadable" in caplog.text


@pytest.mark.parametrize(
    "entry",
    [
        {"changes": {1: "x", "a": "y"}},
        {"changes": {b"\xff": {(): 1}}},
        {"changes": {"a": 1}, "__run_num__": 1 << 63},
        {"changes": {"a": 1}, "__run_num__": -1},
        {"changes": {"a": 1}, "name": "a\0b\udcff"},
        {"changes": {"a": 1}, "name": {"b": [1]}},
        {"changes": {"a": "\udcff\0"}},
    ],
)
def test_a_lying_minions_return_stops_no_history(store, jobs, history, indexer, entry):
    load = {"jid": "20261118000000000009", "id": "evil", "fun": "state.apply", "user": "a\0"}
    packed = pack_bus({**load, "return": {"file_|-x\0_|-x_|-managed": entry}})
    store.write(RETURN, (load["jid"], "evil", packed)).result(30)
    returned(jobs, 2)
    indexer.index()

    assert "00002" in [jid for jid, _, _ in found(history)]
    assert not any("\0" in one.name + one.id + one.fun for one in history.changes("/x", since=0))


def test_a_return_of_which_nothing_can_be_made_stops_no_history(jobs, history, indexer, caplog, monkeypatch):
    whole = history_index.changes_of

    def changes_of(jid, minion, load, before):
        if minion == "evil":
            raise RecursionError("too deep")
        return whole(jid, minion, load, before)

    monkeypatch.setattr(history_index, "changes_of", changes_of)
    returned(jobs, 1, "evil")
    returned(jobs, 2)
    indexer.index()

    assert [jid for jid, _, _ in found(history)] == ["00002"]
    assert "the return of evil" in caplog.text
