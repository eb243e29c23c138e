"""Renderers that a text requests."""

import pytest

from salt_g.render.pipe import Step, parse_pipe, requested_pipe


@pytest.mark.parametrize(
    ("line", "pipe"),
    [
        ("#!jinja|json\n", "jinja|json"),
        ("#!py", "py"),
        ("#!/bin/sh\n", "default"),
        ("a: b\n", "default"),
        ("# !yaml", "default"),
    ],
)
def test_the_first_line_names_the_pipe_unless_it_is_a_path(line, pipe):
    assert requested_pipe(line, "default") == pipe


@pytest.mark.parametrize(
    ("pipe", "steps"),
    [
        ("jinja|yaml", [Step("jinja"), Step("yaml")]),
        ("jinja -s | yaml", [Step("jinja", "-s"), Step("yaml")]),
        ("yaml_jinja", [Step("jinja"), Step("yaml")]),
        ("json_mako", [Step("mako"), Step("json")]),
        ("stateconf -o yaml . jinja", [Step("stateconf", "-o yaml . jinja")]),
    ],
)
def test_a_pipe_is_parsed_into_steps(pipe, steps):
    assert parse_pipe(pipe) == steps


def test_forbidden_renderers_drop_out_of_the_pipe():
    assert parse_pipe("jinja|yaml", blacklist=["jinja"]) == [Step("yaml")]
    assert parse_pipe("jinja|yaml", whitelist=["jinja"]) == [Step("jinja")]
