"""Services of the master beside jobs: files of all backends, pillar, the mine."""

import json
import subprocess

import pytest

from salt_g.process.command import which
from tests.support.commands import PROGRAM
from tests.support.waiting import DEADLINE

needs_git = pytest.mark.skipif(which("git") is None, reason="git is not installed")


@pytest.fixture
def order():
    """Return a function that returns minions' returns by id: `order(master, "m1", "test.ping")`."""

    def run(master, *words):
        return _json(master, "cmd", "--static", "-t", "60", *words)

    return run


@pytest.fixture
def runner():
    """Return a function that returns a runner's result: `runner(master, "pillar.show_pillar", "m1")`."""

    def run(master, *words):
        return _json(master, "run", *words)

    return run


def _json(master, command, *words):
    finished = subprocess.run(
        [PROGRAM, command, "-c", str(master.config_dir), "--out=json", *words],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )
    assert finished.stdout.strip(), finished.stderr
    return json.loads(finished.stdout)


@pytest.fixture
def repository(make_origin):
    """Return a repository with one file whose content differs between `master` and `dev`."""
    made = make_origin("repository")
    (made.path / "run.sh").touch(0o755)
    made.commit(run_DOT_sh="#!/bin/sh\n")
    made.git("checkout", "--quiet", "-b", "dev")
    made.commit(run_DOT_sh="dev")
    return made


@needs_git
def test_a_state_takes_a_file_and_its_mode_out_of_a_repository(
    start_master, start_minion, order, runner, repository, tmp_path
):
    master = start_master(fileserver_backend=["roots", "git"], gitfs_remotes=[repository.url])
    made = tmp_path / "made"
    (master.root / "states" / "web.sls").write_text(
        f"{made}:\n  file.managed:\n    - source: salt://run.sh\n    - mode: keep\n"
    )
    start_minion(master)
    # The first fetch begins with the master, and is not waited for.
    runner(master, "fileserver.update")

    answer = order(master, "m1", "state.apply", "web")
    other = order(master, "m1", "cp.get_file_str", "salt://run.sh?saltenv=dev")
    envs = order(master, "m1", "cp.envs")

    assert [entry["result"] for entry in answer["m1"].values()] == [True]
    assert made.read_text() == "#!/bin/sh\n"
    assert made.stat().st_mode & 0o777 == 0o755
    assert other == {"m1": "dev"}
    assert envs == {"m1": ["base", "dev"]}


@needs_git
def test_pillar_out_of_a_repository_is_that_of_the_last_fetch(
    start_master, start_minion, order, runner, make_origin
):
    origin = make_origin("pillar")
    origin.commit(top_DOT_sls="base: {'*': [x]}", x_DOT_sls="from: git")
    master = start_master(ext_pillar=[{"git": [f"master {origin.url}"]}])
    start_minion(master)
    of_minion = ("m1", "pillar.items", "unmask=True")

    first = order(master, *of_minion)
    origin.commit(x_DOT_sls="from: later")
    second = order(master, *of_minion, "pillar={asked: anew}")
    updated = runner(master, "git_pillar.update")
    again = runner(master, "git_pillar.update", "branch=master")
    third = order(master, *of_minion, "pillar={asked: anew}")

    assert first == {"m1": {"from": "git"}}
    assert second == {"m1": {"from": "git", "asked": "anew"}}
    assert updated == {origin.url: True} and again == {origin.url: None}
    assert third == {"m1": {"from": "later", "asked": "anew"}}


def test_a_pushed_file_is_there_for_others(start_master, start_minion, order, tmp_path):
    master = start_master(file_recv=True, fileserver_backend=["roots", "minionfs"])
    content = bytes(range(256)) * 3000
    (tmp_path / "sent").write_bytes(content)
    start_minion(master)

    pushed = order(master, "m1", "cp.push", str(tmp_path / "sent"))
    name = f"m1{tmp_path}/sent"
    fetched = order(master, "m1", "cp.get_file", f"salt://{name}", str(tmp_path / "got"), "gzip=5")

    assert pushed == {"m1": True}
    assert fetched == {"m1": str(tmp_path / "got")}
    assert (tmp_path / "got").read_bytes() == content
    assert (master.cachedir / "minions" / "m1" / "files" / str(tmp_path / "sent")[1:]).read_bytes() == content


def test_pillar_errors_are_reported_and_nothing_runs(start_master, start_minion, order):
    master = start_master()
    (master.root / "pillar" / "top.sls").write_text("base:\n  '*': [there, missing, broken]\n")
    (master.root / "pillar" / "there.sls").write_text("a: 1\n")
    (master.root / "pillar" / "broken.sls").write_text("{{ nothing.at.all }}\n")
    (master.root / "states" / "web.sls").write_text("x: test.nop\n")
    start_minion(master)

    errors = order(master, "m1", "pillar.get", "_errors", "unmask=True")
    states = order(master, "m1", "state.apply", "web")

    assert errors["m1"] == [
        "Specified SLS 'missing' in environment 'base' is not available on the salt master",
        "Rendering SLS 'broken' failed. Please see master log for details.",
    ]
    assert states["m1"][0] == "Pillar failed to render with the following messages:"


