"""`state.undo` for real: random trees, jobs that are killed, files that must not be kept."""

import os
import pathlib
import random
import stat

import pytest
import yaml

#: Names of a random tree; a name may be a file, a link or a directory.
NAMES = ["a", "b", "c", "d/a", "d/b", "d/e/a", "f/a", "f/g/a"]
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
    """A directory that states change."""
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


def snapshot(top):
    """Return {path: (kind, mode, owner, content or target)} of all below a directory."""
    found = {}
    for folder, folders, names in os.walk(top):
        for name in (*folders, *names):
            path = os.path.join(folder, name)
            status = os.lstat(path)
            if stat.S_ISLNK(status.st_mode):
                content, mode = os.readlink(path), 0
            else:
                content = "" if os.path.isdir(path) else pathlib.Path(path).read_bytes()
                mode = status.st_mode
            found[path] = (stat.S_IFMT(status.st_mode), mode, status.st_uid, status.st_gid, content)
    return found


def plant(top, rng):
    """Make a random tree."""
    for name in NAMES:
        path = top / name
        kind = rng.choice(["none", "file", "file", "link", "directory"])
        if kind == "none" or not _has_room(top, path):
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if kind == "file":
            path.write_bytes(rng.randbytes(rng.choice([0, 10, 9000])))
            path.chmod(rng.choice([0o644, 0o600, 0o755]))
        elif kind == "link":
            path.symlink_to(rng.choice(["a", "nowhere", "d"]))
        else:
            path.mkdir(mode=rng.choice([0o755, 0o700]))


def _has_room(top, path):
    inside = [parent for parent in path.parents if parent.is_relative_to(top)]
    return not os.path.lexists(path) and all(
        not os.path.lexists(one) or (one.is_dir() and not one.is_symlink()) for one in inside
    )


def random_states(top, rng):
    """Return random states of files; some of them fail, which must make no difference."""
    states = {}
    for number in range(rng.randint(5, 12)):
        path = str(top / rng.choice([*NAMES, "new", "new/x/y", "d", "f"]))
        other = str(top / rng.choice(NAMES))
        function, arguments = rng.choice(
            [
                ("file.managed", [{"contents": f"text {number}"}, {"makedirs": True}, {"mode": "0640"}]),
                ("file.managed", [{"contents": "x" * 5000}, {"makedirs": True}, {"force": True}]),
                ("file.absent", []),
                ("file.directory", [{"makedirs": True}, {"mode": "0711"}]),
                ("file.directory", [{"force": True}, {"clean": True}]),
                ("file.directory", [{"file_mode": "0604"}, {"dir_mode": "0705"}, {"recurse": ["mode"]}]),
                ("file.symlink", [{"target": other}, {"makedirs": True}, {"force": True}]),
                ("file.append", [{"text": f"line {number}"}, {"makedirs": True}]),
                ("file.copy", [{"source": other}, {"makedirs": True}, {"force": True}]),
                ("file.rename", [{"source": other}, {"makedirs": True}, {"force": True}]),
                ("file.recurse", [{"source": "salt://many"}]),
                ("file.touch", [{"makedirs": True}]),
                ("file.hardlink", [{"target": other}, {"makedirs": True}, {"force": True}]),
            ]
        )
        states[f"s{number}"] = {function: [{"name": path}, *arguments]}
    return states


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
    """Return the newest recorded job, which is the undo itself."""
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


def test_without_the_setting_nothing_is_recorded_and_the_error_says_so(salt_g, tree):
    salt_g.write({"t.sls": yaml.safe_dump({str(tree / "a"): {"file.managed": [{"contents": "x"}]}})})
    salt_g("state.apply", "t")

    refused = salt_g("state.undo", "last", as_json=False)

    assert not (salt_g.root / "cache" / "undo").exists()
    assert refused.code == 1
    assert "state_undo: True" in refused.err
