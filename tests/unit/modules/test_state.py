"""The `state` execution module over a small engine."""

import contextlib
import json

import pytest

from salt_g import api
from salt_g.errors import CommandExecutionError, CompileError, InvocationError, UnknownKeywords
from salt_g.modules import state
from salt_g.shapes.high_data import HighData

GOOD = {"test_|-a_|-a_|-nop": {"result": True, "changes": {}}}
CHANGED = {"test_|-b_|-b_|-nop": {"result": True, "changes": {"x": 1}}}
HIGH = HighData({"a": {"test": ["nop"]}}).with_exclusions([{"id": "b"}])
BAD = {"test_|-c_|-c_|-nop": {"result": False, "changes": {}}}


class FakeLock:
    def __init__(self, conflicts):
        self.conflict_lines = conflicts

    @contextlib.contextmanager
    def held(self, job, *, queue, concurrent):
        if self.conflict_lines and not concurrent and not queue:
            raise CompileError(self.conflict_lines)
        yield

    def conflicts(self, jid):
        return self.conflict_lines

    def others(self, jid):
        return [{"jid": "1"}]


class FakePauses:
    def __init__(self):
        self.entries = {"1": {"__all__": {}}, "2": {}}

    def jids(self):
        return list(self.entries)

    def read(self, jid):
        return self.entries[jid]

    def forget(self, jid):
        del self.entries[jid]


class FakeEngine:
    """Answers every apply with `answer` and records its arguments and context."""

    def __init__(self, answer, conflicts=()):
        self.answer = answer
        self.calls = []
        self.lock = FakeLock(list(conflicts))
        self.pauses = FakePauses()

    def __getattr__(self, name):
        def ask(*args, **kwargs):
            self.calls.append((name, args, kwargs, dict(api.opts)))
            if isinstance(self.answer, Exception):
                raise self.answer
            return self.answer

        if name.startswith("__"):
            raise AttributeError(name)
        return ask


class FakePillars:
    """Returns fixed pillar, and counts the compilations."""

    def __init__(self, pillar):
        self.pillar = pillar
        self.compiled = 0

    def compile(self, *, saltenv=None, pillarenv=None, override=None):
        self.compiled += 1
        return {"env": pillarenv, **self.pillar, **(override or {})}


@pytest.fixture
def engine(call_context):
    """Return a function that enters a call whose engine gives this answer."""

    def make(answer=GOOD, *, conflicts=(), pillar=None, **context):
        made = FakeEngine(answer, conflicts)
        made.pillars = FakePillars(pillar or {})
        call_context(pillars=made.pillars, pillar={"env": "in memory"}, **context)
        current = api.current()
        current.services.states = made
        return made

    return make


def retcode():
    return api.current().scratch.get("retcode")


def test_apply_with_names_is_sls_without_is_highstate(engine):
    made = engine()

    state.apply("web,db")
    state.apply()

    assert [(name, args) for name, args, *_ in made.calls] == [
        ("apply_sls", (["web", "db"],)),
        ("apply_highstate", ()),
    ]


@pytest.mark.parametrize(("answer", "code"), [(GOOD, 0), (BAD, 2), ({}, 2), (CompileError(["no"]), 1)])
def test_the_exit_code_reports_how_it_went(engine, answer, code):
    engine(answer)

    ret = state.apply("a")

    assert retcode() == code
    assert ret == (["no"] if code == 1 else answer)


def test_options_reach_the_context_of_the_run(engine):
    made = engine()

    state.sls("a", test=True, saltenv="dev", pillarenv="prod", pillar={"x": 1}, state_events=False)

    opts = made.calls[0][3]
    assert (opts["test"], opts["saltenv"], opts["pillarenv"], opts["state_events"]) == (
        True,
        "dev",
        "prod",
        False,
    )
    assert api.opts["test"] is False


def test_pillar_has_to_be_a_mapping(engine):
    engine()

    with pytest.raises(InvocationError, match="Pillar data must be formatted as a dictionary"):
        state.sls("a", pillar="x")


def test_cache_runs_the_last_high_data(engine):
    made = engine()

    state.sls("a", cache=True, cache_name="mine")

    assert [(name, args) for name, args, *_ in made.calls] == [("apply_cached", ("mine",))]


def test_encrypted_pillar_is_opened_by_its_renderer(engine):
    class FakeRendering:
        def render_text(self, text, *, pipe):
            return {"opened": text, "by": pipe}

    made = engine(render=FakeRendering())

    state.sls("a", pillar="secret", pillar_enc="gpg")

    assert made.calls[0][3]["pillar_override"] == {"opened": "secret", "by": "gpg|yaml"}


def test_a_run_compiles_pillar_once_where_a_minion_keeps_one(engine):
    made = engine()

    state.apply("a")
    state.sls("a", pillar={"x": 1})

    assert made.pillars.compiled == 2
    assert api.pillar["env"] == "in memory"


