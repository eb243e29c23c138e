import pytest

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.runners import jobs
from salt_g.shapes.loads import RENEWAL_USER

JID = "20260316190000000001"
LATER = "20260317190000000001"


class FakeCache:
    """A job cache with two jobs."""

    def __init__(self):
        self.loads = {
            JID: {
                "fun": "test.ping",
                "tgt": "*",
                "tgt_type": "glob",
                "arg": [],
                "user": "root",
                "Minions": ["m1", "m2"],
            },
            LATER: {"fun": "state.apply", "tgt": ["m1"], "tgt_type": "list", "metadata": {"who": "me"}},
        }
        self.returns = {
            JID: {"m1": {"return": True, "retcode": 0, "success": True}},
            LATER: {"m1": {"return": {}, "out": "highstate"}},
        }

    def get_load(self, jid):
        return self.loads.get(jid, {})

    def get_jid(self, jid):
        return self.returns.get(jid, {})

    def newest(self, *, first="", last="", with_end=False):
        jobs = {
            JID: {"Function": "test.ping", "Target": "*", "StartTime": "2026, Mar 16 19:00:00.000001"},
            LATER: {
                "Function": "state.apply",
                "Target": ["m1"],
                "StartTime": "2026, Mar 17 19:00:00.000001",
                "Metadata": {"who": "me"},
            },
        }
        for jid in sorted(jobs, reverse=True):
            if first <= jid and jid[: len(last)] <= last:
                yield jid, jobs[jid]

    def get_jids_filter(self, count, filter_find_job):
        return [{"JID": JID}][:count]

    def get_end(self, jid):
        return 1.5


@pytest.fixture
def master(call_context, progress):
    """Enter the call of a runner on a master with two jobs."""

    def enter(**parts):
        opts = {"timeout": 5, "master_job_cache": "local_cache", **parts.pop("opts", {})}
        return call_context(opts=opts, job_cache=FakeCache(), progress=progress, **parts)

    return enter


def test_lookup_jid_gives_the_returns_by_minion(master):
    master()

    assert jobs.lookup_jid(JID) == {"m1": True}


def test_lookup_jid_names_those_that_did_not_return(master):
    master()

    assert jobs.lookup_jid(JID, missing=True) == {"m1": True, "m2": "Minion did not return"}
    assert jobs.lookup_jid(JID, returned=False, missing=True) == {"m2": "Minion did not return"}


def test_lookup_jid_returns_the_outputter_that_the_minions_named(master):
    master()

    assert jobs.lookup_jid(LATER) == {"outputter": "highstate", "data": {"m1": {}}}


def test_lookup_jid_of_an_unknown_job_is_empty_warns_and_fails(master, progress):
    context = master()

    assert jobs.lookup_jid("20200101000000000000") == {}
    [(suffix, data)] = progress.fired
    assert (suffix, context.scratch["retcode"]) == ("warning", 1)
    assert data["text"].startswith("job 20200101000000000000 is not in the job cache (local_cache)")


def test_lookup_jid_of_a_job_without_returns_does_not_fail(master, progress):
    context = master()
    context.services.job_cache.returns.clear()

    assert jobs.lookup_jid(JID) == {}
    assert (progress.fired, context.scratch) == ([], {})


def test_list_job_shows_function_target_and_returns(master):
    master()

    assert jobs.list_job(JID) == {
        "jid": JID,
        "Function": "test.ping",
        "Arguments": [],
        "Target": "*",
        "Target-type": "glob",
        "User": "root",
        "Minions": ["m1", "m2"],
        "StartTime": "2026, Mar 16 19:00:00.000001",
        "Result": {"m1": {"return": True, "retcode": 0, "success": True}},
    }


def test_list_job_of_an_unknown_job_returns_an_error(master):
    master()

    found = jobs.list_job("20200101000000000000")

    assert found["Error"] == "Cannot contact returner or no job with this jid"
    assert found["Result"] == {}


