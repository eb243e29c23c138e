"""The entry points of the state engine: which states are read, compiled and run."""

import pytest

from salt_g.errors import CommandExecutionError, CompileError
from salt_g.report.step_feed import StepFeed
from salt_g.state.bundle import StateBundle
from salt_g.state.run.no_states import NO_MATCH, NO_STATES, NOTHING_DECLARED

TREE = {
    "top": {"base": {"*": ["web"], "other": ["db"]}},
    "web": {"one": {"test.nop": [{"require": [{"test": "two"}]}]}, "two": "test.nop"},
    "db": {"three": "test.nop"},
}


@pytest.fixture
def engine(state_engine):
    """Return a function that makes an engine over `TREE`, or over the tree given."""
    return lambda tree=TREE, opts=None, **more: state_engine(
        tree, opts={"file_client": "local", "file_roots": {}, **(opts or {})}, **more
    )


def ran(running):
    return [tag.split("_|-")[1] for tag in running]


def test_sls_run_in_the_order_of_their_requisites(engine):
    assert ran(engine().apply_sls(["web"])) == ["two", "one"]
    assert ran(engine().apply_sls(["web", "db"], exclude=[{"id": "three"}])) == ["two", "one"]


def test_the_highstate_is_what_the_top_file_assigns_to_this_minion(engine):
    assert ran(engine().apply_highstate()) == ["two", "one"]
    assert ran(engine().apply_highstate(exclude=[{"sls": "web"}])) == []


@pytest.mark.parametrize(
    ("top", "comment"),
    [
        ({"base": {"other": ["web"]}}, NO_MATCH),
        ({"base": {"*": ["empty"]}}, NOTHING_DECLARED),
    ],
)
def test_a_highstate_without_states_is_a_failure_with_its_reason(engine, top, comment):
    running = engine({**TREE, "top": top, "empty": {}}).apply_highstate()

    assert running == {
        NO_STATES: {"result": False, "comment": comment, "name": "No States", "changes": {}, "__run_num__": 0}
    }


def test_a_highstate_may_be_narrowed_to_some_sls(engine):
    tree = {**TREE, "top": {"base": {"*": ["web", "db"]}}}

    assert ran(engine(tree).apply_highstate(whitelist=["db"])) == ["three"]


def test_tops_of_the_master_are_joined_with_the_top_file(state_engine):
    from salt_g.state.engine import StateEngine

    made = state_engine(TREE)
    with_tops = StateEngine(made._services, tops=lambda: {"base": ["db"]})

    assert made.top_matches() == {"base": ["web"]}
    assert with_tops.top_matches() == {"base": ["web", "db"]}


def test_a_compiled_run_can_be_applied_again_by_another(engine):
    made = engine()

    assert made.apply_cached() is None
    made.apply_sls(["web"])

    assert ran(made.apply_cached()) == ["two", "one"]
    assert made.apply_cached("other") is None


def test_one_id_runs_with_what_it_needs(engine):
    assert ran(engine().apply_id("two", ["web"])) == ["two"]
    assert ran(engine().apply_id("one", ["web"])) == ["two", "one"]
    assert engine().apply_id("nosuch", ["web"]) == {}


def test_chunks_run_in_the_order_that_they_need(engine):
    chunk = {"state": "test", "fun": "nop", "__sls__": "web", "__env__": "base", "order": 1}
    chunks = [{**chunk, "name": name, "__id__": name} for name in ("a", "b")]
    chunks[0]["require"] = [{"test": "b"}]

    assert ran(engine().apply_chunks(chunks)) == ["b", "a"]


def test_one_chunk_runs_without_its_requisites(engine, one):
    low = {"state": "test", "fun": "nop", "name": "x", "require": [{"test": "nosuch"}]}

    assert one(engine().apply_low(low))["result"] is True
    with pytest.raises(CompileError):
        engine().apply_low({"state": "test", "fun": "nosuch", "name": "x"})


def test_only_compiling_runs_nothing(engine):
    made = engine()

    assert [low["__id__"] for low in made.low_of_sls(["web"])] == ["two", "one"]
    assert [low["__id__"] for low in made.low_of_top()] == ["two", "one"]
    assert sorted(made.high_of_sls(["web"]).as_mapping()) == ["one", "two"]
    assert sorted(made.high_of_top().as_mapping()) == ["one", "two"]
    assert sorted(made.verified_high_of_sls(["web"]).as_mapping()) == ["one", "two"]
    assert made.apply_cached() is None


def test_the_graph_is_drawn(engine):
    made = engine()

    assert made.dot(made.high_of_sls(["web"])).startswith("digraph")
    assert made.svg(made.high_of_sls(["web"])).startswith("<svg")


def test_the_use_of_a_tree_is_counted_by_environment(engine):
    used = engine().usage()

    assert (used["base"]["used"], used["base"]["unused"]) == (["web"], ["db", "top"])
    assert (used["base"]["count_all"], used["base"]["count_used"], used["base"]["count_unused"]) == (3, 1, 2)


def test_every_error_of_an_sls_is_in_one_exception(engine):
    with pytest.raises(CompileError) as caught:
        engine().apply_sls(["web", "nosuch", "neither"])

    assert [word for word in ("nosuch", "neither") if word in str(caught.value)] == ["nosuch", "neither"]
    assert len(caught.value.messages) == 2


def test_users_plugins_are_synced_before_a_highstate_that_has_states(engine):
    calls = []

    def sync(envs, refresh):
        calls.append((envs, refresh))
        return {"modules": ["modules.mine"]}

    made = engine(functions={"saltutil.sync_all": sync})
    made.apply_highstate()
    assert calls == [(["base"], False)]
    assert made._services.plugins.reloaded == [()]

    engine(functions={"saltutil.sync_all": sync}, opts={"autoload_dynamic_modules": False}).apply_highstate()
    assert len(calls) == 1


@pytest.mark.parametrize("where", ["opts", "grains"])
def test_states_of_disabled_runs_are_left_out(engine, where):
    assert ran(engine(**{where: {"state_runs_disabled": ["test.nop"]}}).apply_sls(["web"])) == []


def test_each_chunk_is_recorded_as_a_step(engine):
    made = engine()
    made.steps = feed = StepFeed()

    made.apply_sls(["web"])

    assert [(step["n"], step["id"]) for step in feed.take()["done"]] == [(1, "two"), (2, "one")]


def test_a_program_without_access_to_other_files_runs_no_bundle(engine, tmp_path):
    with pytest.raises(CommandExecutionError, match="cannot run bundles"):
        engine().apply_bundle(StateBundle(str(tmp_path)))


@pytest.mark.parametrize("ask", ["low_of_sls", "verified_high_of_sls"])
def test_a_finding_about_a_file_that_is_only_shown_has_its_place(state_engine, caplog, ask):
    engine = state_engine({"web": {"a": {"test": [{"names": 5}, "nop"]}}})

    with pytest.raises(CompileError):
        getattr(engine, ask)(["web"])

    assert "salt://web.sls (base): The 'names' argument in state 'a'" in caplog.text
