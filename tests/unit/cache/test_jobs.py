"""Jobs, the minions they expect, and their returns."""

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.jobs import Jobs, Retention, Saved
from salt_g.data import jid as jids

LOAD = {"fun": "test.ping", "arg": [], "tgt": "*", "tgt_type": "glob", "user": "root", "jid": "x"}
JID = "20260102030405678901"


@pytest.fixture
def jobs(store):
    return Jobs(store)


def _return(id="m1", jid=JID, value=True, **more):
    return {
        "cmd": "_return",
        "jid": jid,
        "id": id,
        "return": value,
        "retcode": 0,
        "success": True,
        "ts": 1,
        "fun": "test.ping",
        "fun_args": [],
        **more,
    }


def _jid(second):
    return jids.make(1_000_000_000 * (1_700_000_000 + second))


def test_a_load_is_read_back_with_its_expected_minions(jobs):
    jobs.save_load(JID, LOAD, ["m2", "m1"]).result(10)

    assert jobs.get_load(JID) == {**LOAD, "Minions": ["m1", "m2"]}


def test_an_unknown_job_is_an_empty_map(jobs):
    assert jobs.get_load(JID) == {}
    assert jobs.get_jid(JID) == {}
    assert jobs.get_expected(JID) == []


def test_a_load_takes_the_place_of_an_earlier_one(jobs):
    jobs.save_load(JID, LOAD)
    jobs.save_load(JID, {**LOAD, "tgt": "m1"}).result(10)

    assert jobs.get_load(JID) == {**LOAD, "tgt": "m1"}


def test_expected_ids_of_several_sources_add_up(jobs):
    jobs.save_minions(JID, ["m1"])
    jobs.save_minions(JID, ["m2", "m1"], source="syndic1")
    jobs.save_minions(JID, ["m3"], source="syndic1").result(10)

    assert jobs.get_expected(JID) == ["m1", "m2", "m3"]


def test_the_first_return_of_an_id_wins(jobs):
    first = jobs.save_return(_return(value=1))
    same = jobs.save_return(_return(value=1, ts=2))
    other = jobs.save_return(_return(value=2))

    assert [first.result(10), same.result(10), other.result(10)] == [
        Saved.FIRST,
        Saved.REPEATED,
        Saved.DIFFERENT,
    ]
    assert jobs.get_jid(JID)["m1"]["return"] == 1


def test_the_first_return_wins_over_commits_too(jobs):
    jobs.save_return(_return(value=1)).result(10)

    assert jobs.save_return(_return(value=1)).result(10) is Saved.REPEATED
    assert jobs.save_return(_return(value=1, retcode=1)).result(10) is Saved.DIFFERENT
    assert jobs.save_return(_return(id="m2", value=1)).result(10) is Saved.FIRST


def test_get_jid_gives_what_stock_gives_and_get_returns_everything(jobs):
    jobs.save_return(_return(out="nested", user="root")).result(10)
    jobs.save_return({"jid": JID, "id": "m2", "return": None}).result(10)

    assert jobs.get_jid(JID) == {
        "m1": {"return": True, "retcode": 0, "success": True, "out": "nested"},
        "m2": {"return": None},
    }
    assert jobs.get_returns(JID)["m1"] == {
        "return": True,
        "retcode": 0,
        "success": True,
        "out": "nested",
        "fun": "test.ping",
        "fun_args": [],
        "user": "root",
    }


def test_a_return_without_a_value_is_not_one(jobs):
    with pytest.raises(KeyError):
        jobs.save_return({"jid": JID, "id": "m1"})


def test_has_returned_asks_for_one_id(jobs):
    jobs.save_return(_return()).result(10)

    assert jobs.has_returned(JID, "m1")
    assert not jobs.has_returned(JID, "m2")
    assert (jobs.get_return(JID, "m1") or {})["return"] == jobs.get_jid(JID)["m1"]["return"]
    assert jobs.get_return(JID, "m2") is None


def test_thousands_of_returns_in_one_commit_are_all_kept(jobs):
    futures = [jobs.save_return(_return(id=f"m{n}", value=n)) for n in range(3000)]

    assert {future.result(30) for future in futures} == {Saved.FIRST}
    assert len(jobs.get_jid(JID)) == 3000


def test_new_jids_are_never_the_same_although_the_clock_stands(store):
    jobs = Jobs(store, clock_ns=lambda: 1_700_000_000_000_000_000)

    made = [jobs.new_jid() for _ in range(3)]

    assert made == sorted(set(made))
    assert all(map(jids.is_jid, made))


def test_new_jids_avoid_jobs_of_before_the_clock_was_set_back(store):
    jobs = Jobs(store, clock_ns=lambda: 1_700_000_000_000_000_000)
    jobs.save_load(jids.make(1_700_000_000_000_000_000), LOAD).result(10)

    assert jobs.new_jid() == jids.make(1_700_000_000_000_001_000)


def test_a_suffix_is_appended_to_new_jids(store):
    assert Jobs(store, suffix="_77").new_jid()[20:] == "_77"


def test_summaries_are_those_of_stock(jobs):
    jobs.save_load(JID, {**LOAD, "arg": ["x", {"__kwarg__": True, "metadata": {"a": 1}}]}).result(10)

    assert jobs.get_jids() == {
        JID: {
            "Function": "test.ping",
            "Arguments": ["x", {"__kwarg__": True, "metadata": {"a": 1}}],
            "Target": "*",
            "Target-type": "glob",
            "User": "root",
            "Metadata": {"a": 1},
            "StartTime": "2026, Jan 02 03:04:05.678901",
        }
    }


