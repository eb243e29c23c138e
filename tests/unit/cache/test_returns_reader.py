"""New returns by a cursor, on either store."""

import pytest

from salt_g.cache.jobs import Jobs
from salt_g.cache.returns_reader import STEP, WATCH, read_new


@pytest.fixture
def jobs(store):
    store.write(WATCH, None).result(30)
    return Jobs(store)


@pytest.fixture
def connection(store, jobs):
    connection = store.open_in_thread()
    yield connection
    connection.close()


def returned(jobs, jid, fun="state.apply", minion="m1"):
    jobs.save_load(jid, {"fun": fun, "arg": [], "tgt": "*", "tgt_type": "glob", "user": "ann", "jid": jid})
    jobs.save_return({"jid": jid, "id": minion, "fun": fun, "return": True}).result(30)


def jids(found):
    return [one.jid for one in found.returns]


def test_returns_come_in_the_order_in_which_they_were_stored(jobs, connection):
    for jid in ("3", "1", "2"):
        returned(jobs, jid)

    found = read_new(connection, [])

    assert (jids(found), found.has_more) == (["3", "1", "2"], False)
    assert read_new(connection, found.place).returns == []
    returned(jobs, "0")
    assert jids(read_new(connection, found.place)) == ["0"]


def test_only_state_runs_have_their_content(jobs, connection):
    returned(jobs, "1")
    returned(jobs, "2", fun="test.ping")
    returned(jobs, "3", fun=["test.ping", "state.sls"])
    returned(jobs, "4", fun=["test.ping", "mystate.sls"])

    assert [bool(one.data) for one in read_new(connection, []).returns] == [True, False, True, False]


def test_a_step_is_bounded(jobs, connection):
    for number in range(STEP + 1):
        returned(jobs, f"{number:05}")

    first = read_new(connection, [])
    second = read_new(connection, first.place)

    assert (len(first.returns), first.has_more) == (STEP, True)
    assert (len(second.returns), second.has_more) == (1, False)


def test_it_cannot_write(jobs, connection):
    with pytest.raises(Exception, match="(?i)read.?only"):
        connection.execute("DELETE FROM returns")
