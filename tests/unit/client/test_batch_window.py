"""Jobs for a limited number of minions at a time."""

import pytest

from salt_g.client.batch_window import (
    CLOSE,
    HOLD,
    Batch,
    BatchStep,
    BatchWindow,
    EarlierBatch,
    run_batch,
    size_of,
)
from salt_g.client.jobs import JobClient
from salt_g.client.publishing import JobRequest
from salt_g.client.return_collector import Return
from salt_g.errors import ClientError

JID = "20260102030405678901"
OPTS = {"timeout": 5, "gather_job_timeout": 10, "nodegroups": {}, "publish_timeout": 30}


@pytest.mark.parametrize(
    ("size", "count", "expected"),
    [
        ("3", 10, 3),
        ("10%", 100, 10),
        ("10%", 5, 1),
        ("%25", 8, 2),
        ("0", 4, 1),
        ("50%", 3, 1),
        ("200%", 3, 6),
    ],
)
def test_how_many_at_a_time(size, count, expected):
    assert size_of(size, count) == expected


@pytest.mark.parametrize("size", ["many", "", "%", "nan%", "inf%", "1e999%", "1.5"])
def test_an_invalid_size_is_refused(size):
    with pytest.raises(ClientError, match=f"Invalid batch data sent: {size}\n"):
        size_of(size, 3)


def test_slots_are_filled_as_they_become_free():
    slots = BatchWindow("abcd", Batch("2"))

    first = slots.take(0)
    slots.end("a", 0, 1)
    second = slots.take(1)

    assert (first, second) == (["a", "b"], ["c"])
    assert slots.at_work == {"b", "c"}


def test_a_slot_rests_behind_each_return():
    slots = BatchWindow("ab", Batch("1", wait=5))
    slots.take(0)
    slots.end("a", 0, 1)

    assert slots.take(5.9) == []
    assert slots.take(6.1) == ["b"]


def test_failhard_ends_a_batch_at_the_first_failure_but_not_at_silence():
    slots = BatchWindow("abc", Batch("1", failhard=True))
    slots.take(0)
    slots.end("a", 0, 1, is_silent=True)
    assert not slots.is_over()

    slots.take(1)
    slots.end("b", 2, 1)

    assert slots.is_over()
    assert (slots.halted, slots.take(2)) == ("failhard", [])


def test_a_batch_pings_and_then_publishes_slices_of_one_job(link):
    jobs = []

    def publish(load):
        if load["cmd"] != "publish":
            return {}
        ids = ["a", "b", "c"] if load["tgt"] == "*" else load["tgt"]
        jid = load["jid"] or f"2026010203040567890{len(jobs)}"
        jobs.append((load["fun"], ids, load["jid"]))
        for id in ids if load["fun"] != "saltutil.find_job" else ():
            if id != "c":
                link.put_return(link.now, id, jid=jid)
        return {"load": {"jid": jid, "minions": ids}}

    link.answer = publish
    client = JobClient(OPTS, link=link, user="root", clock=link.clock)

    steps = list(run_batch(client, JobRequest("*", "test.echo", ["x"]), Batch("1"), jid=JID))

    result = [
        (one.found or one.started or one.silent) if isinstance(one, BatchStep) else one.id for one in steps
    ]
    assert result == [(["a", "b"], ["c"]), ["a"], "a", ["b"], "b"]
    slices = [(ids, jid) for fun, ids, jid in jobs if fun == "test.echo"]
    assert slices == [(["a"], JID), (["b"], JID)]


def test_a_resumed_batch_waits_for_minions_that_got_the_job_and_continues_with_the_rest(link):
    slices = []

    def publish(load):
        if load["cmd"] != "publish":
            return {}
        slices.append((load["fun"], load["tgt"], load["jid"]))
        for id in load["tgt"]:
            link.put_return(link.now, id, jid=JID)
        return {"load": {"jid": JID, "minions": load["tgt"]}}

    link.answer = publish
    client = JobClient(OPTS, link=link, user="root", clock=link.clock)
    link.put_return(link.now, "b", jid=JID)
    earlier = EarlierBatch((["a", "b", "c"], ["d"]), {"a", "b"}, [Return("a", {"return": 1, "retcode": 0})])

    steps = list(run_batch(client, JobRequest("*", "test.echo"), Batch("1"), jid=JID, earlier=earlier))

    result = [
        (one.found or one.started or one.silent) if isinstance(one, BatchStep) else one.id for one in steps
    ]
    assert result == [(["a", "b", "c"], ["d"]), "a", ["b"], "b", ["c"], "c"]
    assert slices == [("test.echo", ["c"], JID)]


def test_a_resumed_batch_with_a_failure_stays_halted(link):
    client = JobClient(OPTS, link=link, user="root", clock=link.clock)
    failed = Return("a", {"return": 1, "retcode": 2})
    earlier = EarlierBatch((["a", "b"], []), {"a"}, [failed])

    steps = list(run_batch(client, JobRequest("*", "x.y"), Batch("1", 0, True), jid=JID, earlier=earlier))

    assert steps[-1] == BatchStep(halted="failhard")


def test_a_batch_that_is_stopped_publishes_no_more(link):
    def publish(load):
        ids = ["a", "b"] if load["tgt"] == "*" else load["tgt"]
        jid = load.get("jid") or "20260102030405678902"
        for id in ids:
            link.put_return(link.now, id, jid=jid)
        return {"load": {"jid": jid, "minions": ids}}

    link.answer = publish
    client = JobClient(OPTS, link=link, user="root", clock=link.clock)
    stops = iter([False, True])

    steps = list(
        run_batch(
            client,
            JobRequest("*", "test.echo"),
            Batch("1"),
            jid=JID,
            clock=link.clock,
            is_stopped=lambda: next(stops),
        )
    )

    assert steps[-1] == BatchStep(halted="stop")
    assert sum(isinstance(one, BatchStep) and bool(one.started) for one in steps) == 1


def test_a_gate_holds_the_next_slice_and_closes_for_the_rest(link):
    def publish(load):
        for id in load["tgt"]:
            link.put_return(link.now, id, jid=JID)
        return {"load": {"jid": JID, "minions": load["tgt"]}}

    link.answer = publish
    client = JobClient(OPTS, link=link, user="root", clock=link.clock)
    answers = iter(["", HOLD, HOLD, "", CLOSE])
    earlier = EarlierBatch((["a", "b", "c"], []), set(), [])

    steps = list(
        run_batch(
            client,
            JobRequest("*", "x.y"),
            Batch("1"),
            jid=JID,
            gate=lambda: next(answers),
            earlier=earlier,
        )
    )

    assert [one.started for one in steps if isinstance(one, BatchStep) and one.started] == [["a"], ["b"]]
    assert [one.id for one in steps if isinstance(one, Return)] == ["a", "b"]
    assert not any(isinstance(one, BatchStep) and one.halted for one in steps)
    assert next(answers, "all asked") == "all asked"
