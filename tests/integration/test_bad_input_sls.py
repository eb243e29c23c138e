"""Rejected SLS files: stock's text, the location, the nearest name, the exit code."""

import pytest

#: (name of the case, text of a.sls, what the return says, what the log says besides)
REFUSED = [
    (
        "undefined variable",
        "one: {test.nop: []}\n\ntwo:\n  test.nop:\n    - name: {{ nothing.here }}\n",
        ["Rendering SLS 'base:a' failed: Jinja variable 'nothing' is undefined; line 5", "<====="],
        [],
    ),
    (
        "tab",
        "one:\n  test.nop: []\ntwo:\n\ttest.nop: []\n",
        ["Rendering SLS 'base:a' failed: found character that cannot start any token"],
        ["a.sls:4"],
    ),
    (
        "colon after a loop",
        "{% for n in range(9) %}\na{{ n }}: {test.nop: []}\n{% endfor %}\none: two: three\n",
        ["Rendering SLS 'base:a' failed: mapping values are not allowed in this context"],
        ["salt://a.sls:4 (base)"],
    ),
    (
        "requisite of a macro's state",
        "{% macro m(n) %}\n{{ n }}: {test.nop: [{require: [{test: gone}]}]}\n{% endmacro %}\n{{ m('x') }}\n",
        ["Referenced state does not exist for requisite [require: (test: gone)] in state [x] in SLS [a]"],
        ["salt://a.sls:2 (base)"],
    ),
    (
        "indentation",
        "one:\n  test.nop:\n     - x: 1\n   - y: 2\n",
        ["Rendering SLS 'base:a' failed:", "line 4"],
        [],
    ),
    (
        "id twice",
        "one: {test.nop: []}\ntwo: {test.nop: []}\none: {test.nop: []}\n",
        ["Rendering SLS 'base:a' failed:", "found conflicting ID 'one'", "line 3"],
        [],
    ),
    (
        "missing include",
        "include: [nowhere]\none: {test.nop: []}\n",
        ["Specified SLS nowhere in saltenv base is not available"],
        [],
    ),
    (
        "include of a misspelt name",
        "include: [bb]\none: {test.nop: []}\n",
        ["Specified SLS bb in saltenv base is not available"],
        ["nearest", "'b'"],
    ),
    (
        "missing requisite",
        "ngnix: {test.nop: []}\nsite:\n  test.nop:\n    - require: [{test: nginx}]\n",
        ["Referenced state does not exist for requisite [require: (test: nginx)] in state [site] in SLS [a]"],
        ["a.sls", "ngnix"],
    ),
    (
        "circle",
        "one: {test.nop: [{require: [{test: two}]}]}\ntwo: {test.nop: [{require: [{test: one}]}]}\n",
        ["Recursive requisites were found", "'ID': 'one'", "'ID': 'two'"],
        ["salt://a.sls:2 (base)", "salt://a.sls:1 (base)"],
    ),
    (
        "same id in two files",
        "include: [b]\nfrom b: {test.nop: [{name: other}]}\n",
        ["Detected conflicting IDs", "'from b'", "SLS 'base:b'", "SLS 'base:a'"],
        ["salt://b.sls:1 (base)", "salt://a.sls:2 (base)"],
    ),
    (
        "no mapping",
        "- one\n- two\n",
        ["SLS a does not render to a dictionary"],
        [],
    ),
    (
        "unknown extend",
        "extend: {nobody: {test.nop: [{name: x}]}}\none: {test.nop: []}\n",
        ["Cannot extend ID 'nobody' in 'base:a'. It is not part of the high state."],
        [],
    ),
    (
        "missing import",
        "{% from 'nowhere.jinja' import x %}\none: {test.nop: []}\n",
        ["Rendering SLS 'base:a' failed: Jinja error: nowhere.jinja"],
        ["salt://a.sls"],
    ),
    (
        "template syntax",
        "one:\n  test.nop: []\n{% if true %}\n",
        ["Rendering SLS 'base:a' failed: Jinja syntax error:", "line 3"],
        [],
    ),
    (
        "python that raises",
        "#!py\ndef run():\n    raise ValueError('on purpose')\n",
        ["Rendering SLS 'base:a' failed:", "ValueError: on purpose"],
        [],
    ),
]


