"""`state.undo` on real files: random trees, killed jobs, files that must not be recorded."""

import os
import random

import pytest
import yaml

from tests.support.file_trees import plant, random_states, snapshot

CUT = """\
import os, signal
from salt_g import safe_files
from salt_g.process import disk
from salt_g.safe_files.recording import before_change

def before(name):
    with safe_files.located(name, follow=False) as place:
        before_change(place)
        os.kill(os.getpid(), signal.SIGKILL)

def after(name):
    disk.rewrite(name, b"half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def tree(salt_g):
    """Return a directory for states to change."""
    path = salt_g.root / "tree"
    path.mkdir()
    return path


@pytest.fixture
def run(salt_g):
    """Run states given as data, recorded for undo."""

    def apply(states, **settings):
        salt_g.write({"t.sls": yaml.safe_dump(states)})
        return salt_g("state.apply", "t", state_undo=True, **settings)

    return apply


@pytest.mark.parametrize("seed", range(8))
def test_a_random_run_undone_leaves_the_tree_as_it_was(salt_g, tree, run, seed):
    rng = random.Random(seed)
    plant(tree, rng)
    salt_g.write({"many/one": "1\n", "many/deep/two": "2\n"})
    before = snapshot(tree)

    run(random_states(tree, rng))
    changed = snapshot(tree)
    undone = salt_g("state.undo", "last", state_undo=True) if changed != before else None

    assert snapshot(tree) == before, undone
    if undone is not None:
        assert undone.value["left"] == {}
        salt_g("state.undo", salt_g_jid_of_undo(salt_g))
        assert snapshot(tree) == changed


def salt_g_jid_of_undo(machine):
    """Return the newest recorded job, which is the undo."""
    return sorted(os.listdir(machine.root / "cache" / "undo"))[-1]


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_run_that_is_killed_can_be_undone(salt_g, tree, run, moment):
    salt_g.write({"_states/cut.py": CUT})
    salt_g("saltutil.sync_states")
    (tree / "a").write_text("one\n")
    (tree / "b").write_text("two\n")
    before = snapshot(tree)

    run(
        {
            "first": {"file.managed": [{"name": str(tree / "a")}, {"contents": "new"}]},
            "then": {f"cut.{moment}": [{"name": str(tree / "b")}]},
        }
    )
    assert snapshot(tree) != before
    undone = salt_g("state.undo", "last", state_undo=True)

    if moment == "after":
        assert undone.value["left"] == {str(tree / "b"): "the job ended while it changed this"}
        assert undone.code == 1
        assert salt_g("state.undo", "last", "force=True", state_undo=True).value["result"] is True
    assert snapshot(tree) == before


def test_secrets_and_hidden_states_are_not_kept_and_named(salt_g, tree, run):
    (salt_g.pillar / "top.sls").write_text("base: {'*': [p]}")
    (salt_g.pillar / "p.sls").write_text("password: Planted-secret-1")
    (tree / "secret").write_text("pw=Planted-secret-1\n")
    (tree / "hidden").write_text("private\n")

    run(
        {
            "secret": {"file.managed": [{"name": str(tree / "secret")}, {"contents_pillar": "password"}]},
            "hidden": {"file.managed": [{"name": str(tree / "hidden")}, {"contents": "x"}, {"no_log": True}]},
        },
        pillar_secrets=["password"],
    )

    for path in (salt_g.root / "cache" / "undo").rglob("*"):
        if path.is_file():
            assert b"UGxhbnRlZC1zZWNyZXQt" not in path.read_bytes()
            assert b"cHJpdmF0ZQ" not in path.read_bytes()
    assert salt_g("state.undo", "last", "test=True").value["left"] == {
        str(tree / "secret"): "its old content is not kept (secret)",
        str(tree / "hidden"): "its old content is not kept (no_log)",
    }


def test_without_the_setting_nothing_is_recorded_and_the_error_names_it(salt_g, tree):
    salt_g.write({"t.sls": yaml.safe_dump({str(tree / "a"): {"file.managed": [{"contents": "x"}]}})})
    salt_g("state.apply", "t")

    refused = salt_g("state.undo", "last", as_json=False)

    assert not (salt_g.root / "cache" / "undo").exists()
    assert refused.code == 1
    assert "state_undo: True" in refused.err
