"""Pipes of renderers that a text requests."""

import pytest

from salt_g.render.pipe import PipeStep, parse_pipe, requested_pipe


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
        ("jinja|yaml", [PipeStep("jinja"), PipeStep("yaml")]),
        ("jinja -s | yaml", [PipeStep("jinja", "-s"), PipeStep("yaml")]),
        ("yaml_jinja", [PipeStep("jinja"), PipeStep("yaml")]),
        ("json_mako", [PipeStep("mako"), PipeStep("json")]),
        ("stateconf -o yaml . jinja", [PipeStep("stateconf", "-o yaml . jinja")]),
    ],
)
def test_a_pipe_is_parsed_into_steps(pipe, steps):
    assert parse_pipe(pipe) == steps


def test_forbidden_renderers_drop_out_of_the_pipe():
    assert parse_pipe("jinja|yaml", blacklist=["jinja"]) == [PipeStep("yaml")]
    assert parse_pipe("jinja|yaml", whitelist=["jinja"]) == [PipeStep("jinja")]
