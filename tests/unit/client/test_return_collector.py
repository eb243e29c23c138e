"""Collector of returns: the outcome of each minion of a job."""

import pytest

from salt_g.client import return_collector
from salt_g.client.return_collector import ReturnCollector, RunningQuery

JID = "20260102030405678901"
QUESTION = "20260102030405678999"


def watch_over(*ids, **more):
    return ReturnCollector(JID, ids, timeout=5, gather_timeout=10, now=0.0, **more)


def run(link, watch, *, questions=(), away=()):
    """Collect to the end; return (ids that returned, minions queried each time)."""
    queries = []
    jids = iter(questions)

    def ask_running(ids):
        queries.append((link.now, ids))
        return RunningQuery(next(jids, ""), set(away))

    got = [one.id for one in return_collector.collect(link, watch, ask_running, clock=link.clock)]
    return got, queries


def test_a_job_is_over_when_all_have_returned(link):
    link.put_return(1, "a")
    link.put_return(2, "b", retcode=3)
    watch = watch_over("a", "b")

    got, queries = run(link, watch)

    assert (got, queries, link.now) == (["a", "b"], [], 2)
    assert (watch.verdict("a"), watch.verdict("b")) == (return_collector.RETURNED, return_collector.FAILED)


def test_a_silent_minion_is_asked_and_given_up(link):
    link.put_return(1, "a")
    watch = watch_over("a", "b")

    got, queries = run(link, watch, questions=[QUESTION])

    assert got == ["a"]
    assert [ids for _, ids in queries] == [["b"]]
    assert 15 <= link.now < 16
    assert watch.verdict("b") == return_collector.NO_ANSWER


def test_a_minion_that_is_at_work_is_waited_for(link):
    link.put(6, f"salt/job/{QUESTION}/ret/a", id="a", **{"return": {"jid": JID, "pid": 7}})
    link.put(16, f"salt/job/{QUESTION}8/ret/a", id="a", **{"return": {"jid": JID, "pid": 7}})
    link.put_return(22, "a")
    watch = watch_over("a")

    got, queries = run(link, watch, questions=[QUESTION, f"{QUESTION}8"])

    assert got == ["a"]
    assert len(queries) == 2
    assert watch.verdict("a") == return_collector.RETURNED


@pytest.mark.parametrize("question", [QUESTION, ""])
def test_a_minion_that_moves_to_another_master_is_waited_for_while_it_does(link, question):
    link.put_return(28, "a")
    watch = watch_over("a", "b")
    queries = []

    def ask_running(ids):
        queries.append((link.now, ids))
        return RunningQuery(question, ids, ids if link.now < 20 else ())

    got = [one.id for one in return_collector.collect(link, watch, ask_running, clock=link.clock)]

    # Each time after `gather_timeout`, and once more when no minion runs the job any longer.
    assert [round(at) for at, _ in queries] == [5, 15, 25]
    assert got == (["a"] if question else [])
    assert link.now < 36


def test_a_minion_whose_master_ends_while_it_is_asked_is_not_given_up(link):
    link.put_return(24, "a")
    watch = watch_over("a", "b")
    moving = iter([{"a"}, set()])
    looked = []

    def find_moving(ids):
        looked.append((round(link.now), ids))
        return next(moving)

    got = [
        one.id
        for one in return_collector.collect(
            link, watch, lambda ids: RunningQuery(QUESTION), find_moving=find_moving, clock=link.clock
        )
    ]

    assert got == ["a"]
    assert looked[0] == (15, ["a", "b"]) and looked[1][1] == ["b"]
    assert link.now < 37


def test_a_minion_that_is_at_work_is_known_to_be(link):
    watch = watch_over("a")
    watch.asked(RunningQuery(QUESTION), 5)
    watch.take(
        return_collector.MasterEvent(f"salt/job/{QUESTION}/ret/a", {"id": "a", "return": {"pid": 7}}), 6
    )

    assert watch.verdict("a") == return_collector.RUNNING
    assert not watch.is_over(14)


def test_a_minion_that_answers_but_does_not_run_the_job_has_refused_it(link):
    link.put(6, f"salt/job/{QUESTION}/ret/a", id="a", **{"return": {}})
    watch = watch_over("a")

    run(link, watch, questions=[QUESTION])

    assert watch.verdict("a") == return_collector.NOT_RUNNING


def test_a_minion_that_is_away_is_not_connected(link):
    watch = watch_over("a")

    run(link, watch, questions=[QUESTION], away=["a"])

    assert watch.verdict("a") == return_collector.NOT_CONNECTED


def test_no_minion_is_awaited_when_none_could_be_queried(link):
    watch = watch_over("a")

    run(link, watch)

    assert 5 <= link.now < 6


