"""Steps of a run, as reported to its record."""

import pytest

from salt_g.process.observed_output import observer
from salt_g.report.step_feed import StepFeed


@pytest.fixture
def feed():
    return StepFeed()


def words(event):
    return [(step["n"], step["id"], step["fun"], step["verdict"]) for step in event["done"]]


def test_each_chunk_is_reported_with_its_number_and_file(state_engine, feed):
    engine = state_engine({"a": {"x": "test.nop", "y": "test.nop"}})
    engine.steps = feed

    engine.apply_sls(["a"])

    event = feed.take()
    assert words(event) == [(1, "x", "test.nop", "ok"), (2, "y", "test.nop", "ok")]
    assert (event["total"], event["now"]) == (2, None)
    assert all(step["place"].endswith("a.sls") for step in event["done"])


def test_a_chunk_is_the_current_one_while_it_runs(state_engine, feed):
    seen = []

    def look(name):
        seen.append(feed.take()["now"])
        observer()(b"Unpacking\n")
        return {"name": name, "changes": {}, "result": True, "comment": ""}

    engine = state_engine({"a": {"x": {"my.look": []}}}, states={"my.look": look})
    engine.steps = feed

    engine.apply_sls(["a"])

    assert [(now["n"], now["id"], now["fun"]) for now in seen] == [(1, "x", "my.look")]
    assert observer() is None


def test_output_of_a_secret_chunk_is_not_observed(state_engine, feed):
    seen = []

    def look(name):
        seen.append(observer())
        return {"name": name, "changes": {}, "result": True, "comment": ""}

    engine = state_engine({"a": {"x": {"my.look": [{"no_log": True}]}}}, states={"my.look": look})
    engine.steps = feed

    engine.apply_sls(["a"])

    assert seen == [None]


def test_skipped_and_parallel_chunks_are_counted(state_engine, feed):
    sls = {
        "x": {"test.fail_without_changes": []},
        "y": {"test.nop": [{"require": [{"test": "x"}]}]},
        "z": {"test.nop": [{"parallel": True}]},
    }
    engine = state_engine({"a": sls})
    engine.steps = feed

    engine.apply_sls(["a"])

    event = feed.take()
    assert {step["id"]: step["verdict"] for step in event["done"]} == {
        "x": "failed",
        "y": "failed",
        "z": "ok",
    }
    assert sorted(step["n"] for step in event["done"]) == [1, 2, 3]


def test_listeners_count_on(state_engine, feed):
    def change(name):
        return {"name": name, "changes": {"a": 1}, "result": True, "comment": ""}

    def nothing(name, **more):
        return {"name": name, "changes": {}, "result": True, "comment": ""}

    sls = {"x": {"my.change": []}, "y": {"my.nothing": [{"listen": [{"my": "x"}]}]}}
    states = {"my.change": change, "my.nothing": nothing, "my.mod_watch": nothing}
    engine = state_engine({"a": sls}, states=states)
    engine.steps = feed

    engine.apply_sls(["a"])

    event = feed.take()
    assert [step["n"] for step in event["done"]] == [1, 2, 3]
    assert event["total"] == 3
