"""Pillar printed by commands."""

import pytest

from salt_g.pillar.sources.commands import cmd_json, cmd_yaml


@pytest.fixture
def printed(call_context):
    """Return a function that sets the output of commands, and returns the list of executed ones."""

    def make(text):
        ran = []

        def run(command, **options):
            ran.append(command)
            return text

        call_context(functions={"cmd.run": run, "cmd.run_stdout": run})
        return ran

    return make


@pytest.mark.parametrize(("source", "text"), [(cmd_yaml, "a: [1]"), (cmd_json, '{"a": [1]}')])
def test_the_output_is_the_pillar_and_the_id_is_filled_in(printed, source, text):
    ran = printed(text)

    assert source("m1", {}, "give %s %s") == {"a": [1]}
    assert ran == ["give m1 m1"]


@pytest.mark.parametrize(("source", "kind"), [(cmd_yaml, "YAML"), (cmd_json, "JSON")])
def test_output_that_cannot_be_read_is_logged_and_adds_nothing(printed, source, kind, caplog):
    printed("a: [1")

    assert source("m1", {}, "give") == {}
    assert caplog.messages == [f"the output of external pillar command 'give' is not {kind}"]
