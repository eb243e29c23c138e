"""Secrets: they stay with their owners, even at the lowest log level (property 18).

The name of a state is part of its low tag, even with `no_log`, so secrets are in its other arguments here.
"""

import json
import pathlib
import re

import pytest

from tests.support.peers import Peer, ask_clear, run

LOGGING = {"log_level": "trace", "log_level_logfile": "trace"}
LOGIN = {"eauth": "sharedsecret", "username": "fred", "password": "SECRET-password"}
WRONG = {**LOGIN, "password": "SECRET-mistyped"}
JOB = {"cmd": "publish", "fun": "test.ping", "arg": [], "tgt": "*", "ret": "", "jid": ""}
FILES = {
    "states/top.sls": "base:\n  '*': [web]\n",
    "states/web.sls": """
from_pillar:
  file.managed:
    - name: {{ opts.root_dir }}/out
    - contents_pillar: db:password
    - mode: '0600'
    - show_changes: False
from_template:
  file.managed:
    - name: {{ opts.root_dir }}/out2
    - source: salt://t
    - template: jinja
    - show_changes: False
quiet_command:
  cmd.run:
    - name: echo $WORD; echo $WORD >&2; exit 1
    - env:
      - WORD: {{ pillar.db.password }}
    - no_log: True
quiet_failure:
  test.configurable_test_state:
    - changes: False
    - result: False
    - comment: SECRET-comment
    - no_log: True
quiet_crash:
  broken.state:
    - name: x
    - word: {{ pillar.db.password }}
    - no_log: True
""",
    "states/_states/broken.py": (
        "def state(name, word):\n    raise RuntimeError('I was given ' + word)\n"
        "def fine(name):\n    return {'name': name, 'result': True, 'changes': {}, 'comment': ''}\n"
    ),
    "states/t": "password = {{ pillar['db']['password'] }}\n",
    "states/bad_yaml.sls": "{{ pillar.db.password }}: [\n",
    "states/bad_jinja.sls": "a: {{ pillar.db.password.no.such }}\n",
    "pillar/top.sls": "base:\n  '*': [db]\n  'm2': [broken]\n",
    "pillar/db.sls": "db:\n  password: SECRET-pillar\n",
    "pillar/broken.sls": "key: SECRET-of-broken-pillar: x: [\n",
}


@pytest.fixture(scope="module")
def pair_of_daemons(fleet):
    """Return (a master, its minion m1), both at the lowest log level."""
    start_master, start_minion = fleet
    master = start_master(
        **LOGGING,
        external_auth={"sharedsecret": {"fred": [".*", "@runner", "@wheel"]}},
        sharedsecret=LOGIN["password"],
    )
    for name, text in FILES.items():
        path = master.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    minion = start_minion(master, **LOGGING)
    return master, minion


def logs(*daemons):
    """Return all logs of daemons, from standard error and files."""
    files = [pathlib.Path(daemon.settings["log_file"]) for daemon in daemons]
    return "\n".join([daemon.log() for daemon in daemons] + [path.read_text() for path in files])


