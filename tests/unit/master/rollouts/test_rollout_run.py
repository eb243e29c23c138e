"""One rollout from wave to wave."""

import pytest

from salt_g.client.batch_window import BatchStep
from salt_g.client.publishing import JobRequest
from salt_g.client.return_collector import Return
from salt_g.client.rollout_rules import read_rules
from salt_g.data.run_record import RunRecord
from salt_g.errors import ClientError
from salt_g.master.rollouts.rollout_progress import RolloutProgress
from salt_g.master.rollouts.rollout_run import RolloutCommand, RolloutRun

JOB = JobRequest("*", "state.apply", ["web"], jid="1")
CHANGED = {"x": {"result": True, "changes": {"new": 1}}}
UNCHANGED = {"x": {"result": True, "changes": {}}}


def returned(id, retcode=0, value=CHANGED):
    return Return(id, {"id": id, "jid": "1", "return": value, "retcode": retcode})


class Jobs:
    """Jobs of a rollout: `sent` has the calls; `bad` is {(function, minion): retcode or None}."""

    def __init__(self, bad):
        self.bad, self.sent, self.before = bad, [], set()

    def is_sent(self, jid, ids):
        return not self.before.isdisjoint(ids)

    def run(self, key, job, ids, *, size="", timeout=None, gate=lambda: "", is_stopped=lambda: False):
        for id in ids:
            if is_stopped():
                return
            if size and gate() == "close":
                return
            self.sent.append((job.fun, id))
            if job.fun == "state.undo" and "refused" in self.bad:
                raise ClientError("b is locked")
            yield BatchStep(started=[id])
            code = self.bad.get((job.fun, id), 0)
            yield BatchStep(silent=id) if code is None else returned(id, code)


class House:
    """A rollout of the minions a to d, with a clock that advances while it sleeps."""

    def __init__(self, bad=None, known=None, stored=(), **rules):
        self.jobs, self.reported, self.kept, self.now = Jobs(bad or {}), [], {}, 100.0
        self.orders = []
        self.progress = RolloutProgress(
            "1", function="state.apply", arguments=[], target="*", user="ann", started=0.0
        )
        self.run = RolloutRun(
            self.progress,
            JOB,
            read_rules({"waves": ["1", "2", "100%"], **rules}),
            jobs=self.jobs,
            record=RunRecord(lambda key, value: self.kept.update({key: value}) or True, known),
            find=lambda: (["d", "c", "b", "a"], []),
            order=lambda is_fresh: self.orders.pop(0) if self.orders else RolloutCommand(),
            report=lambda moment, number: self.reported.append(moment) if moment else None,
            returns=lambda: iter(stored),
            clock=lambda: self.now,
            rest=self.rest,
        )

    def rest(self, seconds):
        self.now += seconds

    def go(self):
        self.run.run()
        return self.progress.as_map()

    def ran(self, fun="state.apply"):
        return [id for name, id in self.jobs.sent if name == fun]


def test_waves_are_of_sorted_minions_one_after_the_other():
    house = House()

    found = house.go()

    assert (found["state"], house.ran()) == ("done", ["a", "b", "c", "d"])
    assert [wave["minions"] for wave in found["waves"]] == [["a"], ["b"], ["c", "d"]]
    assert house.reported == ["new", *["wave"] * 6, "end"]


def test_minions_behind_the_last_wave_are_untouched():
    found = House(waves=["1", "2"]).go()

    assert (found["state"], found["reached"], found["untouched"]) == ("done", 2, 2)


@pytest.mark.parametrize("code", [2, None])
def test_a_failure_or_silence_stops_it_after_its_wave(code):
    house = House({("state.apply", "b"): code})

    found = house.go()

    assert (found["state"], found["stopped"], house.ran()) == ("stopped", "1 failed > 0", ["a", "b"])
    assert [wave["state"] for wave in found["waves"]] == ["done", "failed", "waiting"]
    assert house.reported[-2:] == ["stopped", "end"]
    assert house.kept["stopped"] == "1 failed > 0"