def test_a_run_does_not_compile_again_what_was_compiled_for_this_call(engine):
    made = engine()
    own = api.Deferred(lambda: made.pillars.compile(pillarenv="own"))

    with api.use(api.current().replace(pillar=own)):
        state.apply("a")

    assert made.pillars.compiled == 1


def test_broken_pillar_stops_a_run_unless_forced(engine):
    engine(pillar={"_errors": ["bad"]})

    assert state.apply("a") == ["Pillar failed to render with the following messages:", "bad"]
    assert retcode() == 5
    assert state.apply("a", force=True) == GOOD


def test_broken_pillar_raises_where_nothing_runs(engine):
    engine(pillar={"_errors": ["bad\nline", "worse"]})

    with pytest.raises(
        CommandExecutionError,
        match="Pillar failed to render. Additional info follows:\n\n- bad\n  line\n- worse",
    ):
        state.show_top()


def test_another_run_is_in_the_way(engine):
    engine(conflicts=["busy"])

    assert state.apply("a") == ["busy"]
    assert retcode() == 1
    assert state.apply("a", concurrent=True) == GOOD
    assert state.running() == ["busy"]


def test_terse_drops_what_is_unchanged(engine):
    engine({**GOOD, **CHANGED, **BAD})

    assert list(state.apply("a", terse=True)) == [*CHANGED, *BAD]


def test_disabled_files_are_refused_by_name_and_pattern(engine):
    engine(opts={"grains": {"state_runs_disabled": ["web", "db.*", "highstate"]}})

    assert state.sls("web") == [
        'The state file "web" is currently disabled, to re-enable, run state.enable web.'
    ]
    assert state.sls(["db.main"]) == [
        'The state file "db.main" is currently disabled by "db.*", to re-enable, run state.enable db.*.'
    ]
    assert retcode() == 1
    assert state.highstate()["comment"] == "Disabled"


def test_disable_and_enable_keep_the_grain(engine, tmp_path):
    kept = tmp_path / "grains"
    engine(
        opts={"conf_file": str(tmp_path / "minion")},
        functions={"grains.setval": lambda key, value: kept.write_text(json.dumps({key: value}))},
    )

    assert state.disable("a,b")["msg"] == "Info: a state disabled.\nInfo: b state disabled."
    assert state.disable("a")["msg"] == "Info: a state already disabled."
    assert state.enable(["a", "c"])["msg"] == "Info: a state enabled.\nInfo: c state already enabled."
    assert json.loads(kept.read_text()) == {"state_runs_disabled": ["b"]}


def test_single_makes_one_chunk_of_its_arguments(engine):
    made = engine()

    state.single("test.nop", "here", x=1, pillar={"p": 1}, __pub_fun="state.single")

    assert made.calls[0][1] == ({"x": 1, "state": "test", "fun": "nop", "__id__": "here", "name": "here"},)
    assert state.single("nodot", "here") == "Invalid function passed"


def test_low_returns_the_bare_return_and_always_fails(engine):
    engine()

    assert state.low({"state": "test", "fun": "nop", "name": "x"}) == {"result": True, "changes": {}}
    assert retcode() == 2


def test_an_id_that_no_file_has_is_an_error(engine):
    engine({})

    with pytest.raises(InvocationError, match="No matches for ID 'x' found in SLS 'a' within saltenv 'base'"):
        state.sls_id("x", "a")


def test_template_appends_the_ending(engine):
    made = engine()

    state.template("/tmp/x")
    state.template("/tmp/y.sls")

    assert [args for _, args, *_ in made.calls] == [("/tmp/x.sls",), ("/tmp/y.sls",)]


def test_ids_are_looked_for_in_all_chunks(engine):
    engine([{"__id__": "a"}, {"__id__": "b"}])

    assert state.id_exists("a,b", "web") is True
    assert state.id_exists("a,z", "web") is False


def test_a_missing_file_does_not_exist(engine):
    engine(CompileError(["gone"]))

    assert state.sls_exists("web") is False


def test_orchestrate_wraps_the_results(engine):
    engine()

    assert state.orchestrate("o") == {"data": {"unit": GOOD}, "outputter": "highstate", "retcode": 0}


def test_pauses_of_ended_runs_are_forgotten(engine):
    made = engine()

    assert state.get_pauses() == {"1": {"__all__": {}}}
    assert made.pauses.jids() == ["1"]


def test_following_events_needs_a_daemon(engine):
    engine()

    with pytest.raises(CommandExecutionError, match="no event bus"):
        state.event()
    with pytest.raises(CommandExecutionError, match="salt-g run state.event"):
        state.event(node="master")


def test_a_picture_is_dot_or_svg(engine):
    engine()

    with pytest.raises(InvocationError, match="picture has to be 'dot' or 'svg'"):
        state.graph("a", picture="png")