def command_lines():
    """Return the command lines and titles of all processes."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        for name in ("cmdline", "comm"):
            try:
                found.append((process / name).read_text(errors="replace"))
            except OSError:
                continue
    return "\n".join(found)


def shown(text):
    """Return the secrets found in a text, with their context."""
    return re.findall(r".{0,60}SECRET-[a-z-]+.{0,20}", text)


def events_text(follower, master):
    """Return all events so far as text."""
    run(master, "run", "event.send", "end/of/test")
    return json.dumps(follower("end/of/test"), default=str)


def test_a_highstate_reveals_no_secret_of_pillar_or_quiet_states(pair_of_daemons, follow):
    master, minion = pair_of_daemons
    follower = follow(master)

    synced = run(master, "cmd", "m1", "saltutil.sync_states")
    applied = run(master, "cmd", "m1", "state.apply")

    assert synced.code == 0, synced.out + synced.err
    assert (minion.root / "out").read_text() == "SECRET-pillar\n"
    assert (minion.root / "out2").read_text() == "password = SECRET-pillar\n"
    assert "Succeeded: 2" in applied.out, applied.out
    assert shown(logs(master, minion)) == []
    assert shown(events_text(follower, master)) == []
    assert shown(applied.out + applied.err) == []
    assert shown(command_lines()) == []


@pytest.mark.parametrize("sls", ["bad_yaml", "bad_jinja"])
def test_an_sls_that_cannot_be_read_shows_no_pillar(pair_of_daemons, sls):
    master, minion = pair_of_daemons

    run(master, "cmd", "m1", "state.apply", sls)

    assert shown(logs(master, minion)) == []


def test_pillar_that_cannot_be_read_is_not_shown(pair_of_daemons):
    master, minion = pair_of_daemons

    done = run(master, "run", "pillar.show_pillar", "m2")

    assert "broken" in done.out
    assert "SECRET-of" not in done.out + done.err
    assert shown(logs(master, minion)) == []


def test_passwords_and_tokens_reach_nobody(pair_of_daemons, follow):
    master, minion = pair_of_daemons
    follower = follow(master)

    made = ask_clear(master, {"cmd": "mk_token", **LOGIN})
    for proof in (LOGIN, {"token": made["token"]}):
        assert "load" in ask_clear(master, {**JOB, "kwargs": proof})
        for call in ({"fun": "test.arg", "kwarg": {}}, {"fun": "test.arg"}):
            assert "jid" in ask_clear(master, {"cmd": "runner", **call, **proof})
        for call in ({"fun": "key.list_all", "kwarg": {}}, {"fun": "key.list_all"}):
            assert "data" in ask_clear(master, {"cmd": "wheel", **call, **proof})

    events, text = events_text(follower, master), logs(master, minion)
    assert shown(events + text + command_lines()) == []
    assert made["token"] not in events + text
    assert shown(run(master, "run", "jobs.list_jobs", "--out=json").out) == []


def test_nor_are_those_of_logins_that_fail(pair_of_daemons, follow):
    master, minion = pair_of_daemons
    follower = follow(master)

    assert "error" in ask_clear(master, {**JOB, "jid": "20260101000000000000", "kwargs": WRONG})
    assert "error" in ask_clear(master, {"cmd": "runner", "fun": "test.arg", **WRONG})
    assert ask_clear(master, {**LOGIN, "cmd": "mk_token", "eauth": "none"}) == ""

    assert shown(events_text(follower, master) + logs(master, minion)) == []


def test_a_login_in_the_arguments_of_a_runner_is_not_reported(pair_of_daemons, follow):
    master, minion = pair_of_daemons
    follower = follow(master)
    named = [f"{name}={value}" for name, value in LOGIN.items()]

    done = run(master, "run", "auth.mk_token", *named)

    token = re.search("[0-9a-f]{64}", done.out)[0]
    jobs = run(master, "run", "jobs.list_jobs", "--out=json").out
    kept = b"".join(path.read_bytes() for path in master.cachedir.rglob("*") if path.is_file())
    assert token.encode() not in kept
    assert shown(jobs) == []
    assert shown(events_text(follower, master) + logs(master, minion)) == []


def test_keys_are_not_logged(pair_of_daemons):
    master, minion = pair_of_daemons
    peer = Peer(master, "m3", 0).sign_in()
    peer.ask({"cmd": "_master_opts"})

    text = logs(master, minion)

    for key in (peer.grant.publish.text, peer.grant.session.text):
        assert key.decode() not in text
    assert master.root_key not in text
    assert "PRIVATE KEY" not in text


def test_secrets_of_the_settings_are_not_for_minions(pair_of_daemons):
    master, _ = pair_of_daemons
    peer = Peer(master, "m4", 1).sign_in()

    assert shown(json.dumps(peer.ask({"cmd": "_master_opts"}), default=str)) == []


def test_a_pillar_of_another_is_in_no_event(pair_of_daemons, follow):
    master, _ = pair_of_daemons
    follower = follow(master)

    run(master, "cmd", "m1", "saltutil.refresh_pillar", "wait=True")
    shown_items = run(master, "cmd", "m1", "pillar.items", "--out=json")

    assert shown(events_text(follower, master)) == []
    assert shown(shown_items.out) == []