def test_few_enough_failures_do_not():
    found = House({("state.apply", "b"): 1}, stop_at="50%").go()

    assert (found["state"], found["reached"], found["waves"][1]["state"]) == ("done", 4, "done")


def test_a_wave_in_slices_ends_as_soon_as_too_many_have_failed():
    house = House({("state.apply", "a"): 1}, waves=["100%"], batch="1")

    assert (house.go()["reached"], house.ran()) == (1, ["a"])


def test_checks_run_after_the_soak_on_those_that_passed():
    house = House(
        {("state.apply", "c"): 1, ("test.true", "b"): 1, ("test.ok", "d"): None},
        checks=[["test.true", []], ["test.ok", ["x"]]],
        soak=30,
        stop_at="75%",
    )

    found = house.go()

    assert house.now == 190.0
    assert (house.ran("test.true"), house.ran("test.ok")) == (["a", "b", "d"], ["a", "d"])
    assert found["waves"][1]["failed"] == {"b": "check test.true: retcode 1"}
    assert found["waves"][2]["failed"] == {"c": "retcode 1", "d": "check test.ok x: no answer"}
    assert [wave["done"] for wave in found["waves"]] == [1, 0, 0]


def test_a_stop_does_not_wait_for_checks_that_hang():
    house = House(waves=["3", "100%"], checks=[["test.true", []], ["test.ok", []]])
    checked = house.ran
    stopping = RolloutCommand("stop", "ann")

    def order(is_fresh):
        return stopping if "a" in checked("test.true") else RolloutCommand()

    house.run._order = order

    found = house.go()

    assert (found["state"], found["stopped"], house.ran("test.true")) == ("stopped", "by ann", ["a"])
    assert house.ran("test.ok") == [] and found["reached"] == 3


def test_a_failed_minion_is_not_checked_and_the_last_wave_needs_no_soak():
    house = House({("state.apply", "a"): 1}, checks=[["test.true", []]], soak=30)

    house.go()

    assert (house.ran("test.true"), house.now) == ([], 100.0)


def test_it_is_undone_where_it_may_have_changed_something():
    house = House(
        {("state.apply", "b"): 2, ("state.undo", "b"): 1},
        stored=[returned("a"), returned("b", 2, "broken"), returned("x", 0, UNCHANGED)],
        undo=True,
    )

    found = house.go()

    assert (found["state"], found["undone"], house.ran("state.undo")) == ("undone", 1, ["a", "b"])
    assert list(found["undo_failed"]) == ["b"]
    assert house.reported[-2:] == ["undone", "end"]


def test_where_nothing_changed_nothing_is_left():
    stored = [returned("a", 0, UNCHANGED), returned("b", 1, ["Rendering failed"])]
    house = House({("state.apply", "b"): 1}, stored=stored, undo=True)

    assert (house.go()["undone"], house.ran("state.undo")) == (2, [])


def test_a_pause_holds_the_next_wave_and_the_clock_goes_on():
    house = House()
    house.orders = [
        RolloutCommand(),
        RolloutCommand("pause", "ann"),
        RolloutCommand("pause", "ann"),
        RolloutCommand("pause", "ann"),
    ]

    found = house.go()

    assert (found["state"], house.now) == ("done", 101.5)
    assert [moment for moment in house.reported if moment != "wave"] == ["new", "paused", "resumed", "end"]


def test_a_stop_undoes_nothing():
    house = House(undo=True)
    house.orders = [RolloutCommand(), RolloutCommand("stop", "ann")]

    found = house.go()

    assert (found["state"], found["stopped"], house.ran()) == ("stopped", "by ann", ["a"])


def test_a_stop_ends_a_soak():
    house = House(soak=3600)
    house.orders = [RolloutCommand(), RolloutCommand(), RolloutCommand("stop", "ann")]

    assert (house.go()["stopped"], house.now) == ("by ann", 100.5)


