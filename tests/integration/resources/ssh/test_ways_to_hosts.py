"""Ways to reach hosts: keys, passphrases, passwords, jump hosts, sudo; errors when they fail."""

import os
import pathlib
import socket
import time

import pytest


@pytest.fixture(scope="module")
def server(place):
    return place.sshd("ways", authentication="PasswordAuthentication yes")


def trouble(outcome):
    return " ".join(outcome.err.split())


def test_a_key_with_a_passphrase_opens(place, server, reach):
    settings = place.settings(server, priv=f"{place.root}/locked", priv_passwd="a passphrase")

    found = reach({"web-01": settings})("cmd.run", "id -un", tgt="web-01")

    assert found.value == "root"
    assert "a passphrase" not in found.err


def test_a_password_opens(place, server, reach, account):
    settings = place.settings(server, user=account[0], passwd=account[1], priv=None)

    found = reach({"web-01": settings})("cmd.run", "id -un", tgt="web-01")

    assert found.value == account[0]
    assert account[1] not in found.err


@pytest.mark.parametrize("wrong", ["passwd", "priv_passwd", "priv"])
def test_a_refused_login_is_reported(place, server, reach, account, wrong):
    settings = {
        "passwd": place.settings(server, user=account[0], passwd="not it", priv=None),
        "priv_passwd": place.settings(server, priv=f"{place.root}/locked", priv_passwd="not it"),
        "priv": place.settings(server, priv=f"{server.root}/host"),
    }[wrong]

    found = reach({"web-01": settings})("test.ping", tgt="web-01")

    assert found.value is False
    assert "refuses the login" in trouble(found)
    assert "not it" not in found.err


def test_an_unknown_host_key_is_refused_with_what_to_do(place, server, reach, tmp_path):
    (tmp_path / "known_hosts").write_text("")
    settings = place.settings(server, known_hosts_file=str(tmp_path / "known_hosts"))

    found = reach({"web-01": settings})("test.ping", tgt="web-01")

    assert found.value is False
    assert "is not known: refused" in trouble(found)
    assert "ssh-keyscan" in trouble(found)


def test_a_changed_host_key_is_refused_with_what_to_do(place, server, reach, tmp_path):
    other = place.sshd(f"other-{time.time_ns()}")
    line = other.known_line.replace(str(other.port), str(server.port))
    (tmp_path / "known_hosts").write_text(line)
    settings = place.settings(server, known_hosts_file=str(tmp_path / "known_hosts"))

    found = reach({"web-01": settings})("cmd.run", "id", tgt="web-01")

    assert found.code == 1
    assert "is not the one in" in str(found.value) + trouble(found)
    assert "ssh-keygen -R" in str(found.value) + trouble(found)


@pytest.mark.parametrize("option", ["no_host_keys", "ignore_host_keys"])
def test_checking_of_host_keys_can_be_switched_off(place, server, reach, tmp_path, option):
    known = tmp_path / "known_hosts"
    known.write_text("")
    settings = place.settings(server, known_hosts_file=str(known), **{option: True})

    assert reach({"web-01": settings})("test.ping", tgt="web-01").value is True
    assert (known.read_text() == "") == (option == "no_host_keys")


def test_a_closed_port_is_reported(place, server, reach):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    settings = {**place.settings(server), "port": port}

    found = reach({"web-01": settings, "web-02": place.settings(server)})("test.ping")

    assert found.value["web-01"] is False
    assert found.value["web-02"] is True
    assert f"root@127.0.0.1:{port} cannot be reached" in trouble(found)
    assert "Connection refused" in trouble(found)


def test_a_host_that_sends_nothing_is_left_after_its_time(place, server, reach):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        settings = {**place.settings(server), "port": listener.getsockname()[1], "timeout": 2}

        found = reach({"mute": settings, "web-02": place.settings(server)})("test.ping")

    assert (found.value["mute"], found.value["web-02"]) == (False, True)
    assert "mute" in trouble(found)


def test_a_host_is_reached_through_others(place, server, reach):
    behind, between = place.sshd(f"behind-{time.time_ns()}"), place.sshd(f"between-{time.time_ns()}")
    jumps = [f"root@127.0.0.1:{server.port}", f"root@127.0.0.1:{between.port}"]
    settings = place.settings(behind, proxy_jump=jumps)

    found = reach({"web-01": settings})("cmd.run", "echo $SSH_CONNECTION", tgt="web-01")

    assert found.value.endswith(f" {behind.port}")
    assert b"direct-tcpip" in between.log.read_bytes() or b"Accepted publickey" in between.log.read_bytes()


@pytest.mark.parametrize("tag", ["NOPASSWD:", ""])
def test_sudo_makes_root_with_and_without_a_password(place, server, reach, account, sudoers, tag, tmp_path):
    sudoers(tag)
    tmp_path.chmod(0o755)
    settings = place.settings(server, user=account[0], passwd=account[1], priv=None, sudo=True)
    call = reach({"web-01": settings})

    assert call("cmd.run", "id -un; cat", "stdin=mine", tgt="web-01").value.split() == ["root", "mine"]
    done = call("state.single", "file.managed", "/root/sg-by-sudo", "contents=x", tgt="web-01")
    try:
        assert [one["result"] for one in done.value.values()] == [True]
        assert os.stat("/root/sg-by-sudo").st_uid == 0
    finally:
        pathlib.Path("/root/sg-by-sudo").unlink(missing_ok=True)


def test_sudo_that_is_refused_is_reported(place, server, reach, account):
    settings = place.settings(server, user=account[0], passwd=account[1], priv=None, sudo=True)

    found = reach({"web-01": settings})("test.ping", tgt="web-01")

    assert found.value is False
    assert "refuses" in trouble(found)
    assert "NOPASSWD" in trouble(found)


def test_settings_that_cannot_be_used_are_reported_without_their_value(place, server, reach):
    settings = place.settings(server, ssh_options=["secret of mine"], passwd={"secret": "of mine"})

    found = reach({"web-01": settings})("test.ping", tgt="web-01")

    assert found.value is False
    assert "of ssh host web-01 " in trouble(found)
    assert "of mine" not in found.err


@pytest.mark.parametrize("kind", ["passwd", "priv_passwd"])
def test_a_jump_host_does_not_see_the_secrets_of_the_host_behind_it(place, server, reach, account, kind):
    by_password = "PasswordAuthentication yes\nPubkeyAuthentication no"
    jump = place.sshd(f"asks-{time.time_ns()}", authentication=by_password)
    hop = f"{account[0]}@127.0.0.1:{jump.port}"
    secrets = {
        "passwd": {"user": account[0], "passwd": account[1], "priv": None},
        "priv_passwd": {"priv": f"{place.root}/locked", "priv_passwd": "a passphrase"},
    }[kind]

    # The same user at the same address: by its words, the jump's question is the host's.
    found = reach({"web-01": place.settings(server, proxy_jump=[hop], **secrets)})("test.ping", tgt="web-01")

    assert found.value is False
    assert b"Accepted" not in jump.log.read_bytes()
    assert b"Failed password" not in jump.log.read_bytes()


def test_a_login_shell_that_runs_no_commands_is_reported(place, reach):
    closed = place.sshd("closed", authentication="PasswordAuthentication no\nForceCommand echo go away")

    found = reach({"web-01": place.settings(closed)})("test.ping")

    assert "no command runs there (go away)" in trouble(found)