def test_a_second_return_of_a_minion_is_not_a_return(link):
    link.put_return(1, "a", "first")
    link.put_return(1, "a", "second")
    link.put_return(2, "b")
    watch = watch_over("a", "b")

    got, _ = run(link, watch)

    assert got == ["a", "b"]
    assert watch.returns["a"].data["return"] == "first"


def test_unexpected_returns_are_shown_unless_the_set_of_minions_is_closed(link):
    for moment in (1, 20):
        link.put_return(moment, "x")
        link.put_return(moment + 1, "a")

    open_got, _ = run(link, watch_over("a"))
    closed_got, _ = run(
        link, ReturnCollector(JID, ["a"], timeout=5, gather_timeout=5, now=19, is_closed=True)
    )

    assert open_got == ["x", "a"]
    assert closed_got == ["a"]


def test_minions_that_the_new_event_names_are_expected(link):
    link.put(0, f"salt/job/{JID}/new", minions=["a", "b"])
    link.put_return(1, "a")
    link.put_return(2, "b")

    got, _ = run(link, watch_over("a"))

    assert got == ["a", "b"]


def test_a_return_for_a_resource_is_the_resources(link):
    link.put_return(1, "minion", resource_id="r1")

    got, _ = run(link, watch_over("r1"))

    assert got == ["r1"]


def test_with_a_pause_none_is_yielded_in_between(link):
    link.put_return(1, "a")
    watch = watch_over("a")

    got = list(
        return_collector.collect(link, watch, lambda ids: RunningQuery(""), pause=0.4, clock=link.clock)
    )

    assert [one and one.id for one in got] == [None, None, "a"]


@pytest.mark.parametrize(
    ("retcode", "expected"),
    [(0, 0), (3, 3), ({"a": 0, "b": 2}, 2), ([0, 1], 1), ({}, 0), (None, 0), (True, 1)],
)
def test_the_return_code_of_several_functions_is_the_highest(retcode, expected):
    assert return_collector.Return("a", {"retcode": retcode}).retcode == expected


def put_progress(link, moment, id, number, *, result=True, total=3):
    data = {"ret": {"result": result, "__run_num__": number}, "len": total}
    link.put(moment, f"salt/job/{JID}/prog/{id}/{number}", id=id, data=data)


def test_progress_events_report_how_far_each_minion_is(link):
    put_progress(link, 1, "a", 0)
    put_progress(link, 2, "a", 1, result=False)
    put_progress(link, 3, "stranger", 0)
    link.put_return(4, "b", retcode=2)
    link.put_return(4.5, "a")
    watch = watch_over("a", "b")

    run(link, watch)

    assert watch.progress == {"a": return_collector.RunProgress(done=2, total=3, failed=1)}
    assert watch.failing() == {"a", "b"}


@pytest.mark.parametrize(
    "data", [{}, {"data": "odd"}, {"data": {"ret": 1}}, {"data": {"ret": {}, "len": "x"}}]
)
def test_odd_progress_harms_nobody(link, data):
    link.put(1, f"salt/job/{JID}/prog/a/0", id="a", **data)
    link.put_return(2, "a")

    assert run(link, watch_over("a"))[0] == ["a"]


def test_while_minions_report_progress_none_is_yielded_now_and_then(link):
    for number in range(40):
        put_progress(link, 0.1 * (number + 1), "a", number, total=40)
    link.put_return(4.5, "a")
    watch = watch_over("a")

    seen = list(
        return_collector.collect(link, watch, lambda ids: RunningQuery(""), pause=1.0, clock=link.clock)
    )

    assert 3 <= seen.count(None) <= 5 and seen[-1].id == "a"


def test_a_minion_that_is_certainly_gone_is_not_waited_for(link):
    link.put_return(4, "a")
    watch = watch_over("a", "b")
    looked = []

    def find_gone(ids):
        looked.append((link.now, ids))
        return {"b"}

    def ask_running(ids):
        raise AssertionError("nobody is left to ask")

    got = [
        one.id
        for one in return_collector.collect(link, watch, ask_running, find_gone=find_gone, clock=link.clock)
    ]

    assert (got, link.now) == (["a"], 4)
    assert [ids for _, ids in looked] == [["a", "b"]]
    assert watch.verdict("b") == return_collector.NOT_CONNECTED
    assert watch.absent() == ["b"]


def test_a_job_for_gone_minions_alone_is_over_at_once(link):
    watch = watch_over("b")

    job_ids = list(
        return_collector.collect(
            link, watch, lambda ids: RunningQuery(""), find_gone=lambda ids: {"b"}, clock=link.clock
        )
    )

    assert (job_ids, link.now) == ([], return_collector.LOOK_AFTER)
