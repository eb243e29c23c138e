"""Mistakes of beginners: each error names the problem, its location and the remedy."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import threading
import types

import pytest
import yaml

from tests.support.commands import Machine, outcome_of
from tests.support.daemons import RunningMinion
from tests.support.waiting import until


def start_by_hand(root, role, **settings):
    """Start a daemon in the foreground on a fresh config directory; return its outcome."""
    conf = root / "by-hand"
    conf.mkdir()
    (conf / role).write_text(yaml.safe_dump({"root_dir": str(root / "machine"), **settings}))
    return outcome_of([Machine.program, role, "-c", str(conf)])


def test_a_port_that_is_taken_is_named_without_a_traceback(daemon_root):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        ended = start_by_hand(
            daemon_root, "master", interface="127.0.0.1", publish_port=port, ret_port=0, user=_me()
        )

    assert ended.code == 1
    assert f"master cannot run: cannot listen on tcp://127.0.0.1:{port}: another program" in ended.err
    assert "Traceback" not in ended.err


def test_one_port_for_both_duties_is_reported_before_the_start(daemon_root):
    ended = start_by_hand(daemon_root, "master", publish_port=4506)

    assert ended.code == 64
    assert ended.err.endswith("publish_port and ret_port are both 4506: give each its own port\n")


def test_a_second_start_names_the_first(start_master):
    master = start_master()

    ended = outcome_of([Machine.program, "master", "-c", str(master.config_dir)])

    assert ended.code == 1
    assert "master cannot run: it is already running with process id" in ended.err


def test_a_malformed_target_is_distinguished_from_one_that_selects_no_minion(start_master, salt):
    master = start_master()

    malformed = salt(master, "-C", "( web*", "test.ping")
    nobody = salt(master, "web*", "test.ping")

    assert malformed.code == nobody.code == 2
    assert "salt-g cmd: target '( web*': a closing parenthesis is missing\n" in malformed.err
    assert "parenthesis" not in nobody.err


def test_a_match_without_minions_reports_whether_there_are_any(start_master):
    master = start_master()

    found = outcome_of([Machine.program, "match", "-c", str(master.config_dir), "*"])

    assert (found.code, found.out) == (1, "")
    assert found.err == "salt-g match: no minion matches; no key is accepted (salt-g key -L)\n"


def test_a_mistyped_subcommand_is_reported(salt_g):
    ended = salt_g.run("mastr")

    assert ended.code == 255
    assert "perhaps you meant: salt-g master" in ended.err


def test_a_minion_without_a_function_is_reported_without_a_look_for_the_master(tmp_path):
    # An address for documentation: a command that waits for it waits for a minute.
    (tmp_path / "minion").write_text(yaml.safe_dump({"root_dir": str(tmp_path), "master": "192.0.2.1"}))

    ended = outcome_of([Machine.program, "-c", str(tmp_path), "m1"])

    assert (ended.code, ended.out) == (255, "")
    assert ended.err == "'m1' is not available.\nsalt-g: a minion needs a function: salt-g m1 test.ping\n"


def test_a_mistyped_subcommand_with_options_is_reported_without_the_help_text(salt_g):
    ended = outcome_of([Machine.program, "keys", "-L", "-c", str(salt_g.conf)])

    assert (ended.code, ended.out) == (42, "")
    assert ended.err.startswith("salt-g: there is no subcommand 'keys': did you mean salt-g key?")


def test_a_target_whose_key_waits_says_how_to_accept_it(start_master, start_minion, salt):
    master = start_master(auto_accept=False)
    start_minion(master)

    ended = salt(master, "m1", "test.ping")
    other = salt(master, "web1", "test.ping")

    assert ended.code == other.code == 2
    assert "salt-g cmd: not accepted yet: m1; salt-g key -a m1, or -A for all\n" in ended.err
    assert "salt-g cmd: no key is accepted; `salt-g key -L` lists them" in other.err


@pytest.mark.parametrize("words", [["run", "jobs.list_jobs"], ["run", "jobs.last_run"]])
def test_a_store_that_no_master_has_made_is_reported_in_one_line(tmp_path, words):
    (tmp_path / "master").write_text(yaml.safe_dump({"root_dir": str(tmp_path)}))

    ended = outcome_of([Machine.program, *words[:1], "-c", str(tmp_path), *words[1:]])

    assert ended.code == 1
    assert "store.sqlite: does not exist: no master has run with these settings; start one" in ended.out
    assert "Traceback" not in ended.out + ended.err


@pytest.mark.parametrize(
    "words", [["*", "test.ping"], ["run", "jobs.list_jobs"], ["key", "-L"], ["event"], ["match", "*"]]
)
def test_a_missing_config_directory_is_not_a_reason_to_take_another(tmp_path, words):
    missing, file = tmp_path / "nowhere", tmp_path / "master"
    file.write_text("")

    nowhere = outcome_of([Machine.program, *words, "-c", str(missing)])
    beside = outcome_of([Machine.program, *words, "-c", str(file)])

    assert nowhere.code == beside.code == 64
    assert nowhere.err == f"config directory '{missing}' does not exist; correct -c, or create it\n"
    assert beside.err.endswith(f"is a file; give the directory that contains it: -c {tmp_path}\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one:\n\ttest.nop: []\n", "line 2 is indented with a tab, use spaces"),
        ("{{ salt['nosuch.fun']() }}", "'salt' has no function 'nosuch.fun'"),
        ("{{ salt['test.pong']() }}", "'salt' has no function 'test.pong' (did you mean test.ping"),
        ("\n{{ salt.test.pong() }}", "'salt' has no function 'test.pong' (did you mean test.ping"),
        ("{{ salt.nosuch.fun() }}", "'salt' has no function 'nosuch'"),
        ("a:\n  file:\n    - name: /a\n", "write the function after the module: file.managed, not file"),
        ("a:\n  test.nop:\n    name: b\n", "write each argument on a line of its own that begins with '- '"),
        ("a:\n  test.nop:\n    - require: [{test: a}]\n", "remove one of the requisites"),
        (
            "/nosuch/d/f:\n  file.managed:\n    - contents: x\n",
            "/nosuch/d does not exist: makedirs: True creates it",
        ),
        ("/etc/hostname:\n  file.replace:\n    - pattern: (\n    - repl: x\n", "file.replace: failed with "),
        ("include: [b/c]\n", "an SLS is named with dots and without .sls: b.c"),
        (
            "#!jinja|yamll\na: test.nop\n",
            "\"yamll\" is not available (pipe \"jinja|yamll\") in SLS 'a'; nearest: 'yaml'",
        ),
        ("", "no states: the SLS of this run declare none; state.show_sls"),
    ],
)
def test_a_mistake_in_an_sls_is_reported_with_what_to_write(salt_g, text, expected):
    (salt_g.states / "a.sls").write_text(text)

    assert expected in salt_g("state.apply", "a").err


def test_a_master_shows_where_a_mistake_in_an_sls_is(start_master, start_minion):
    master = start_master()
    start_minion(master)
    (master.root / "states" / "a.sls").write_text("\n{{ salt['test.pong']() }}\n")

    ended = outcome_of([Machine.program, "-c", str(master.config_dir), "m1", "state.apply", "a"])

    assert "salt://a.sls:2 (base): 'salt' has no function 'test.pong' (did you mean test.ping" in ended.err


def test_a_command_whose_master_dies_says_how_to_find_the_job(start_master, start_minion):
    master = start_master(open_mode=True)
    start_minion(master)
    command = subprocess.Popen(
        [Machine.program, "-c", str(master.config_dir), "--show-jid", "m1", "test.sleep", "30"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    jid = command.stdout.readline().split()[-1]

    master.kill()
    err = command.communicate(timeout=60)[1]

    assert command.returncode == 2
    assert f"salt-g run jobs.lookup_jid {jid}" in err


@pytest.fixture
def banner_port():
    """Yield a port whose service sends an SSH banner."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_greet, args=(server,), daemon=True).start()
        yield server.getsockname()[1]
        # Wakes the thread up: closing alone leaves it in accept.
        server.shutdown(socket.SHUT_RDWR)


