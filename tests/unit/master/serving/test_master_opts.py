"""Master settings served to minions, and top data of other sources."""

import pytest

from salt_g.master.commands import serve
from salt_g.master.serving.master_opts import MasterOpts
from salt_g.wire.aes import Crypticle
from salt_g.wire.requests import SealedRequest


@pytest.fixture
def ask(tmp_path):
    """Return a function that asks a master with these settings."""

    def run(cmd, settings, **load):
        base = {"cachedir": str(tmp_path), "extension_modules": str(tmp_path / "ext"), "id": "master"}
        duty = MasterOpts({**base, **settings}, lambda: ["base", "dev"])
        request = SealedRequest("m1", {"cmd": cmd, **load}, "", Crypticle.generate(), "", "", 3)
        return serve(duty.commands(), request)[0]

    return run


def test_minions_learn_what_state_runs_need_and_nothing_else(ask):
    settings = {"renderer": "jinja|yaml", "failhard": True, "default_top": "base", "key_pass": "secret"}

    result = ask("_master_opts", settings)
    of_envs = ask("_master_opts", settings, env_only=True)

    assert result["file_roots"] == {"base": [], "dev": []}
    assert result["failhard"] is True and "key_pass" not in result
    assert of_envs == {
        "file_roots": {"base": [], "dev": []},
        "default_top": "base",
        "env_order": None,
        "top_file_merging_strategy": None,
    }


def test_without_sources_there_is_no_top_data(ask):
    assert ask("_master_tops", {}, opts={"id": "m1"}) == {}
    assert ask("_ext_nodes", {}) == {}


def test_a_classifier_is_queried_about_the_sender(ask, tmp_path):
    program = tmp_path / "classify"
    program.write_text('#!/bin/sh\necho "environment: prod\nclasses: {web: , $1: }"\n')
    program.chmod(0o755)
    settings = {"master_tops": {"ext_nodes": str(program), "no_such": True}}

    assert ask("_master_tops", settings, opts={"id": "other"}) == {"prod": ["web", "m1"]}


def test_a_source_that_fails_is_left_out(ask, caplog):
    assert ask("_master_tops", {"master_tops": {"ext_nodes": "false"}}, opts={}) == {}
    assert "the node classifier failed for m1" in caplog.text