def test_pillar_may_be_overridden_and_chosen_by_environment(start_master, start_minion, order, runner):
    master = start_master()
    (master.root / "dev").mkdir()
    for folder, text in (("pillar", "here"), ("dev", "dev")):
        (master.root / folder / "top.sls").write_text(
            f"{'base' if folder == 'pillar' else 'dev'}:\n  '*': [x]\n"
        )
        (master.root / folder / "x.sls").write_text(f"from: {text}\n")
    master.stop()
    master.settings["pillar_roots"] = {
        "base": [str(master.root / "pillar")],
        "dev": [str(master.root / "dev")],
    }
    master.start()
    start_minion(master)

    dev = order(master, "m1", "pillar.items", "pillarenv=dev", "unmask=True")
    over = order(master, "m1", "pillar.items", "pillar={from: me}", "pillarenv=base", "unmask=True")
    shown = runner(master, "pillar.show_pillar", "m1", "pillarenv=base")
    cached = runner(master, "cache.grains", "m1")

    assert dev == {"m1": {"from": "dev"}}
    assert over == {"m1": {"from": "me"}}
    assert shown == {"from": "here"}
    assert cached["m1"]["id"] == "m1"


def test_minions_share_through_the_mine(start_master, start_minion, order, runner):
    master = start_master()
    functions = {
        "test.ping": [],
        "who": {"mine_function": "grains.get", "key": "id"},
        "secret": [{"mine_function": "test.echo"}, "s", {"allow_tgt": "m1"}],
    }
    start_minion(master, id="m1", mine_functions=functions)
    start_minion(master, id="m2")

    updated = order(master, "m1", "mine.update")
    seen = order(master, "*", "mine.get", "*", "who,secret")
    by_runner = runner(master, "mine.get", "*", "who")
    order(master, "m1", "mine.delete", "who")
    left = order(master, "m2", "mine.get", "*", "who,test.ping")
    order(master, "m1", "mine.flush")

    assert updated == {"m1": True}
    assert seen == {
        "m1": {"who": {"m1": "m1"}, "secret": {"m1": "s"}},
        "m2": {"who": {"m1": "m1"}},
    }
    assert by_runner == {"m1": "m1"}
    assert left == {"m2": {"test.ping": {"m1": True}}}
    assert order(master, "m2", "mine.get", "*", "test.ping") == {"m2": {}}


def test_the_call_data_that_a_plugin_returns_becomes_plain(start_master, start_minion, salt):
    own = "def ext_pillar(minion_id, pillar, *args):\n    return {'opts': __opts__, 'facts': [__grains__]}\n"
    module = "def show():\n    return {'opts': __opts__, 'facts': [__grains__], 'env': __env__}\n"
    master = start_master(ext_pillar=[{"mirror": {}}], pillar_opts=True)
    for path, text in (("ext/pillar/mirror.py", own), ("states/_modules/mirror.py", module)):
        (master.root / path).parent.mkdir(parents=True, exist_ok=True)
        (master.root / path).write_text(text)
    master.stop()
    master.settings["extension_modules"] = str(master.root / "ext")
    master.start()
    start_minion(master)

    salt(master, "m1", "saltutil.sync_modules")
    pillar = salt(master, "m1", "pillar.items").minions["m1"]
    shown = salt(master, "m1", "mirror.show").minions["m1"]

    assert "file_roots" in pillar["opts"] and "kernel" in pillar["facts"][0]
    assert shown["opts"]["id"] == "m1" and shown["facts"][0]["kernel"] == "Linux" and shown["env"] == "base"


def test_an_external_pillar_calls_a_runner_of_the_master(start_master, start_minion, order, tmp_path):
    """Like the external pillar of saltext.vault, which requests the settings of the minion's connection."""
    asks = (
        "import salt.modules.saltutil\n\n\n"
        "def ext_pillar(minion_id, pillar, name):\n"
        "    keys = salt.modules.saltutil.runner(name, arg=['test.echo', 'hi'])\n"
        "    return {'told': keys, 'of': minion_id}\n"
    )
    (tmp_path / "asks.py").write_text(asks)
    master = start_master(ext_pillar=[{"asks": "salt.cmd"}], pillar_dirs=[str(tmp_path)])
    start_minion(master)

    assert order(master, "m1", "pillar.item", "told", "of", "unmask=True") == {
        "m1": {"told": "hi", "of": "m1"}
    }
