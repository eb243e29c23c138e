"""Processes that compile pillar for a master: the same results, and none is lost when one is killed."""

import json
import os
import pathlib
import signal
from concurrent.futures import ThreadPoolExecutor

from support.waiting import DEADLINE, until

TREE = {
    "top.sls": "base:\n  '*': [who, deep]\n  'os:no such*':\n    - match: grain\n    - never\n",
    "who.sls": (
        "{% from 'map.jinja' import base with context %}\n"
        "id: {{ grains.id }}\n"
        "from_opts: {{ opts.id }}\nbase: {{ base }}\nsalt: {{ salt['test.echo']('x') }}\n"
        "words: {{ ('caf\\u00e9', 1.5, none, true) | json }}\n0644: [a, 'b']\n"
    ),
    "map.jinja": "{% set base = grains.id ~ '-based' %}\n",
    "deep.sls": "include: [more]\nover: {a: 1}\n",
    "more.sls": "over: {b: [1, 2]}\nbytes: !!binary aGVsbG8=\n",
}
FAULTY = {"top.sls": "base: {'*': [faulty]}\n", "faulty.sls": "ok: 1\nwrong: {{ grains.id.no_such.thing }}\n"}


def trees(root, files):
    root.mkdir(exist_ok=True)
    for name, text in files.items():
        (root / name).write_text(text)
    return {"pillar_roots": {"base": [str(root)]}}


def children_of(pid):
    """Ids of the pillar workers of a master."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                name = (entry / "comm").read_text().strip()
            except OSError:
                continue
            if int(fields[1]) == pid and name == "salt-pillar":
                found.append(int(entry.name))
    return found


def pillar_of(master, minion, salt):
    """Return the pillar that the minion gets now, compiled anew."""
    outcome = salt(master, minion.id, "pillar.items", "pillarenv=base")
    assert outcome.code == 0, outcome
    return json.loads(outcome.out)[minion.id]


def test_results_are_those_of_a_master_without_workers(start_master, start_minion, salt, tmp_path):
    settings = trees(tmp_path / "pillar", TREE)
    (tmp_path / "ext.py").write_text(
        "print('{\"from_program\": [\"' + __import__('sys').argv[1] + '\", 1]}')\n"
    )
    settings["ext_pillar"] = [{"cmd_json": f"python3 {tmp_path}/ext.py %s"}]
    master = start_master(pillar_workers=0, **settings)
    minion = start_minion(master, pillar_mask_output=False)

    without = pillar_of(master, minion, salt)
    assert children_of(master.pid) == []
    master.stop()
    master.settings["pillar_workers"] = 2
    master.start()
    until(lambda: len(children_of(master.pid)) == 2, "both workers run")
    until(lambda: minion.is_connected, "the minion is back")

    assert pillar_of(master, minion, salt) == without
    assert without["id"] == "m1"
    assert without["from_program"] == ["m1", 1]
    assert without["over"] == {"a": 1, "b": [1, 2]}


def test_errors_name_file_and_line_in_the_masters_log(start_master, start_minion, salt, tmp_path):
    settings = trees(tmp_path / "pillar", FAULTY)
    master = start_master(pillar_workers=1, **settings)
    minion = start_minion(master, pillar_mask_output=False)

    got = pillar_of(master, minion, salt)

    assert got["_errors"] == ["Rendering SLS 'faulty' failed. Please see master log for details."]
    until(lambda: "no_such" in master.log(), "the worker's log is in the master's")
    assert "Rendering SLS 'faulty' failed" in master.log()
    assert "faulty.sls" in master.log()
    assert "; line 2" in master.log()


def test_a_worker_killed_in_the_middle_is_replaced_and_its_request_is_answered(
    start_master, start_minion, salt, tmp_path
):
    began, may_end = tmp_path / "began", tmp_path / "may_end"
    program = f"echo $$ >> {began}; while [ ! -e {may_end} ]; do sleep 0.05; done; echo answer: 42"
    settings = trees(tmp_path / "pillar", {"top.sls": "base: {'*': [x]}\n", "x.sls": "x: 1\n"})
    (tmp_path / "slow.sh").write_text(program)
    may_end.touch()
    master = start_master(pillar_workers=1, ext_pillar=[{"cmd_yaml": f"sh {tmp_path}/slow.sh"}], **settings)
    minion = start_minion(master, pillar_mask_output=False)
    until(lambda: children_of(master.pid), "the worker runs")
    pillar_of(master, minion, salt)
    may_end.unlink()
    began.unlink()

    with ThreadPoolExecutor() as others:
        asked = others.submit(pillar_of, master, minion, salt)
        until(began.exists, "the worker compiles")
        (killed,) = children_of(master.pid)
        os.kill(killed, signal.SIGKILL)
        until(lambda: len(began.read_text().split()) == 2, "another one compiles the same")
        may_end.touch()
        answered = asked.result(timeout=DEADLINE)

    assert answered["answer"] == 42
    assert children_of(master.pid) != [killed]
    assert "a pillar worker has ended (signal 9) and is restarted" in master.log()


def test_workers_end_with_their_master_however_it_ends(start_master, tmp_path):
    master = start_master(pillar_workers=2, **trees(tmp_path / "pillar", TREE))
    until(lambda: len(children_of(master.pid)) == 2, "both workers run")
    workers = children_of(master.pid)

    master.kill()

    for pid in workers:
        until(lambda pid=pid: not pathlib.Path(f"/proc/{pid}").exists(), "the worker has ended")
    master.start()
