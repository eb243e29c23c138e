"""Jobs to returners, on a bus in memory."""

import pytest

from salt_g.master.returns.external_job_cache import ExternalJobCache


def test_jobs_go_to_the_job_cache_that_is_set(begin, take):
    bus = begin(ExternalJobCache, master_job_cache="a", ext_job_cache="c")

    bus.fire("salt/job/1/new", {"jid": "1", "fun": "test.ping", "minions": ["m1"]})
    bus.fire("salt/job/1/prog/m1/0", {"jid": "1"})
    bus.fire("salt/job/1/ret/m1", {"jid": "1", "id": "m1", "return": True})

    assert take(3) == [
        ("load of c", "1"),
        ("load", "1", "test.ping", ["m1"]),
        ("return", "1", "m1", True),
    ]


def test_job_caches_that_can_are_asked_to_forget_what_is_old(begin, take, caplog):
    begin(ExternalJobCache, master_job_cache="d", ext_job_cache="a")

    assert take() == ["old jobs of d"]
    assert caplog.text == ""


def test_without_an_external_cache_there_is_no_listener(begin):
    bus = begin(ExternalJobCache, master_job_cache="local_cache", ext_job_cache="")

    assert bus.subscriptions == ()


def test_with_ext_job_cache_alone_returns_are_the_minions_own_business(begin, returner_calls, take):
    bus = begin(ExternalJobCache, ext_job_cache="a")

    bus.fire("salt/job/1/ret/m1", {"jid": "1", "id": "m1", "return": True})
    bus.fire("salt/job/2/new", {"jid": "2", "fun": "test.ping"})

    assert take() == [("load", "2", "test.ping", [])]
    assert returner_calls.empty()


@pytest.mark.parametrize("jid", ["", "nocache", None])
def test_a_return_without_a_job_is_not_passed_on(begin, take, jid):
    bus = begin(ExternalJobCache, master_job_cache="a")

    bus.fire(f"salt/job/{jid}/ret/m1", {"jid": jid, "id": "m1", "return": 1} if jid else {"id": "m1"})
    bus.fire("salt/job/1/ret/m1", {"jid": "1", "id": "m1", "return": 2})

    assert take() == [("return", "1", "m1", 2)]


def test_a_returner_that_fails_or_is_missing_stops_no_other(begin, take, caplog):
    bus = begin(ExternalJobCache, master_job_cache="a", ext_job_cache="b")
    bus.fire("salt/job/1/new", {"jid": "1", "fun": "test.ping"})
    assert take() == [("load", "1", "test.ping", [])]
    assert "1: b.save_load failed: disk full" in caplog.text

    bus = begin(ExternalJobCache, master_job_cache="a", ext_job_cache="nowhere")
    bus.fire("salt/job/2/new", {"jid": "2", "fun": "test.ping"})
    assert take() == [("load", "2", "test.ping", [])]
    assert "2: the job cache nowhere has no function save_load here" in caplog.text


def test_a_job_cache_that_is_named_twice_is_called_once(begin, returner_calls, take):
    bus = begin(ExternalJobCache, master_job_cache="a", ext_job_cache="a")

    bus.fire("salt/job/1/new", {"jid": "1", "fun": "test.ping"})
    bus.fire("salt/job/1/ret/m1", {"jid": "1", "id": "m1", "return": True})

    assert take(2) == [("load", "1", "test.ping", []), ("return", "1", "m1", True)]
    assert returner_calls.empty()
