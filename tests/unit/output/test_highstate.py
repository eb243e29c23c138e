"""Effects of the settings on printed runs; `test_recorded.py` compares many more byte by byte."""

import itertools

import pytest

from salt_g import output


def state(name, result=True, *, changes=None, number=0, duration=1.0, **more):
    tag = f"{more.pop('module', 'test')}_|-{more.get('__id__', name)}_|-{name}_|-run"
    return {
        tag: {
            "name": name,
            "result": result,
            "changes": changes or {},
            "comment": f"about {name}",
            "__run_num__": number,
            "__id__": name,
            "__sls__": "a",
            "start_time": "12:00:00.000000",
            "duration": duration,
            **more,
        }
    }


def show(*states, **settings):
    run = dict(itertools.chain(*(single.items() for single in states)))
    opts = {"state_verbose": True, "state_output": "full", **settings}
    return output.render("highstate", {"local": run}, opts)


def shown_names(text):
    return [line.split("Name: ")[1].split(" - ")[0] for line in text.splitlines() if "Name: " in line]


THREE = (
    state("same", number=1),
    state("changed", changes={"new": "x"}, number=0),
    state("failed", False, number=2),
)


def test_states_are_in_the_order_in_which_they_ran():
    assert shown_names(show(*THREE, state_output="terse")) == ["changed", "same", "failed"]


@pytest.mark.parametrize("setting", [{"state_verbose": False}, {"state_output_diff": True}])
def test_states_that_were_as_wanted_can_be_hidden(setting):
    text = show(*THREE, state_output="terse", **setting)

    assert shown_names(text) == ["changed", "failed"]
    assert "Total states run:     3" in text


def test_mixed_shows_failures_in_full():
    text = show(*THREE, state_output="mixed")

    assert shown_names(text) == ["changed", "same"]
    assert "          ID: failed\n" in text


def test_changes_shows_only_what_was_as_wanted_in_a_line():
    assert shown_names(show(*THREE, state_output="changes")) == ["same"]


def test_filter_hides_and_shortens_by_result():
    text = show(*THREE, state_output="filter", state_output_exclude="True", state_output_terse=["False"])

    assert shown_names(text) == ["failed"]
    assert "          ID:" not in text


def test_the_command_line_filters_before_the_settings():
    words = [{"__kwarg__": True, "exclude": "False,None"}]

    text = show(*THREE, state_output="filter", state_output_exclude="True", arg=words)

    assert text.count("          ID:") == 2


def test_forms_with_id_show_the_id_as_name():
    text = show(state("/etc/file", __id__="config"), state_output="full_id")

    assert "        Name:" not in text
    assert "          ID: config\n" in text


def test_names_of_one_id_can_be_joined():
    states = [state(f"/f{n}", __id__="files", number=n, duration=1.5) for n in range(3)]

    text = show(*states, state_output="terse_id", state_compress_ids=True, state_output_profile=True)

    assert shown_names(text) == ["files (3)"]
    assert "Duration: 4.5 ms" in text
    assert "Succeeded: 3\n" in text


def test_data_that_cannot_be_joined_is_shown_as_it_is(caplog):
    text = output.render("highstate", {"local": ["error"]}, {"state_compress_ids": True})

    assert "Data failed to compile:" in text
    assert "Unable to compress" in caplog.text


def test_the_summary_may_have_percentages():
    text = show(*THREE, state_output_pct=True)

    assert "Success %: 66.67\n" in text
    assert "Failure %: 33.33\n" in text


def test_states_in_parallel_count_with_the_longest():
    states = [state(f"p{n}", number=n, duration=100.0 * n, __parallel__=True) for n in (1, 2, 3)]

    text = show(*states, state("alone", duration=50.0), state_output_profile=True)

    assert text.endswith("Total run time: 350.000 ms")


def test_long_times_are_shown_in_seconds():
    assert show(state("a", duration=1234.5), state_output_profile=True).endswith("Total run time:   1.234 s")


def test_a_users_own_line_form_is_used():
    text = show(state("a", changes={"x": 1}), state_output="terse", state_tabular="{2}.{3}: {1} {4}")

    assert text.startswith("local:\ntest.run: a Changed\n")


def test_warnings_are_counted_and_wrapped():
    text = show(state("a", warnings=["word " * 30]))

    assert "    Warnings: word word" in text
    assert max(map(len, text.splitlines())) <= 80
    assert "Warnings:  1\n" in text


def test_braces_in_warnings_and_names_are_text():
    text = show(state("{0}", warnings=["{1} {x}"]), state_output="terse")

    assert "{1} {x}" in text
    assert shown_names(text) == ["{0}"]


def test_states_without_a_number_are_named():
    broken = state("a")
    del broken["test_|-a_|-a_|-run"]["__run_num__"]

    assert show(broken).startswith("local:\nThe State execution failed to record the order")


def test_the_value_of_a_function_counts_as_a_change():
    assert output.render("highstate", {"local": "one\ntwo"}, {}) == "local:\n    one\n    two"


def test_other_data_is_shown_as_nested():
    assert output.render("highstate", [{"a": 1}], {}) == output.render("nested", [{"a": 1}], {})


def test_evidence_and_verdict_stand_below_the_changes():
    reason = {
        "verdict": "fail: a required state failed",
        "because": ["b: failed"],
        "requisites": ["b: failed", "c: ok"],
    }
    text = show(state("a", False, evidence="line 1\nline 2", explanation=reason))

    assert text.split("Changes:")[1].splitlines()[1:6] == [
        "    Evidence: line 1",
        "              line 2",
        "     Verdict: fail: a required state failed",
        "              b: failed",
        "              c: ok",
    ]


def test_fields_of_another_shape_are_left_out():
    assert "Verdict" not in show(state("a", explanation="text", evidence=["list"]))
