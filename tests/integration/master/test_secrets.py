"""Secrets of pillar in everything that leaves a minion or a master: twenty planted values, real daemons."""

import contextlib
import json
import pathlib
import sqlite3
import subprocess

import pytest

from salt_g.process.known_secrets import forms_of
from tests.support.commands import Machine
from tests.support.waiting import until

#: Values with characters that notations write differently.
PLANTED = [f"Pl4nt-{number:02}{mark}x" for number, mark in enumerate("-'\"$ü/+&<%\\ ;|*?=#~é", start=10)]
PILLAR = "#!json\n" + json.dumps({"db": {f"n{n}": {"password": value} for n, value in enumerate(PLANTED)}})
#: Each state shows the values in another way.
SLS = """\
#!py
import base64, json, shlex, urllib.parse

def run():
    values = [one["password"] for one in __pillar__["db"].values()]
    text = "\\n".join(values)
    shown = [text, json.dumps(values), repr(values), urllib.parse.quote(text),
             base64.b64encode(text.encode()).decode()]
    command = "printf '%s\\n' " + " ".join(map(shlex.quote, [*values, *shown])) + "; exit 3"
    return {
        OUT: {"file.managed": [{"contents": "first\\n"}]},
        "diff": {"file.managed": [{"name": OUT}, {"contents": "\\n".join(shown)}]},
        "command": {"cmd.run": [{"name": command}]},
        "words": {"cmd.run": [{"name": "env; exit 1"}, {"env": [{"SHOWN": values[0]}]}]},
        "error": {"planted.fail": [{"values": values}]},
        "comment": {"test.configurable_test_state": [
            {"name": values[1]}, {"changes": True}, {"result": False}, {"comment": text}]},
        "event": {"event.send": [{"name": "planted/" + "event"}, {"data": {"values": values}}]},
    }
"""
STATE = """\
import logging

def fail(name, values):
    logging.getLogger(__name__).error("values: %s", values)
    raise ValueError(values)
"""


def shown_in(text):
    """Return the planted values that appear in a text, in any encoding."""
    return [value for value in PLANTED if any(form in text for form in forms_of(value))]


@pytest.fixture
def fleet(start_master, start_minion, daemon_root):
    """Return a master and its minion `a` with the planted pillar; both log at the lowest level."""
    master = start_master(pillar_secrets=["db:*:password"], log_level="trace", minion_data_cache=False)
    (master.root / "pillar" / "top.sls").write_text("base: {'*': [db]}\n")
    (master.root / "pillar" / "db.sls").write_text(PILLAR)
    tree = master.root / "states"
    (tree / "shown.sls").write_text(f"#!py\nOUT = {str(daemon_root / 'out')!r}\n{SLS.partition(chr(10))[2]}")
    (tree / "_states").mkdir()
    (tree / "_states" / "planted.py").write_text(STATE)
    minion = start_minion(master, "a", log_level="trace", state_events=True)
    return master, minion


def test_no_planted_value_is_in_any_output(fleet, salt, daemon_root):
    master, minion = fleet
    record = daemon_root / "record.json"
    with watched_events(master) as events:
        salt(master, "a", "saltutil.sync_all")
        ran = salt(master, "a", "state.apply", "shown", f"--out-record={record}", "--steps=json")
        outcomes = [
            ran,
            salt(master, "a", "state.apply", "shown", "--out=nested", as_json=False),
            salt(master, "a", "state.show_sls", "shown"),
            salt(master, "a", "state.show_lowstate"),
            salt(master, "a", "state.show_low_sls", "shown"),
            salt(master, "a", "pillar.get", "db", "unmask=True"),
            salt(master, "a", "cmd.run", PLANTED[0]),
            salt(master, "a", "planted.missing", PLANTED[2]),
            run_command(master, "run", "pillar.show_pillar", "a"),
            run_command(master, "run", "jobs.list_jobs"),
            *(run_command(master, "run", "jobs.lookup_jid", jid) for jid in jids_of(master)),
        ]
        until(lambda: "planted/event" in events.read_text(), "the event of the state")

    texts = {f"outcome {n}": one.out + one.err for n, one in enumerate(outcomes)}
    texts.update(master_log=master.log(), minion_log=minion.log(), events=events.read_text())
    texts.update(record=record.read_text(), store=stored_jobs(master))

    # What the caller typed himself is no secret of the minion's pillar to the master's log.
    assert {name: found for name, text in texts.items() if (found := shown_in(text))} == {}
    assert "<secret:db:n0:password>" in ran.out
    # Files have the values, and the states that were to fail have failed.
    assert shown_in((daemon_root / "out").read_text()) == PLANTED
    assert json.loads(record.read_text())["minions"]["a"]["states"]["failed"] == 4