def test_parts_that_are_done_are_passed_over():
    first = House({("state.apply", "b"): 1}, stop_at="50%", checks=[["test.true", []]], soak=10)
    first.go()
    known = {key: value for key, value in first.kept.items() if not key.startswith("wave/2/ended")}
    again = House(known=known, stop_at="50%", checks=[["test.true", []]], soak=10)
    again.now = first.now

    found = again.go()

    assert (found["reached"], found["waves"][1]["failed"]) == (4, {"b": "retcode 1"})
    assert again.jobs.sent == [("test.true", "c"), ("test.true", "d")]
    assert again.now == first.now


def test_one_that_was_stopped_is_stopped_again():
    first = House({("state.apply", "a"): 1}, undo=True)
    first.go()

    again = House(known=dict(first.kept), undo=True)

    assert (again.go()["state"], again.ran()) == ("undone", [])


def test_a_target_without_minions_is_done():
    house = House()
    house.run._find = lambda: ([], ["gone"])

    found = house.go()

    assert (found["state"], found["waves"], found["untouched"]) == ("done", [], 1)


@pytest.mark.parametrize("wish", ["pause", "stop"])
def test_ended_waves_are_restored_before_orders_of_users_are_read(wish):
    first = House()
    first.orders = [RolloutCommand(), RolloutCommand(), RolloutCommand("stop", "ann")]
    first.go()
    again = House(known=dict(first.kept))
    seen = []
    again.run._order = lambda is_fresh: (
        seen.append(again.progress.as_map()["reached"])
        or RolloutCommand(wish if len(seen) == 1 else "stop", "ann")
    )

    found = again.go()

    assert seen[0] == 2 and (found["reached"], found["stopped"]) == (2, "by ann")
    assert [wave["state"] for wave in found["waves"]] == ["done", "done", "waiting"]
    assert "new" not in again.reported and again.ran() == []


def test_an_undo_continues_despite_orders_of_users():
    first = House({("state.apply", "a"): 1}, undo=True)
    first.go()
    again = House(known=dict(first.kept), undo=True)
    again.orders = [RolloutCommand("stop", "ann")] * 9

    found = again.go()

    assert (found["state"], found["stopped"], again.ran("state.undo")) == ("undone", "1 failed > 0", ["a"])


def test_a_wave_that_was_sent_is_taken_to_its_end_though_it_was_stopped():
    first = House()
    first.go()
    known = {key: value for key, value in first.kept.items() if key == "found"}
    again = House(known=known, batch="1")
    again.jobs.before = {"a"}
    again.orders = [RolloutCommand("stop", "ann")] * 9

    found = again.go()

    assert [wave["state"] for wave in found["waves"]] == ["failed", "waiting", "waiting"]
    assert found["stopped"] == "by ann"


def test_a_stop_undoes_nothing_though_too_many_have_failed():
    rules = {"waves": ["100%"], "batch": "1", "stop_at": "50%", "undo": True}
    house = House({("state.apply", "a"): 1}, **rules)
    house.orders = [RolloutCommand(), RolloutCommand(), RolloutCommand("stop", "ann")]

    found = [house.go(), House(known=house.kept, **rules).go()]

    for one in found:
        assert (one["state"], one["stopped"], one["reached"]) == ("stopped", "by ann", 1)
        assert one["undone"] == 0 and not one["undo_failed"]


def test_an_undo_that_is_refused_says_where_and_why():
    house = House({("state.apply", "b"): 1, "refused": 1}, undo=True)

    found = house.go()

    assert (found["state"], found["undone"]) == ("undone", 0)
    assert found["undo_failed"] == {"a": "b is locked", "b": "b is locked"}


def test_a_clock_that_is_set_back_makes_no_soak_longer():
    house = House(waves=["1"], soak=10)
    beats = []

    def rest(seconds):
        beats.append(seconds)
        house.now += -86400 if len(beats) == 1 else seconds

    house.run._rest = rest

    house.go()

    assert len(beats) < 30
