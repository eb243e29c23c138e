"""Parallel states, with the real `test` states."""

import threading


def test_parallel_chunks_run_beside_each_other_and_are_awaited(state_engine, results):
    meeting = threading.Barrier(2, timeout=10)

    def meet(name):
        meeting.wait()
        return {"name": name, "changes": {"met": True}, "result": True, "comment": ""}

    beside = {"my.meet": [{"parallel": True}]}
    engine = state_engine(
        {
            "a": {
                "p": dict(beside),
                "q": dict(beside),
                "n": {"test.nop": [{"onchanges": [{"my": "p"}, {"my": "q"}]}]},
            }
        },
        states={"my.meet": meet},
    )

    running = engine.apply_sls(["a"])

    assert [ret["__run_num__"] for ret in running.values()] == [0, 1, 2]
    assert [ret.get("__parallel__", False) for ret in running.values()] == [True, True, False]
    assert results(running) == {"p": True, "q": True, "n": True}


def test_a_parallel_chunk_with_unfinished_requisites_is_postponed(state_engine, results):
    go_on = threading.Event()

    def hold(name):
        assert go_on.wait(10)
        return {"name": name, "changes": {}, "result": True, "comment": ""}

    def release(name):
        go_on.set()
        return {"name": name, "changes": {}, "result": True, "comment": ""}

    engine = state_engine(
        {
            "a": {
                "first": {"my.hold": [{"parallel": True}]},
                "second": {"test.nop": [{"parallel": True}, {"require": [{"my": "first"}]}]},
                "third": "my.release",
            }
        },
        states={"my.hold": hold, "my.release": release},
    )

    running = engine.apply_sls(["a"])

    assert results(running) == {"first": True, "third": True, "second": True}
    assert running["test_|-second_|-second_|-nop"]["__parallel__"] is True


def test_no_more_chunks_run_beside_each_other_than_allowed(state_engine):
    running_now, most = [], []

    def busy(name):
        running_now.append(name)
        most.append(len(running_now))
        running_now.remove(name)
        return {"name": name, "changes": {}, "result": True, "comment": ""}

    tree = {f"p{n}": {"my.busy": [{"parallel": True}]} for n in range(6)}
    engine = state_engine({"a": tree}, states={"my.busy": busy}, opts={"state_max_parallel": 1})

    running = engine.apply_sls(["a"])

    assert len(running) == 6
    assert max(most) == 1


def test_a_failhard_failure_beside_the_others_ends_the_run(state_engine, results):
    go_on = threading.Event()

    def fail(name):
        assert go_on.wait(10)
        return {"name": name, "changes": {}, "result": False, "comment": ""}

    def release(name):
        go_on.set()
        return {"name": name, "changes": {}, "result": True, "comment": ""}

    engine = state_engine(
        {
            "a": {
                "f": {"my.fail": [{"parallel": True}, {"failhard": True}]},
                "postponed": {"test.nop": [{"parallel": True}, {"onfail": [{"my": "f"}]}]},
                "r": "my.release",
                "never": {"test.nop": [{"onfail": [{"test": "postponed"}]}]},
            }
        },
        states={"my.fail": fail, "my.release": release},
    )

    assert list(results(engine.apply_sls(["a"]))) == ["f", "r"]


def test_a_thousand_chunks_may_wait_for_one(state_engine, results):
    go_on = threading.Event()

    def hold(name):
        assert go_on.wait(10)
        return {"name": name, "changes": {}, "result": True, "comment": ""}

    def release(name):
        go_on.set()
        return {"name": name, "changes": {}, "result": True, "comment": ""}

    waiting = {f"w{n}": {"test.nop": [{"parallel": True}, {"require": [{"my": "h"}]}]} for n in range(1000)}
    engine = state_engine(
        {"a": {"h": {"my.hold": [{"parallel": True}]}, **waiting, "r": "my.release"}},
        states={"my.hold": hold, "my.release": release},
        opts={"state_max_parallel": 8},
    )

    assert all(results(engine.apply_sls(["a"])).values())