def test_the_end_of_a_job_is_reported_when_asked_for(jobs):
    jobs.save_load(JID, LOAD)
    jobs.save_end(JID, 1234.5).result(10)

    assert jobs.get_jids(with_end=True)[JID]["EndTime"] == 1234.5
    assert "EndTime" not in jobs.get_jids()[JID]


def test_the_filter_gives_the_newest_without_questions_of_the_command_line(jobs):
    for second in range(5):
        jobs.save_load(_jid(second), LOAD)
    jobs.save_load(_jid(9), {**LOAD, "fun": "saltutil.find_job"}).result(10)

    assert [job["JID"] for job in jobs.get_jids_filter(2)] == [_jid(3), _jid(4)]
    assert [job["JID"] for job in jobs.get_jids_filter(2, filter_find_job=False)] == [_jid(4), _jid(9)]


def test_walking_goes_over_many_pages(jobs):
    for second in range(450):
        last = jobs.save_load(_jid(second), LOAD)
    last.result(10)

    assert [jid for jid, _, _ in jobs.walk()] == [_jid(second) for second in range(450)]


def _prune_all(jobs, retention):
    total = 0
    while removed := jobs.prune(retention).result(10):
        total += removed
    return total


def test_old_jobs_go_with_their_returns(store):
    jobs = Jobs(store, clock_ns=lambda: 1_000_000_000 * (1_700_000_000 + 200))
    for second in range(200):
        jobs.save_load(_jid(second), LOAD, ["m1"])
        last = jobs.save_return(_return(jid=_jid(second)))
    last.result(10)

    assert _prune_all(jobs, Retention(keep_seconds=20)) == 180
    assert sorted(jobs.get_jids()) == [_jid(second) for second in range(180, 200)]
    assert jobs.get_jid(_jid(0)) == {}
    assert jobs.get_expected(_jid(0)) == []


def test_returns_without_a_job_go_as_well(store):
    jobs = Jobs(store, clock_ns=lambda: 1_000_000_000 * (1_700_000_000 + 200))
    jobs.save_return(_return(jid=_jid(0)))
    jobs.save_return(_return(jid=_jid(199))).result(10)

    assert _prune_all(jobs, Retention(keep_seconds=20)) == 1
    assert jobs.get_jid(_jid(0)) == {}


def test_jobs_hold_no_more_bytes_than_they_may(jobs):
    for second in range(100):
        jobs.save_load(_jid(second), LOAD)
        last = jobs.save_return(_return(jid=_jid(second), value="x" * 1000))
    last.result(10)

    removed = _prune_all(jobs, Retention(keep_bytes=50_000))

    assert 45_000 < jobs.held_bytes() <= 50_000
    assert min(jobs.get_jids()) == _jid(removed)


def test_bytes_held_are_exact_after_everything_is_gone(jobs):
    jobs.save_load(JID, LOAD, ["m1"])
    jobs.save_load(JID, {**LOAD, "arg": ["longer"] * 50}, ["m2"])
    jobs.save_return(_return()).result(10)

    assert jobs.held_bytes() > 0
    assert _prune_all(jobs, Retention(keep_seconds=1)) == 1
    assert jobs.held_bytes() == 0


def test_nothing_is_removed_without_a_limit(jobs):
    jobs.save_load(JID, LOAD).result(10)

    assert jobs.prune(Retention()).result(10) == 0
    assert jobs.get_load(JID) == LOAD


def test_new_jids_do_not_need_a_disk(tmp_path):
    assert jids.is_jid(Jobs(EmbeddedStore(str(tmp_path / "none"))).new_jid())


def test_jobs_between_two_moments_are_given_newest_first(jobs):
    for second in range(10):
        saved = jobs.save_load(_jid(second), LOAD)
    saved.result(10)

    found = [jid for jid, _ in jobs.newest(first=_jid(3), last=_jid(5))]

    assert found == [_jid(5), _jid(4), _jid(3)]


def test_returned_ids_are_read_without_their_returns(jobs):
    jobs.save_return(_return()).result(10)

    assert jobs.get_returned(JID) == ["m1"]


def test_loads_come_newest_first_from_a_jid_on(jobs):
    for second in range(3):
        saved = jobs.save_load(_jid(second), LOAD)
    saved.result(10)

    assert [jid for jid, _ in jobs.newest_loads()] == [_jid(2), _jid(1), _jid(0)]
    assert [jid for jid, _ in jobs.newest_loads(_jid(2))] == [_jid(1), _jid(0)]


def test_returns_come_by_page_in_the_order_of_ids(jobs):
    for id in ("m3", "m1", "m2"):
        saved = jobs.save_return(_return(id=id))
    saved.result(10)

    assert [id for id, _ in jobs.get_returns_page(JID, "", 2)] == ["m1", "m2"]
    assert [id for id, _ in jobs.get_returns_page(JID, "m2", 2)] == ["m3"]


def test_digests_of_a_state_run_are_for_the_history_only(jobs):
    load = {"jid": JID, "id": "m1", "fun": "state.apply", "return": {}, "low_digests": b"x" * 8}
    jobs.save_return(load).result(30)

    assert jobs.get_returns(JID) == {"m1": {"return": {}, "fun": "state.apply"}}
    assert list(jobs.get_returns_page(JID, "", 5)) == [("m1", {"return": {}, "fun": "state.apply"})]
