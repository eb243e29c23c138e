import logging

import pytest

from salt_g import output
from salt_g.formats.ordered import Ordered
from salt_g.output import registry


def test_asking_for_highstate_is_the_same_as_not_asking():
    assert output.outputter_for("highstate", "nested") == "nested"
    assert output.outputter_for("highstate", "highstate") == "highstate"
    assert output.outputter_for("highstate") == "nested"


def test_the_users_outputter_wins_over_that_of_the_function():
    assert output.outputter_for("json", "highstate") == "json"


def test_unknown_names_are_logged_and_shown_as_nested(caplog):
    with caplog.at_level(logging.ERROR):
        text = output.render("nosuch", {"a": 1}, {})

    assert text == "a:\n    1"
    assert "Invalid outputter nosuch" in caplog.text


def test_a_mistyped_name_gets_the_nearest(caplog):
    output.render("jsn", {"a": 1}, {})

    assert "Invalid outputter jsn specified, fall back to nested (did you mean json?)" in caplog.text


def test_names_of_forgotten_outputters_are_not_logged(caplog):
    text = output.render("grains", {"a": 1}, {})

    assert text == "a:\n    1"
    assert not caplog.records


def test_plugins_of_users_serve_names_that_are_not_ours():
    plugins = {"shout.output": lambda data, **kwargs: f"{data}!{kwargs['_retcode']}\n"}

    assert output.render("shout", "x", {}, retcode=2, plugins=plugins) == "x!2"


def test_a_plugin_that_fails_is_logged_and_the_data_shown_as_nested(caplog):
    text = output.render("broken", {"a": 1}, {}, plugins={"broken.output": lambda data, **kwargs: 1 / 0})

    assert text == "a:\n    1"
    assert "outputter broken failed" in caplog.text


def test_a_table_form_with_unknown_places_falls_back_to_nested():
    state = {"result": True, "changes": {}, "comment": "", "__run_num__": 0}
    opts = {"state_output": "terse", "state_tabular": "{99}", "state_verbose": True}

    text = output.render("highstate", {"local": {"a_|-b_|-c_|-d": state}}, opts)

    assert text.startswith("local:\n    ----------\n    a_|-b_|-c_|-d:")


def test_data_that_an_outputter_cannot_show_is_shown_as_nested():
    assert output.render("key", [1, 2], {}) == "- 1\n- 2"


@pytest.mark.parametrize("name", registry.names())
def test_every_outputter_shows_a_mapping_by_minion(name):
    text = output.render(name, {"local": {"a": "b"}}, {})

    assert isinstance(text, str)
    assert not text.endswith("\n")


@pytest.mark.parametrize("name", ["quiet", "no_out", "progress"])
def test_quiet_shows_nothing(name):
    assert output.render(name, {"local": "text"}, {}) == ""


@pytest.mark.parametrize("name", ["raw", "pprint", "txt"])
def test_the_order_of_a_mapping_is_not_named_in_output(name):
    assert "{'b': [{'c': 2}]}" in output.render(name, {"local": Ordered(b=[Ordered(c=2)])}, {})


def test_values_alone_stand_on_lines_of_their_own():
    data = {"a": {"x": [1, "two"]}, "b": None}

    assert output.render("newline_values_only", data, {}) == "1\ntwo\nNone"


def test_overstatestage_shows_stages_and_what_they_hold():
    data = [{"web": {"match": "web*", "sls": ["a"]}}]

    assert output.render("overstatestage", data, {}) == "web: \n    match: 'web*'\n    sls: ['a']"


def test_json_without_order_keeps_it_and_pretty_sorts():
    data = {"b": 1, "a": {1, 2}.__class__}

    assert output.render("json", {"b": 1, "a": 2}, {"output_indent": -1}) == '{"b": 1, "a": 2}'
    assert output.render("json", {"b": 1, "a": 2}, {"output_indent": "pretty"}).startswith('{\n    "a"')
    assert "<class" in output.render("json", data, {})
