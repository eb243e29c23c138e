"""`state.undo` of files on hosts behind sshd: random trees, edited paths, secrets, a killed run."""

import os
import random

import pytest
import yaml

from tests.support.file_trees import plant, random_states, snapshot

KILLED = """\
#!py
import os

def run():
    return {
        "one": {"file.managed": [{"name": "TREE/one"}, {"contents": "2"}]},
        "two": {"file.directory": [{"name": "TREE/a/b"}, {"makedirs": True}]},
        "end": {"cmd.run": [{"name": f"kill -9 {os.getpid()}"}]},
    }
"""


@pytest.fixture(scope="module")
def server(place):
    return place.sshd("undo")


@pytest.fixture
def host(host_of, server):
    """Return a function of a host: `host(function, ...)` calls one; `host.apply(states)` records states."""
    return host_of(server)


@pytest.fixture
def host_of(place, reach, salt_g, tmp_path):
    """Return a function that returns such a host, by its server."""
    return lambda server: _host(reach({"web-01": place.settings(server)}), salt_g.root, tmp_path / "tree")


def _host(call, root, tree):

    def on_host(*words, **options):
        return call(*words, tgt="web-01", state_undo=True, **options)

    def apply(states, **options):
        call.write({"t.sls": yaml.safe_dump(states)})
        return on_host("state.apply", "t", **options)

    on_host.write, on_host.apply = call.write, apply
    on_host.store = root / "cache/undo-resources/ssh%3Aweb-01"
    on_host.tree = tree
    on_host.tree.mkdir()
    return on_host


@pytest.mark.parametrize("seed", range(6))
def test_a_random_run_on_a_host_undone_leaves_its_tree_as_it_was(host, seed):
    rng = random.Random(seed)
    plant(host.tree, rng)
    host.write({"many/one": "1\n", "many/deep/two": "2\n"})
    before = snapshot(host.tree)

    applied = host.apply(random_states(host.tree, rng))
    changed = snapshot(host.tree)
    tried = host("state.undo", "last", "test=True") if changed != before else None
    assert snapshot(host.tree) == changed
    undone = host("state.undo", "last") if changed != before else None

    assert snapshot(host.tree) == before, (applied.value, undone)
    if undone is not None:
        assert (undone.code, undone.value["left"]) == (0, {})
        assert undone.value["restored"] == tried.value["restored"]
        # The way back is recorded as well.
        jids = sorted(os.listdir(host.store))
        host("state.undo", jids[-1])
        assert snapshot(host.tree) == changed


def test_paths_of_all_states_of_files_come_back(host):
    for name, text in (("old", "o"), ("settings", "port=80\n"), ("moved from", "m"), ("kept", "k")):
        (host.tree / name).write_text(text)
    (host.tree / "full/deep").mkdir(parents=True)
    (host.tree / "full/deep/x").write_bytes(b"\0binary\n" * 3000)
    (host.tree / "to").symlink_to("kept")
    before = snapshot(host.tree)
    host.write({"site/a": "a", "site/b/c": "c"})
    top = host.tree
    states = {
        "absent": {"file.absent": [{"name": f"{top}/full"}]},
        "replace": {"file.replace": [{"name": f"{top}/settings"}, {"pattern": "80"}, {"repl": "81"}]},
        "through a link": {"file.append": [{"name": f"{top}/to"}, {"text": "more"}]},
        "link": {"file.symlink": [{"name": f"{top}/new/l"}, {"target": "x"}, {"makedirs": True}]},
        "site": {"file.recurse": [{"name": f"{top}/site"}, {"source": "salt://site"}]},
        "copy": {"file.copy": [{"name": f"{top}/copied"}, {"source": f"{top}/kept"}]},
        "give one a name": {"file.hardlink": [{"name": f"{top}/hard"}, {"target": f"{top}/old"}]},
        "move": {"module.run": [{"file.move": [f"{top}/moved from", f"{top}/moved to"]}]},
        "its mode": {"module.run": [{"file.set_mode": [f"{top}/hard", "0600"]}]},
        "tidied": {"file.tidied": [{"name": f"{top}"}, {"matches": ["^settings$"]}, {"size": 0}]},
    }

    applied = host.apply(states)
    assert applied.code == 0, applied.value
    undone = host("state.undo", "last")

    assert snapshot(host.tree) == before, undone.value
    assert undone.code == 0
    assert [one["fun"] for one in undone.value["not_reversible"]] == ["module.run"] * 2


def test_an_edited_path_is_left_and_no_secret_is_kept(host):
    for name in ("edited", "hidden", "full"):
        (host.tree / name).write_text("old")
    managed = {"contents": "new"}
    states = {
        "edited": {"file.managed": [{"name": f"{host.tree}/edited"}, managed]},
        "hidden": {"file.managed": [{"name": f"{host.tree}/hidden"}, managed, {"no_log": True}]},
        "directory": {"file.directory": [{"name": f"{host.tree}/d"}]},
    }
    host.apply(states)
    (host.tree / "edited").write_text("by hand")
    (host.tree / "d/other").write_text("")

    undone = host("state.undo", "last")
    forced = host("state.undo", "last", "force=True")

    assert undone.code == 1
    assert undone.value["left"] == {
        f"{host.tree}/edited": "edited since",
        f"{host.tree}/hidden": "its old content is not kept (no_log)",
        f"{host.tree}/d": "not empty",
    }
    assert f"{host.tree}/edited" in forced.value["restored"]
    assert (host.tree / "edited").read_text() == "old"


def test_a_run_that_is_killed_on_the_way_is_undone(host):
    (host.tree / "one").write_text("1")
    before = snapshot(host.tree)
    host.write({"t.sls": KILLED.replace("TREE", str(host.tree))})

    killed = host("state.apply", "t")
    undone = host("state.undo", "last")

    assert killed.code != 0
    assert snapshot(host.tree) == before, undone


def test_a_host_that_is_away_is_an_error_in_words(place, host_of):
    server = place.sshd("away")
    host = host_of(server)
    (host.tree / "f").write_text("1")
    host.apply({"f": {"file.managed": [{"name": f"{host.tree}/f"}, {"contents": "2"}]}})

    server.stop()
    undone = host("state.undo", "last")

    assert undone.code != 0
    assert "Cannot read the files that job" in undone.value
    assert "Traceback" not in f"{undone.value}"
