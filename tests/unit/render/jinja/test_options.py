"""Options of the environment, from the settings and from the file."""

import pytest

from salt_g.render.jinja.options import template_options


def options(text="x", *, is_sls=True, **opts):
    text, found = template_options(text, opts, is_sls=is_sls)
    return text, dict(found)


def test_sls_and_templates_have_settings_of_their_own():
    opts = {"jinja_sls_env": {"trim_blocks": True}, "jinja_env": {"lstrip_blocks": True}}

    assert options(**opts)[1] == {"trim_blocks": True}
    assert options(is_sls=False, **opts)[1] == {"lstrip_blocks": True}


def test_unknown_options_are_warned_of_and_left_out(caplog):
    assert options(jinja_sls_env={"autoescape": True, "TRIM_BLOCKS": True})[1] == {"trim_blocks": True}
    assert "autoescape is not recognized (jinja_sls_env)" in caplog.text


@pytest.mark.parametrize("setting", [None, "text", ["trim_blocks"]])
def test_a_setting_that_is_not_a_mapping_is_nothing(setting):
    assert options(jinja_sls_env=setting)[1] == {}


@pytest.mark.parametrize("first", ["", "#!jinja|yaml\n"])
def test_the_line_of_the_file_wins_and_is_cut_out(first):
    text, found = options(f'{first}#jinja2: {{"trim_blocks": false}}\nx\n', jinja_trim_blocks=True)

    assert (text, found) == (f"{first}x\n", {"trim_blocks": False})


@pytest.mark.parametrize("line", ["#jinja2: nonsense", "#jinja2: [1]", "#jinja2:"])
def test_a_line_that_is_not_a_json_object_stays(line):
    assert options(f"{line}\nx\n") == (f"{line}\nx\n", {})


def test_the_line_counts_at_the_top_only():
    text = 'x\n#jinja2: {"trim_blocks": true}\n'

    assert options(text) == (text, {})
    assert options('#!/bin/sh\n#jinja2: {"trim_blocks": true}\n')[1] == {}


def test_undefined_variables_are_an_option_as_well():
    assert options(allow_undefined=True)[1] == {"allow_undefined": True}
