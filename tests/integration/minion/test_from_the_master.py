"""Data between minion and master besides jobs: plugins, tops, environments, pushed files, the mine."""

import json

import pytest

from tests.support.commands import Machine, outcome_of
from tests.support.waiting import until

#: A state module of users: `own.done` says so.
OWN_STATE = "def done(name):\n    return {'name': name, 'result': True, 'changes': {}, 'comment': 'own'}\n"


@pytest.fixture
def write():
    """Return a function that writes {path: text} below a folder of a master."""

    def put(folder, files):
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    return put


def test_plugins_of_every_kind_come_from_the_master(start_master, start_minion, salt, write, tmp_path):
    master = start_master()
    kept = tmp_path / "kept"
    files = {
        "_modules/mine_own.py": "def hello():\n    return 'hello ' + __grains__['colour']\n",
        "_grains/colour.py": "def colour():\n    return {'colour': 'green'}\n",
        "_states/own.py": (
            "def done(name):\n"
            "    hello = __salt__['mine_own.hello']()\n"
            "    return {'name': name, 'result': True, 'changes': {}, 'comment': hello}\n"
        ),
        "_returners/own.py": (
            f"def returner(ret):\n    with open({str(kept)!r}, 'a') as file:\n"
            "        file.write(ret['fun'] + '\\n')\n"
        ),
        "_beacons/own.py": (
            "def validate(config):\n    return True, 'fine'\n\ndef beacon(config):\n    return []\n"
        ),
    }
    write(master.root / "states", files)
    start_minion(master)

    synced = salt(master, "m1", "saltutil.sync_all").minions["m1"]

    expected = ["modules.mine_own", "grains.colour", "states.own", "returners.own", "beacons.own"]
    assert [synced[name.partition(".")[0]] for name in expected] == [[name] for name in expected]
    # Grains are gathered anew after the answer, as stock's minions do it.
    until(lambda: salt(master, "m1", "grains.get", "colour").minions == {"m1": "green"}, "the new grain")
    assert salt(master, "m1", "mine_own.hello", "--return=own").minions == {"m1": "hello green"}
    applied = salt(master, "m1", "state.single", "own.done", "x").minions["m1"]
    assert [entry["comment"] for entry in applied.values()] == ["hello green"]
    until(lambda: kept.exists() and kept.read_text() == "mine_own.hello\n", "the returner has it")
    added = salt(master, "m1", "beacons.add", "own", '[{"interval": 60}]').minions["m1"]
    assert added["result"] is True, added


def test_a_highstate_brings_the_plugins_that_its_states_need(start_master, start_minion, salt, write):
    master = start_master()
    write(
        master.root / "states",
        {
            "top.sls": "base:\n  '*': [use]\n",
            "use.sls": "x:\n  own.done: []\n",
            "_states/own.py": OWN_STATE,
        },
    )
    start_minion(master)

    applied = salt(master, "m1", "state.apply").minions["m1"]

    assert [entry["comment"] for entry in applied.values()] == ["own"]


def test_a_minion_that_may_not_load_them_does_not(start_master, start_minion, salt, write):
    master = start_master()
    write(
        master.root / "states",
        {
            "top.sls": "base:\n  '*': [use]\n",
            "use.sls": "x:\n  own.done: []\n",
            "_states/own.py": OWN_STATE,
        },
    )
    start_minion(master, autoload_dynamic_modules=False)

    applied = salt(master, "m1", "state.apply")

    assert "own.done" in json.dumps(applied.minions["m1"])
    assert applied.code != 0


def test_the_masters_tops_give_states(start_master, start_minion, salt, write):
    program = "#!/bin/sh\necho '{classes: [given]}'\n"
    master = start_master(master_tops={"ext_nodes": "/bin/false"})
    nodes = master.root / "nodes"
    nodes.write_text(program)
    nodes.chmod(0o755)
    master.stop()
    master.settings["master_tops"] = {"ext_nodes": str(nodes)}
    master.start()
    write(master.root / "states", {"given.sls": "x:\n  test.nop: []\n"})
    start_minion(master)

    applied = salt(master, "m1", "state.apply").minions["m1"]

    assert [entry["__sls__"] for entry in applied.values()] == ["given"]