def test_pillar_on_a_command_line_reaches_the_minion_and_nobody_else(fleet, salt, daemon_root):
    master, minion = fleet
    (master.root / "states" / "own.sls").write_text(
        f"{daemon_root / 'own'}:\n  file.managed:\n    - contents: {{{{ pillar.db.own.password }}}}\n"
    )
    pillar = json.dumps({"db": {"own": {"password": "Typed-value-77"}}})

    with watched_events(master) as events:
        command = [
            Machine.program,
            "a",
            "-c",
            str(master.config_dir),
            "state.apply",
            "own",
            f"pillar={pillar}",
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            until(
                lambda: b"pillar=****" in _command_line(process.pid) or process.poll() is not None,
                "the command line",
            )
            out = process.communicate(timeout=120)[0]
        until(lambda: "/ret/a" in events.read_text(), "the return")

    assert "Succeeded: 1" in out
    assert (daemon_root / "own").read_text() == "Typed-value-77\n"
    for text in (out, master.log(), minion.log(), events.read_text(), stored_jobs(master)):
        assert "Typed-value-77" not in text
    assert "<secret:db:own:password>" in stored_jobs(master)


def test_pillar_in_arguments_is_hidden_whatever_the_function_does_with_it(fleet, salt):
    master, minion = fleet
    pillar = json.dumps({"db": {"own": {"password": "Typed-value-78"}}})
    job = [f'job_kwargs={{"pillar": {pillar}}}', "function=test.ping", "seconds=9999"]

    outcomes = [
        salt(master, "a", "test.kwarg", f"pillar={pillar}"),
        salt(master, "a", "schedule.add", "later", *job),
        salt(master, "a", "schedule.list"),
    ]

    assert [one.code for one in outcomes] == [0, 0, 0]
    assert "<secret:db:own:password>" in outcomes[0].out
    texts = [one.out + one.err for one in outcomes]
    for text in (*texts, master.log(), minion.log(), stored_jobs(master)):
        assert "Typed-value-78" not in text


@contextlib.contextmanager
def watched_events(master):
    """Yield the file with all events fired during the block."""
    path = pathlib.Path(master.root) / "events.txt"
    with open(path, "w") as file:
        process = subprocess.Popen(
            [Machine.program, "event", "-c", str(master.config_dir)], stdout=file, stderr=subprocess.STDOUT
        )
        try:
            until(
                lambda: run_command(master, "run", "event.send", "begin") and "begin" in path.read_text(),
                "an event",
            )
            yield path
        finally:
            process.terminate()
            process.wait(60)


def run_command(master, word, *words):
    finished = subprocess.run(
        [Machine.program, word, "-c", str(master.config_dir), *words], capture_output=True, text=True
    )
    return _Ran(finished.stdout, finished.stderr)


class _Ran:
    def __init__(self, out, err):
        self.out, self.err = out, err


def jids_of(master):
    with contextlib.closing(sqlite3.connect(master.cachedir / "store.sqlite")) as store:
        return [jid for (jid,) in store.execute("SELECT jid FROM jobs")]


def stored_jobs(master):
    """Return the jobs and returns stored by the master, as text."""
    with contextlib.closing(sqlite3.connect(master.cachedir / "store.sqlite")) as store:
        rows = [*store.execute("SELECT load FROM jobs"), *store.execute("SELECT data FROM returns")]
    return b"\n".join(data for (data,) in rows).decode("utf-8", "replace")


def _command_line(pid):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""