def test_print_job_shows_the_end_where_it_is_kept(master):
    master(opts={"job_cache_store_endtime": True})

    assert jobs.print_job(JID)[JID]["EndTime"] == 1.5


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ({}, [JID, LATER]),
        ({"search_function": "test.*"}, [JID]),
        ({"search_function": "pkg.*,state.*"}, [LATER]),
        ({"search_function": ["test.ping", "state.apply"]}, [JID, LATER]),
        ({"search_target": "m*"}, [LATER]),
        ({"search_metadata": {"who": "me", "other": 1}}, [LATER]),
        ({"search_metadata": {"who": "you"}}, []),
        ({"start_time": "2026, Mar 17 00:00"}, [LATER]),
        ({"end_time": "2026-03-17"}, [JID]),
        ({"start_time": "2026-03-16", "end_time": "2026-03-16 18:00"}, []),
        ({"search_function": "test.*", "search_target": "m1"}, []),
    ],
)
def test_list_jobs_gives_those_to_which_all_searches_apply(master, search, found):
    master()

    assert list(jobs.list_jobs(**search)) == found


def test_list_jobs_refuses_an_invalid_moment(master):
    master()

    with pytest.raises(InvocationError, match="'some day' is not a date and time"):
        jobs.list_jobs(start_time="some day")


def test_list_jobs_takes_an_outputter(master):
    master()

    assert jobs.list_jobs(outputter="yaml", search_function="none") == {"outputter": "yaml", "data": {}}


def test_last_run_is_the_newest_job_that_fits(master):
    master()

    assert list(jobs.last_run()) == [LATER]
    assert list(jobs.last_run(function="test.*")) == [JID]
    assert jobs.last_run(function="none.*") is False


def test_exit_success_is_false_for_those_that_did_not_return(master):
    master()

    assert jobs.exit_success(JID) == {"m1": True, "m2": False}


def test_active_joins_what_minions_say_is_running(master, fake_client):
    running = {"jid": JID, "fun": "test.sleep", "arg": [9], "tgt": "*", "tgt_type": "glob", "user": "root"}
    client = fake_client(
        saltutil_running={"m1": [{**running, "pid": 7}], "m2": [{**running, "pid": 8}], "m3": "broken"}
    )
    master(client=client)

    found = jobs.active()

    assert list(found) == [JID]
    assert found[JID]["Running"] == [{"m1": 7}, {"m2": 8}]
    assert found[JID]["Returned"] == ["m1"]
    assert found[JID]["Function"] == "test.sleep"


def test_active_leaves_out_the_masters_own_notices(master, fake_client):
    notice = {"jid": JID, "fun": "event.fire_master", "arg": [{}, "x"], "user": RENEWAL_USER}
    master(client=fake_client(saltutil_running={"m1": [notice]}))

    assert jobs.active() == {}


def test_active_reports_its_progress_when_asked(master, fake_client, progress):
    master(client=fake_client(saltutil_running={"m1": []}))

    jobs.active(display_progress=True)

    assert [data["message"] for _, data in progress.fired] == [
        "Attempting to contact minions: ['m1']",
        "Received reply from minion m1",
    ]


def test_a_returner_takes_the_place_of_the_own_job_cache(master):
    functions = {"redis.get_load": lambda jid: {"fun": "a.b"}, "redis.get_jid": lambda jid: {}}
    master(tables={"returners": functions})

    assert jobs.list_job(JID, ext_source="redis")["Function"] == "a.b"


def test_a_missing_returner_is_named(master):
    master(tables={"returners": {}})

    with pytest.raises(CommandExecutionError, match="returner 'redis' is not available"):
        jobs.list_jobs(ext_source="redis")


def test_a_list_is_as_long_as_it_may_be_and_of_the_newest(master):
    names = {
        "get_load": lambda jid: {},
        "get_jid": lambda jid: {},
        "get_jids": lambda: {f"{number:020}": {"Function": "test.ping"} for number in range(10_002)},
    }
    master(tables={"returners": {f"many.{name}": function for name, function in names.items()}})

    listed = list(jobs.list_jobs(ext_source="many"))

    assert (len(listed), int(listed[0]), int(listed[-1])) == (10_000, 2, 10_001)