RUNS = {
    "apply": ("a",),
    "highstate": (),
    "sls": ("a",),
    "sls_id": ("i", "a"),
    "top": ("top.sls",),
    "single": ("test.nop", "x"),
    "low": ({"state": "test", "fun": "nop", "name": "x"},),
    "high": ({},),
    "template": ("/x",),
    "template_str": ("{}",),
}


def test_sls_text_that_a_command_line_read_as_a_mapping_is_text_again(engine):
    made = engine()

    state.template_str({"here": {"test.nop": []}})

    assert '{"here": {"test.nop": []}}' in str(made.calls[-1])


def ran_in_test_mode(made):
    return made.calls[-1][3]["test"]


@pytest.mark.parametrize("fun", RUNS)
@pytest.mark.parametrize("word", ["test", "Test", "TEST"])
def test_test_counts_in_any_case(engine, fun, word):
    made = engine()

    getattr(state, fun)(*RUNS[fun], **{word: True})

    assert ran_in_test_mode(made) is True


@pytest.mark.parametrize("where", ["grains", "pillar", "master"])
def test_test_counts_from_grains_and_pillar(engine, where):
    pillar = {"pillar": {"test": True}, "master": {"master": {"test": True}}}.get(where, {})
    made = engine(pillar=pillar, grains={"test": True} if where == "grains" else {})

    state.apply("a")

    assert ran_in_test_mode(made) is True


@pytest.mark.parametrize(
    ("fun", "answer", "seen"),
    [("show_highstate", HIGH, False), ("show_lowstate", [], False), ("show_sls", HIGH, True)],
)
def test_a_shown_highstate_does_not_see_test_of_grains_and_pillar_as_stocks(engine, fun, answer, seen):
    made = engine(answer, pillar={"test": True}, grains={"test": True})

    getattr(state, fun)(*(["a"] if fun == "show_sls" else []))

    assert ran_in_test_mode(made) is seen


@pytest.mark.parametrize(("fun", "args"), [("show_highstate", ()), ("show_sls", ("a",))])
def test_high_data_is_shown_as_one_mapping(engine, fun, args):
    engine(HIGH)

    assert getattr(state, fun)(*args) == {"a": {"test": ["nop"]}, "__exclude__": [{"id": "b"}]}


def test_test_false_overrides_the_test_setting_of_pillar(engine):
    made = engine(pillar={"test": True})

    state.apply("a", test=False)

    assert ran_in_test_mode(made) is False


def test_grains_come_before_pillar_and_only_true_counts(engine):
    made = engine(pillar={"test": True}, grains={"test": "maybe"})

    state.apply("a")

    assert ran_in_test_mode(made) is False


@pytest.mark.parametrize("fun", [*RUNS, "show_sls"])
def test_a_misspelt_test_is_refused_before_anything_happens(engine, fun):
    made = engine()

    with pytest.raises(UnknownKeywords, match="not valid: tset=True") as caught:
        getattr(state, fun)(*RUNS.get(fun, ("a",)), tset=True)

    assert caught.value.nearest == ["test"]
    assert made.calls == []
    assert made.pillars.compiled == 0


def test_a_timeout_among_the_keywords_has_no_effect(engine):
    made = engine()

    state.sls("a", timeout=120)

    assert ran_in_test_mode(made) is False


def test_stocks_keywords_are_taken_and_those_of_the_job(engine):
    made = engine()

    state.apply("a", saltenv="base", sync_mods=None, localconfig=None, terse=True, __pub_user="root")

    assert len(made.calls) == 1


def test_keywords_of_a_single_state_are_its_own(engine):
    made = engine()

    state.single("file.managed", "/x", contents="y", Test=True)

    assert made.calls[0][1][0] == {
        **{"contents": "y", "state": "file", "fun": "managed"},
        **{"__id__": "/x", "name": "/x"},
    }


@pytest.mark.parametrize("keyword", ["text", "dest", "tests"])
def test_an_argument_of_a_single_state_may_resemble_test(engine, keyword):
    made = engine()

    state.single("file.append", "/x", **{keyword: "a line"})

    assert made.calls[0][1][0][keyword] == "a line"


def test_the_old_boolean_text_of_an_x509_state_is_its_own(engine):
    made = engine()

    state.single("x509.certificate_managed", "/x", text=True)

    assert made.calls[0][1][0]["text"] is True


def test_a_request_is_kept_under_its_name(engine):
    made = engine()
    kept = {}
    made.requests = type("Kept", (), {"put": lambda self, name, value: kept.update({name: value})})()

    state.request("web", name="friday", TEST=False)

    assert kept["friday"]["kwargs"] == {"test": True}
    assert api.opts["test"] is False
    assert ran_in_test_mode(made) is True
