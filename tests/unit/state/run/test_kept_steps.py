"""Steps recorded as they are done, and their use in a resumed run."""

import pytest

from salt_g.data.run_record import RunRecord
from salt_g.errors import RunTaken, StoreError
from salt_g.state.run.kept_steps import INTERRUPTED


class Keeper:
    """Store of steps; it raises `.fails`."""

    def __init__(self):
        self.kept, self.fails, self.is_ours = {}, None, True

    def __call__(self, key, value):
        if self.fails and key.startswith("step/"):
            raise self.fails
        if self.is_ours:
            self.kept[key] = value
        return self.is_ours


@pytest.fixture
def ran():
    return []


@pytest.fixture
def run(state_engine, ran):
    """Run three states with a record: `run(known)` returns (running, what was kept)."""

    def step(name):
        """Record its call."""
        ran.append(name)
        return {"name": name, "result": True, "changes": {}, "comment": f"did {name}"}

    def begin(known=None, *, keeper=None, module="my"):
        sls = {name: {f"{module}.step": []} for name in ("one", "two", "three")}
        engine = state_engine({"a": sls}, states={f"{module}.step": step})
        keeper = keeper or Keeper()
        engine.record = RunRecord(keeper, known)
        return engine.apply_sls(["a"]), keeper.kept

    return begin


def without(kept, start, number):
    """Return the stored steps without the last `number` keys with this prefix."""
    gone = [key for key in kept if key.startswith(start)][-number:]
    return {key: value for key, value in kept.items() if key not in gone}


def test_a_resumed_run_calls_only_what_was_not_done(run, ran):
    first, kept = run(module="salt")
    ran.clear()

    again, more = run(without(kept, "step/", 1), module="salt")

    assert ran == ["three"]
    assert [entry["comment"] for entry in again.values()] == ["did one", "did two", "did three"]
    assert [entry["__run_num__"] for entry in again.values()] == [0, 1, 2]
    assert list(again) == list(first)
    assert [key.split("/")[0] for key in more] == ["step"]


def test_rendered_states_are_not_rendered_again(run, ran):
    known = {"high": {"x": {"salt": [{"name": "other"}, "step"], "__sls__": "a", "__env__": "base"}}}

    run(known, module="salt")

    assert ran == ["other"]


def test_a_state_of_this_machine_that_had_begun_is_not_called_again(run, ran):
    _, kept = run()
    ran.clear()

    again, _ = run(without(kept, "step/", 2))

    two, three = list(again.values())[1:]
    assert ran == []
    assert (two["result"], two["comment"]) == (False, INTERRUPTED)
    assert three["result"] is False


def test_a_step_that_cannot_be_kept_ends_no_run(run, ran):
    keeper = Keeper()
    keeper.fails = StoreError("db1", "is away")

    running, _ = run(keeper=keeper, module="salt")

    assert (ran, len(running)) == (["one", "two", "three"], 3)


def test_a_run_that_another_master_has_ends_before_its_next_state(run, ran):
    keeper = Keeper()
    keeper.is_ours = False

    with pytest.raises(RunTaken):
        run(
            {"high": {"x": {"my": [{"name": "other"}, "step"], "__sls__": "a", "__env__": "base"}}},
            keeper=keeper,
        )
    assert ran == []
