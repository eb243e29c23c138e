"""Modules of the page without side effects, called in the browser."""

import pytest


@pytest.fixture(scope="module")
def run(site, chromium):
    """Yield a function that evaluates an expression with the names that a module exports."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto(site.url)
    main = page.get_attribute("script[type=module]", "src")

    def evaluate(module, expression, value=None):
        path = f"/{main.rpartition('/')[0]}/{module}.js"
        return page.evaluate(f"([path, value]) => import(path).then(m => ({expression}))", [path, value])

    yield evaluate
    context.close()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("-1.5", -1.5),
        ("True", True),
        ("None", None),
        ("'5'", "5"),
        ("[1, 2]", [1, 2]),
        ("{oops", "{oops"),
        ("007", "007"),
        ("a b", "a b"),
        ("1" * 30, "1" * 30),
    ],
)
def test_fields_become_values_and_back(run, text, value):
    assert run("lib/command", "m.valueOf(value)", text) == value
    assert run("lib/command", "m.valueOf(m.fieldOf(value))", value) == value


def test_free_words_become_arguments(run):
    result = run("lib/command", "m.wordsToArguments(value)", "a 'b c' n=5 test=True [1, 2]")

    assert result == {"arg": ["a", "b c", [1, 2]], "kwarg": {"n": 5, "test": True}}


@pytest.mark.parametrize("value", ["once more", "it's", "a=b", "[x", 5, True, None, "5"])
def test_an_argument_becomes_one_free_word(run, value):
    assert run("lib/command", "m.wordsToArguments(m.wordOf(value))", value) == {"arg": [value], "kwarg": {}}


def test_a_job_becomes_a_command_for_a_shell(run):
    job = {
        "tgt": "os:Debian 12",
        "tgt_type": "grain",
        "fun": "cmd.run",
        "arg": ["echo 'x'"],
        "kwarg": {"cwd": "/"},
    }

    line = run("lib/command", "m.commandLine(value)", job)

    assert line == r"""salt-g -G 'os:Debian 12' cmd.run 'echo '\''x'\''' cwd=/"""


def test_words_of_filters_are_toggled(run):
    assert run("lib/filter", "m.toggled(...value)", ["web", "status:failed"]) == "web status:failed"
    assert run("lib/filter", "m.toggled(...value)", ["web status:failed", "status:failed"]) == "web"
    wanted = "web status:'would change'"
    assert run("lib/filter", "m.toggled(...value)", ["web status:ok", "status:'would change'"]) == wanted
    assert run("lib/filter", "m.without(...value)", [wanted, "status:"]) == "web"


def test_events_are_read_and_comments_skipped(run):
    block = 'tag: salt/x\ndata: {"data": {"a": 1}, "tag": "salt/x"}\nid: b-5'

    assert run("lib/stream", "m.parse(value)", block) == {
        **{"tag": "salt/x", "id": "b-5"},
        **{"name": None, "data": {"a": 1}},
    }
    assert run("lib/stream", "m.parse(value)", ": alive") is None
    assert run("lib/stream", "m.parse(value)", "data: {oops") is None


STATE = {"result": True, "changes": {}, "comment": "", "__run_num__": 0, "duration": 1.5}


def model(run, script):
    return run("lib/job_model", f"(() => {{ const job = new m.JobModel(); {script} }})()")


def test_equal_results_fold_and_failures_come_first(run):
    lines = model(
        run,
        """
        job.expect(["m1", "m2", "m3", "m4"]);
        for (const id of ["m1", "m2"]) job.returned({id, return: `from ${id}`, retcode: 0, success: true});
        job.returned({id: "m3", return: "no", retcode: 1, success: false});
        return job.all().map(line => [line.verdict, line.ids]);
        """,
    )

    assert lines == [["failed", ["m3"]], ["waiting", ["m4"]], ["ok", ["m1", "m2"]]]


def test_steps_fill_cells_once_and_a_return_replaces_them(run):
    result = model(
        run,
        """
        const step = n => ({n, id: `s${n}`, fun: "test.nop", place: "salt://web.sls", verdict: "ok", ms: 3});
        job.step("m1", {total: 3, done: [step(1)], now: {n: 2, id: "s2", fun: "test.nop", line: ""}});
        job.step("m1", {total: 3, done: [step(1), step(2)], now: null});
        const [before] = job.all();
        const seen = [before.verdict, before.done, before.total];
        job.returned({id: "m1", retcode: 0, return: {"test_|-s1_|-x_|-nop":
          {result: false, changes: {}, comment: "", __run_num__: 0, __id__: "s1", duration: "1.5 ms"}}});
        const [after] = job.all();
        return [seen, after.verdict, after.states[0].place, after.states[0].ms];
        """,
    )

    assert result == [["running", 2, 3], "failed", "salt://web.sls", 1.5]


def test_a_value_other_than_a_state_run_has_no_states(run):
    assert run("lib/job_model", "m.statesOf(value)", {"a_|-b": STATE}) is None
    assert run("lib/job_model", "m.statesOf(value)", ["x"]) is None
    assert run("lib/job_model", "m.statesOf(value)", {}) is None
    [found] = run("lib/job_model", "m.statesOf(value)", {"test_|-a_|-b_|-nop": STATE})
    assert (found["fun"], found["id"], found["verdict"]) == ("test.nop", "a", "ok")


def test_intervals_and_times_are_words(run):
    assert run("lib/format", "m.duration(value)", 0.4) == "< 1 ms"
    assert run("lib/format", "m.duration(value)", 61_000) == "1 min 1 s"
    assert run("lib/format", "m.momentOf(value)", "20261128014139026395") == 1795830099000
    assert (
        run("lib/format", "m.argumentText(value)", ["a", {"__kwarg__": True, "test": True}]) == "a test=True"
    )