def test_classes_in_files_of_the_master_give_states(start_master, start_minion, salt, write, daemon_root):
    classes = {
        "nodes/m1.yml": "classes: ['{{ __grains__.role }}']\nstates: [own]\n",
        "classes/web.yml": "states: [given]\n",
    }
    write(daemon_root / "classes", classes)
    master = start_master(master_tops={"saltclass": {"path": str(daemon_root / "classes")}})
    states = {f"{name}.sls": f"{name}:\n  test.nop: []\n" for name in ("given", "own")}
    write(master.root / "states", states)
    start_minion(master, grains={"role": "web"})

    applied = salt(master, "m1", "state.apply").minions["m1"]

    assert [entry["__sls__"] for entry in applied.values()] == ["given", "own"]


def test_environments_of_states_and_of_pillar_are_chosen_apart(
    start_master, start_minion, salt, write, daemon_root
):
    trees = {kind: daemon_root / kind for kind in ("dev", "base", "dev-pillar", "base-pillar")}
    for name in ("dev", "base"):
        write(trees[name], {"show.sls": f"x:\n  test.nop:\n    - name: {name}-{{{{ pillar.who }}}}\n"})
        pillar = {"top.sls": f"{name}:\n  '*': [who]\n", "who.sls": f"who: {name}\n"}
        write(trees[f"{name}-pillar"], pillar)
    master = start_master(
        file_roots={name: [str(trees[name])] for name in ("base", "dev")},
        pillar_roots={name: [str(trees[f"{name}-pillar"])] for name in ("base", "dev")},
    )
    start_minion(master)

    def shown(*words):
        ran = salt(master, "m1", "state.apply", "show", *words)
        return [entry["name"] for entry in ran.minions["m1"].values()]

    assert shown("saltenv=dev", "pillarenv=base") == ["dev-base"]
    assert shown("saltenv=base", "pillarenv=dev") == ["base-dev"]
    assert shown("pillarenv=dev", 'pillar={"who": "told"}') == ["base-told"]


def test_a_file_is_pushed_to_a_master_that_takes_them(start_master, start_minion, salt, tmp_path):
    master = start_master(file_recv=True)
    minion = start_minion(master)
    report = tmp_path / "report.txt"
    report.write_text("all is well\n" * 100_000)

    assert salt(master, "m1", "cp.push", report).minions == {"m1": True}

    pushed = master.cachedir / "minions" / minion.id / "files" / str(report).lstrip("/")
    assert pushed.read_text() == report.read_text()


def test_the_mine_gets_what_the_settings_name(start_master, start_minion, salt):
    master = start_master()
    start_minion(master, mine_functions={"test.echo": ["mined"]})

    salt(master, "m1", "mine.update")

    assert salt(master, "m1", "mine.get", "m1", "test.echo").minions == {"m1": {"m1": "mined"}}


def test_a_call_returns_its_metadata_too_and_nothing_with_no_return_event(start_master, start_minion, salt):
    master = start_master()
    minion = start_minion(master)
    call = [Machine.program, "call", "-c", str(minion.config_dir)]

    for words in (["--no-return-event", "test.echo", "x"], ["--set-metadata", "{ticket: 7}", "test.ping"]):
        assert outcome_of([*call, *words]).code == 0
    listed = outcome_of(
        [Machine.program, "run", "-c", str(master.config_dir), "jobs.list_jobs", "--out=json"]
    )

    jobs = json.loads(listed.out).values()
    assert [(job["Function"], job["Metadata"]) for job in jobs if job["Target"] == "m1"] == [
        ("test.ping", {"ticket": 7})
    ]