def _greet(server):
    with contextlib.suppress(OSError), contextlib.ExitStack() as kept:
        while True:
            kept.enter_context(peer := server.accept()[0])
            peer.sendall(b"SSH-2.0-OpenSSH_9.2p1\r\n")


@pytest.fixture
def closed_port():
    """Return a port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def test_a_minion_at_a_closed_port_logs_it_before_its_first_try_ends(start_minion, closed_port):
    minion = start_minion(_at(closed_port), auth_timeout=600)

    result = f"no connection to 127.0.0.1:{closed_port} (Connection refused): start the master"
    until(lambda: result in minion.log(), "log")
    assert "`master_port`" in minion.log()


def test_a_minion_at_the_publish_port_learns_the_right_port(start_master, start_minion):
    master = start_master()
    minion = start_minion(_at(master.publish_port), auth_timeout=600)

    until(lambda: f"127.0.0.1:{master.publish_port} is a publish_port" in minion.log(), "log")
    assert "set `master_port` to the master's ret_port (4506 " in minion.log()


def test_a_minion_at_another_service_logs_the_banner_of_that_service(start_minion, banner_port):
    minion = start_minion(_at(banner_port), auth_timeout=600)

    until(lambda: "is not a Salt master; it says 'SSH-2.0-OpenSSH_9.2p1'" in minion.log(), "log")


def test_a_call_at_another_service_ends_at_once(start_minion, banner_port):
    minion = start_minion(_at(banner_port), auth_timeout=600)

    ended = outcome_of([Machine.program, "call", "-c", str(minion.config_dir), "test.ping"])

    assert ended.code == 2
    assert ended.err.startswith(
        f"salt-g call: 127.0.0.1:{banner_port} is not a Salt master; it says 'SSH-2.0"
    )


def test_a_minion_with_another_transport_than_its_master_names_the_settings_that_differ(
    start_master, start_minion
):
    master = start_master(transport="tcp")
    minion = start_minion(master, auth_timeout=600)

    result = f"127.0.0.1:{master.ret_port} ends connections: give `transport` and `ssl` the values"
    until(lambda: result in minion.log(), "log")


def test_a_publish_port_that_is_the_ret_port_is_reported_with_the_right_one(start_master, start_minion):
    master = start_master()
    minion = start_minion(master, publish_port=master.ret_port)

    result = f"is not a publish_port of a master; the master says {master.publish_port}: remove"
    until(lambda: result in minion.log(), "log")
    assert f"remove `publish_port: {master.ret_port}` from the minion's settings" in minion.log()


def test_a_second_host_with_the_same_id_learns_it(start_master, start_minion, daemon_root):
    master = start_master()
    start_minion(master)
    other = RunningMinion(daemon_root / "other", id="m1", master=f"127.0.0.1:{master.ret_port}").start()
    try:
        until(lambda: "another host uses the id 'm1' (set another `id:` here)" in other.log(), "log")
        called = outcome_of([Machine.program, "call", "-c", str(other.config_dir), "test.ping"])
    finally:
        other.stop()

    assert "m1: key denied: another key is accepted for this id" in master.log()
    assert called.code == 2
    assert "another host uses the id 'm1'" in called.err


def test_two_hosts_with_one_id_and_one_key_are_reported_to_the_master(
    start_master, start_minion, daemon_root, salt
):
    master = start_master()
    first = start_minion(master)
    clone = RunningMinion(daemon_root / "clone", id="m1", master=f"127.0.0.1:{master.ret_port}")
    shutil.copytree(first.root / "pki", clone.root / "pki")
    clone.start()
    try:
        salt(master, "m1", "config.get", "cachedir")
        until(lambda: "If two hosts use this id and key (a cloned disk): remove" in master.log(), "log")
    finally:
        clone.stop()


def test_a_wrong_fingerprint_is_reported_with_the_right_one(start_master, start_minion):
    master = start_master()
    minion = start_minion(master, master_finger="aa:bb")

    until(lambda: "which is not master_finger; compare it with the line master.pub" in minion.log(), "log")
    finger = outcome_of([Machine.program, "key", "-c", str(master.config_dir), "-f", "master.pub"]).out
    assert finger.split()[-1] in minion.log()


def test_a_rejected_minion_ends_with_one_line(start_master, start_minion):
    master = start_master()
    minion = start_minion(master)

    words = ("-r", "m1", "-y", "--include-accepted")
    rejected = outcome_of([Machine.program, "key", "-c", str(master.config_dir), *words])
    assert rejected.code == 0, rejected.err
    until(lambda: not minion.is_running(), "its end")

    minion.stop(code=1)
    (line,) = [line for line in minion.log().splitlines() if "CRITICAL" in line]
    assert "minion shuts down: master" in line
    assert "it rejects the key of this minion" in line
    assert "Traceback" not in minion.log()


def test_a_job_right_after_an_acceptance_reaches_the_new_minion(start_master, start_minion):
    master = start_master(auto_accept=False)
    minion = start_minion(master, acceptance_wait_time=4)
    until(lambda: "salt-g key -a m1; asking again in 4 s" in minion.log(), "the minion asks")

    accepted = outcome_of([Machine.program, "key", "-c", str(master.config_dir), "-A", "-y"])
    up = outcome_of([Machine.program, "run", "-c", str(master.config_dir), "manage.up", "--out=json"])

    assert accepted.code == 0
    assert json.loads(up.out) == ["m1"]


@pytest.mark.parametrize(
    ("content", "expected"), [("", "the file is empty"), ("-----BEGIN RSA PRIV", "a key cannot be read")]
)
def test_a_damaged_master_key_is_reported_with_its_path(daemon_root, content, expected):
    key = daemon_root / "machine/etc/salt/pki/master/master.pem"
    key.parent.mkdir(parents=True)
    key.write_text(content)

    ended = start_by_hand(daemon_root, "master", ret_port=0, publish_port=0, user=_me())

    assert ended.code == 1
    assert f"master cannot run: {key}: {expected}" in ended.err
    assert "restore it from a backup, or move it away" in ended.err


@pytest.mark.parametrize("role", ["master", "minion"])
def test_a_private_key_that_others_can_read_is_reported_at_the_start(start_master, start_minion, role):
    master = start_master()
    daemon = master if role == "master" else start_minion(master)
    daemon.stop()
    key = daemon.root / f"pki/{role}.pem"
    key.chmod(0o644)

    daemon.start()

    assert f"{key} has mode 0644: other users can read it: chmod 400 {key}" in daemon.log()


def test_a_damaged_minion_key_is_reported_by_daemon_and_call(start_master, start_minion):
    minion = start_minion(start_master())
    minion.stop()
    key = minion.root / "pki/minion.pem"
    key.chmod(0o600)
    key.write_text("garbage")

    for words in (["minion"], ["call", "test.ping"]):
        ended = outcome_of([Machine.program, *words[:1], "-c", str(minion.config_dir), *words[1:]])
        assert ended.code in (1, 2)
        assert f"{key}: a key cannot be read" in ended.err
        assert "salt-g key -d ID on the master" in ended.err


def _at(port):
    """Return the argument for `start_minion` of a master with this ret_port."""
    return types.SimpleNamespace(ret_port=port)


def _me():
    import pwd

    return pwd.getpwuid(os.getuid()).pw_name
