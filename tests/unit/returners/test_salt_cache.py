import os

import pytest

from salt_g.cache_drivers import localfs
from salt_g.returners import salt_cache
from salt_g.stock_errors import SaltCacheError

JID, LATER, QUIET = (f"2026010203040567890{number}" for number in (1, 2, 3))
LOAD = {"fun": "test.echo", "arg": ["x"], "tgt": "*", "tgt_type": "glob", "user": "root", "jid": JID}
RETURN = {"id": "m1", "jid": JID, "fun": "test.echo", "return": "x", "success": True, "retcode": 0}
FUNCTIONS = {
    f"localfs.{name.rstrip('_')}": getattr(localfs, name)
    for name in ("init_kwargs", "store", "fetch", "flush", "list_", "contains", "updated")
}


@pytest.fixture
def settings(tmp_path, call_context):
    """Return a function that enters a call with settings; the cache is below `tmp_path`."""

    def enter(**opts):
        call_context(opts={"cachedir": str(tmp_path), **opts}, tables={"cache": FUNCTIONS})

    enter()
    return enter


def test_jobs_and_their_returns_come_back(settings):
    salt_cache.save_load(JID, LOAD, ["m2"])
    salt_cache.save_minions(JID, ["m1"])
    assert salt_cache.returner(RETURN) is None
    assert salt_cache.returner({**RETURN, "return": "y"}) is False

    assert salt_cache.get_load(JID) == {**LOAD, "Minions": ["m1", "m2"]}
    assert salt_cache.get_load("none") == {}
    assert salt_cache.get_jid(JID) == {"m1": {"return": "x", "retcode": 0, "success": True}}
    assert salt_cache.get_jid("none") == {}
    assert list(salt_cache.get_jids()) == [JID]


def test_a_job_that_is_not_to_be_stored_keeps_no_returns(settings):
    assert salt_cache.prep_jid(nocache=True, passed_jid=QUIET) == QUIET

    salt_cache.returner({**RETURN, "jid": QUIET})

    assert salt_cache.get_jid(QUIET) == {}


def test_a_return_without_a_job_gets_a_jid(settings):
    salt_cache.returner({**RETURN, "jid": "req"})

    assert salt_cache.get_jid("req") == {}


def test_the_newest_jobs_are_listed_oldest_first(settings):
    salt_cache.save_load(JID, LOAD)
    salt_cache.save_load(LATER, {**LOAD, "fun": "saltutil.find_job"})
    salt_cache.save_load(QUIET, LOAD)

    assert [job["JID"] for job in salt_cache.get_jids_filter(9)] == [JID, QUIET]
    assert [job["JID"] for job in salt_cache.get_jids_filter(2, False)] == [LATER, QUIET]


def test_the_end_of_a_job_is_listed_when_it_is_wanted(settings):
    salt_cache.save_load(JID, LOAD)
    salt_cache.update_endtime(JID, 1767322000)

    assert salt_cache.get_endtime("none") is None
    assert "EndTime" not in salt_cache.get_jids()[JID]
    settings(job_cache_store_endtime=True)
    assert salt_cache.get_jids()[JID]["EndTime"] == 1767322000


def test_old_jobs_are_removed_whole(settings, tmp_path):
    for jid in (JID, LATER):
        salt_cache.save_load(jid, LOAD, ["m1"])
        salt_cache.returner({**RETURN, "jid": jid})
    os.utime(tmp_path / "jobs" / "loads" / f"{JID}.p", (1, 1))

    salt_cache.clean_old_jobs()
    assert len(salt_cache.get_jids()) == 2
    settings(keep_jobs_seconds=600)
    salt_cache.clean_old_jobs()

    assert list(salt_cache.get_jids()) == [LATER]
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.p")}
    assert left == {f"jobs/loads/{LATER}.p", f"jobs/minions/{LATER}.p", f"jobs/returns/{LATER}/m1.p"}


def test_a_missing_driver_is_named(settings):
    settings(cache="none")

    with pytest.raises(
        SaltCacheError, match="`cache: none`: there is no driver with the function none.fetch"
    ):
        salt_cache.get_load(JID)
