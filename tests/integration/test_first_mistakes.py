"""What somebody who is new to it does wrong, and what is then said: each time what, where and what to do."""

import os
import socket
import subprocess

import yaml
from support.commands import Machine, outcome_of


def start_by_hand(root, role, **settings):
    """Start a daemon in the foreground on a fresh config directory; return how it ended."""
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


def test_a_second_start_names_the_first(start_master):
    master = start_master()

    ended = outcome_of([Machine.program, "master", "-c", str(master.config_dir)])

    assert ended.code == 1
    assert "master cannot run: it is already running with process id" in ended.err


def test_a_malformed_target_is_told_from_one_that_means_nobody(start_master, salt):
    master = start_master()

    malformed = salt(master, "-C", "( web*", "test.ping")
    nobody = salt(master, "web*", "test.ping")

    assert malformed.code == nobody.code == 2
    assert "salt-g cmd: " in malformed.err and "salt-g cmd: " not in nobody.err


def test_a_match_of_nobody_says_whether_there_is_anybody(start_master):
    master = start_master()

    found = outcome_of([Machine.program, "match", "-c", str(master.config_dir), "*"])

    assert (found.code, found.out) == (1, "")
    assert found.err == "salt-g match: no minion matches; no key is accepted (salt-g key -L)\n"


def test_a_mistyped_subcommand_is_told(salt_g):
    ended = salt_g.run("mastr")

    assert ended.code == 255
    assert "perhaps you meant: salt-g master" in ended.err


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


def _me():
    import pwd

    return pwd.getpwuid(os.getuid()).pw_name