@pytest.mark.parametrize(
    "text, parts, logged", [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_a_bad_sls_runs_nothing_and_its_place_is_named(salt_g, text, parts, logged):
    salt_g.write({"a.sls": text, "b.sls": "from b: {test.nop: []}\n"})

    outcome = salt_g("state.apply", "a")

    assert outcome.code == 1
    assert isinstance(outcome.value, list)
    message = "\n".join(outcome.value)
    assert [part for part in parts if part not in message] == []
    assert [part for part in logged if part not in outcome.err] == []
    assert not outcome.err.startswith("Traceback")


def test_a_bad_sls_with_passthrough_has_stocks_code_for_compile_errors(salt_g):
    salt_g.write({"a.sls": "- one\n"})

    outcome = salt_g("--retcode-passthrough", "state.apply", "a")

    assert outcome.code == 1


def test_all_mistakes_of_one_compile_are_reported_at_once(salt_g):
    salt_g.write({"a.sls": "one: {test: []}\ntwo: {test: [nop, ping]}\nthree: {test.nop: [{require: x}]}\n"})

    outcome = salt_g("state.apply", "a")

    assert outcome.code == 1
    assert [name for name in ("'one'", "'two'", "'three'") if name not in "".join(outcome.value)] == []


def test_an_include_loop_is_cut_as_in_stock(salt_g):
    salt_g.write(
        {"a.sls": "include: [b]\none: {test.nop: []}\n", "b.sls": "include: [a]\ntwo: {test.nop: []}\n"}
    )

    outcome = salt_g("state.apply", "a")

    assert outcome.code == 0
    assert [ret["__id__"] for ret in outcome.value.values()] == ["two", "one"]


def test_an_import_loop_of_templates_is_an_error_not_a_crash(salt_g):
    salt_g.write({"a.sls": "{% include 'x.jinja' %}\n", "x.jinja": "{% include 'x.jinja' %}\n"})

    outcome = salt_g("state.apply", "a")

    assert outcome.code == 1
    assert "Rendering SLS" in outcome.value[0]


def test_an_unknown_renderer_yields_nothing_and_is_named_in_the_log(salt_g):
    salt_g.write({"a.sls": "#!jinja|yml\none: {test.nop: []}\n"})

    outcome = salt_g("state.apply", "a")

    assert outcome.code == 1
    assert 'The renderer "yml" is not available' in outcome.err


def test_a_missing_sls_is_named_with_the_nearest(salt_g):
    salt_g.write({"webserver.sls": "one: {test.nop: []}\n"})

    outcome = salt_g("state.apply", "webservr")

    assert outcome.code == 1
    assert outcome.value == ["No matching sls found for 'webservr' in env 'base'"]
    assert "webserver" in outcome.err


def test_an_unknown_state_function_fails_alone_and_the_nearest_is_named(salt_g):
    salt_g.write({"a.sls": "one: {test.succeed_with_change: []}\ntwo: {test.nop: []}\n"})

    outcome = salt_g("state.apply", "a")

    one, two = outcome.value.values()
    assert outcome.code == 1
    assert one["comment"].startswith("State 'test.succeed_with_change' was not found in SLS 'a'")
    assert "succeed_with_changes" in outcome.err
    assert two["result"] is True


def test_a_wrong_state_argument_ends_the_run_and_names_the_nearest(salt_g):
    salt_g.write(
        {"a.sls": f"{salt_g.out}/x: {{file.touch: []}}\nstaff: {{group.present: [{{membrs: [root]}}]}}\n"}
    )

    outcome = salt_g("state.apply", "a", "test=True")

    assert outcome.code == 1
    assert "'membrs' is an invalid keyword argument for 'group.present'" in outcome.err
    assert "'members'" in outcome.err
    assert "Traceback" not in outcome.err


def test_a_state_module_that_raises_fails_its_state_alone(salt_g):
    salt_g.write(
        {
            "_states/mine.py": "def bad(name):\n    raise ValueError('inside')\n",
            "a.sls": "one: {mine.bad: []}\ntwo: {test.nop: []}\n",
        }
    )
    salt_g("saltutil.sync_states")

    outcome = salt_g("state.apply", "a")

    one, two = outcome.value.values()
    assert outcome.code == 1
    assert one["result"] is False
    assert "mine.py" in one["comment"] and "ValueError: inside" in one["comment"]
    assert two["result"] is True


NOT_PRESENT = "The following keys were not present in the state return"
RUBBISH = {
    "None": "Malformed state return. Data must be a dictionary type.",
    "'text'": "Malformed state return. Data must be a dictionary type.",
    "[1]": "Malformed state return. Data must be a dictionary type.",
    "{}": "'Changes' should be a dictionary.",
    "{'name': name, 'result': True, 'comment': '', 'changes': 5}": "'Changes' should be a dictionary.",
    "{'name': name, 'result': True, 'changes': {}}": NOT_PRESENT,
}


@pytest.mark.parametrize("value", RUBBISH)
def test_a_state_module_that_returns_rubbish_fails_its_state_alone(salt_g, value):
    salt_g.write(
        {
            "_states/mine.py": f"def bad(name):\n    return {value}\n",
            "a.sls": "one: {mine.bad: []}\ntwo: {test.nop: []}\n",
        }
    )
    salt_g("saltutil.sync_states")

    outcome = salt_g("state.apply", "a")

    one, two = outcome.value.values()
    assert outcome.code == 1
    assert one["result"] is False
    assert RUBBISH[value] in one["comment"]
    assert two["result"] is True


def test_pillar_that_does_not_render_stops_the_run(salt_g):
    salt_g.write({"top.sls": "base: {'*': [p]}\n", "p.sls": "a: {{ nothing.x }}\n"}, below=salt_g.pillar)
    salt_g.write({"a.sls": "one: {test.nop: []}\n"})

    outcome = salt_g("--retcode-passthrough", "state.apply", "a")

    assert outcome.code == 5
    assert outcome.value[0] == "Pillar failed to render with the following messages:"
    assert "'p'" in outcome.value[1]
    assert "nothing" in outcome.err


def test_a_wrong_type_and_a_misspelt_keyword_are_reported_with_file_and_line(salt_g, tmp_path):
    text = f"{tmp_path}/f:\n  file.managed:\n    - user: [root]\n    - replaces: false\n    - contents: x\n"
    salt_g.write({"a.sls": f"{{% set x = 1 %}}\n{text}"})

    outcome = salt_g("state.apply", "a")

    assert outcome.code == 1
    assert 'salt://a.sls:2 (base): file.managed: "user" is a list, expected text or a number' in outcome.err
    assert "salt://a.sls:2 (base): file.managed: the argument 'replaces' is not known" in outcome.err
    assert "nearest: 'replace'" in outcome.err
