"""Authorized keys and known hosts in a test's home, with the real ssh-keygen."""

import base64
import os
import shutil
import subprocess

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.formats import sshkey
from salt_g.modules import cmd, ssh
from salt_g.states import ssh_auth, ssh_known_hosts

needs_ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="OpenSSH's client is not installed")

KEY = "AAAAC3NzaC1lZDI1NTE5AAAAIJb1yBEx7sBaLkKW3kV6UbWfmtDn7uBBbqVQu8Xkd3dN"
OTHER = "AAAAC3NzaC1lZDI1NTE5AAAAIGJ3T4ZcSgOo0O4bK3M5lqIIO2N4w3bR8bqVQu8Xkd3d"


@pytest.fixture
def enter(tmp_path, call_context):
    """Return a function that enters a context where the user `me` has its home in tmp_path."""
    me = {"home": str(tmp_path), "uid": os.getuid(), "gid": os.getgid()}
    functions = {f"ssh.{name}": getattr(ssh, name) for name in ssh.__all__}
    functions |= {
        "user.info": lambda name: me if name == "me" else {},
        "user.list_users": lambda: ["me", "you"],
        "cmd.run_stdout": cmd.run_stdout,
        "cp.cache_file": lambda path, saltenv: path if os.path.exists(path) else "",
    }

    def enter(test=False):
        call_context(functions=functions, opts={"test": test})
        return tmp_path

    enter()
    return enter


def _file(place):
    return (place / ".ssh" / "authorized_keys").read_text()


def test_lines_are_taken_apart_and_put_together():
    line = sshkey.parse(f'from="a b",no-pty ssh-ed25519 {KEY} me and you')

    assert (line.enc, line.key, line.comment) == ("ssh-ed25519", KEY, "me and you")
    assert line.text() == f'from="a b",no-pty ssh-ed25519 {KEY} me and you'
    assert sshkey.parse("no key here") is None


def test_key_types_have_short_names():
    assert sshkey.key_type("rsa") == "ssh-rsa"
    assert sshkey.key_type("ecdsa-sha2-nistp521") == "ecdsa-sha2-nistp521"
    with pytest.raises(CommandExecutionError, match="Incorrect encryption key type 'x'"):
        sshkey.key_type("x")


def test_fingerprints_are_pairs_of_digits():
    assert sshkey.fingerprint("YQ==", "md5") == "0c:c1:75:b9:c0:f1:b6:a8:31:c3:99:e2:69:77:26:61"
    assert sshkey.fingerprint("not base64!") is None
    with pytest.raises(CommandExecutionError, match="fingerprint_hash_type nosuch is not supported"):
        sshkey.fingerprint("YQ==", "nosuch")


def test_a_key_is_new_then_there_then_replaced(enter):
    place = enter()

    words = [ssh.set_auth_key("me", KEY, "ed25519", "me") for _ in range(2)]
    words.append(ssh.set_auth_key("me", KEY, "ed25519", "me", options=["no-pty"]))

    assert words == ["new", "no change", "replace"]
    assert _file(place) == f"no-pty ssh-ed25519 {KEY} me\n"
    assert (place / ".ssh").stat().st_mode & 0o777 == 0o700
    assert (place / ".ssh" / "authorized_keys").stat().st_mode & 0o777 == 0o600


def test_a_malformed_key_is_refused(enter):
    assert ssh.set_auth_key("me", "a b") == "invalid"
    assert ssh.set_auth_key("me", "a!") == "Invalid public key"
    assert ssh.set_auth_key("nobody", KEY) == "fail"


def test_comments_in_the_file_stay(enter):
    place = enter()
    (place / ".ssh").mkdir()
    (place / ".ssh" / "authorized_keys").write_text(f"# mine\nssh-ed25519 {OTHER} other")

    ssh.set_auth_key("me", KEY, "ed25519", "me")
    ssh.rm_auth_key("me", OTHER)

    assert _file(place) == f"# mine\nssh-ed25519 {KEY} me\n"


def test_the_path_may_have_sshd_s_tokens(enter):
    place = enter()

    ssh.set_auth_key("me", KEY, "ed25519", config="%h/keys/%u%%")

    assert (place / "keys" / "me%").exists()
    with pytest.raises(CommandExecutionError, match='unknown token character "%x"'):
        ssh.set_auth_key("me", KEY, "ed25519", config="%x")


def test_keys_of_all_users_are_listed(enter):
    enter()
    ssh.set_auth_key("me", KEY, "ed25519", "me")

    assert list(ssh.auth_keys()) == ["me"]
    assert ssh.auth_keys("me")[KEY]["comment"] == "me"


def test_the_state_takes_a_whole_line(enter):
    enter()
    line = f"no-pty ssh-ed25519 {KEY} me"

    first = ssh_auth.present(line, "me")
    second = ssh_auth.present(line, "me")
    gone = ssh_auth.absent(line, "me")

    assert (first["name"], first["changes"]) == (line, {KEY: "New"})
    assert second["comment"] == f"The authorized host key {KEY} is already present for user me"
    assert gone["changes"] == {KEY: "Removed"}
    assert ssh_auth.absent(line, "me")["comment"] == "Key not present"


def test_the_state_plans_in_test_mode(enter):
    place = enter(test=True)

    made = ssh_auth.present(KEY, "me", enc="ed25519")

    assert (made["result"], made["comment"]) == (None, f"Key {KEY} for user me is set to be added")
    assert ssh_auth.absent(KEY, "me")["comment"] == "Key is already absent"
    assert not (place / ".ssh").exists()


def test_keys_come_from_a_file(enter):
    place = enter()
    (place / "source").write_text(f"ssh-ed25519 {KEY} one\nssh-ed25519 {OTHER} two\n")
    (place / "empty").write_text("nothing\n")

    made = ssh_auth.present("keys", "me", source=str(place / "source"))

    assert made["changes"] == {"keys": "New"}
    assert len(ssh.auth_keys("me")) == 2
    empty = ssh_auth.present("keys", "me", source=str(place / "empty"))
    assert empty["comment"].startswith("No keys detected in")
    missing = ssh_auth.present("keys", "me", source=str(place / "nothing"))
    assert missing["comment"].endswith("is missing")
    assert ssh_auth.absent("keys", "me", source=str(place / "source"))["changes"] == {"keys": "Removed"}


def test_managed_keys_are_all_there_are(enter):
    enter()
    ssh.set_auth_key("me", OTHER, "ed25519")

    made = ssh_auth.manage("x", [f"ssh-ed25519 {KEY} me"], "me")

    assert made["changes"] == {OTHER: "Key removed", KEY: "New"}
    assert list(ssh.auth_keys("me")) == [KEY]


def test_keys_that_would_be_managed_are_reported(enter):
    place = enter()
    ssh.set_auth_key("me", OTHER, "ed25519")
    before = _file(place)
    enter(test=True)

    planned = ssh_auth.manage("x", [f"ssh-ed25519 {KEY} me"], "me")

    assert planned["result"] is None
    assert planned["changes"] == {}
    assert planned["comment"].splitlines() == [
        f"{OTHER} Key set for removal",
        f"Key {KEY} for user me is set to be added",
    ]
    assert _file(place) == before


@needs_ssh
def test_a_host_is_trusted_known_and_forgotten(enter):
    enter()
    options = {"user": "me", "key": KEY, "enc": "ssh-ed25519"}

    first = ssh_known_hosts.present("one.example", **options)
    second = ssh_known_hosts.present("one.example", **options)
    other = ssh_known_hosts.present("one.example", user="me", key=OTHER, enc="ssh-ed25519")
    gone = ssh_known_hosts.absent("one.example", user="me")

    assert first["comment"] == f"one.example's key saved to .ssh/known_hosts (key: {KEY})"
    assert (second["changes"], second["comment"]) == ({}, "one.example already exists in .ssh/known_hosts")
    assert [entry["key"] for entry in other["changes"]["old"]] == [KEY]
    assert gone["changes"]["new"] is None
    assert ssh_known_hosts.absent("one.example", user="me")["comment"] == "Host is already absent"


@needs_ssh
def test_names_of_hosts_are_hidden_unless_not_wanted(enter):
    place = enter()

    ssh.set_known_host("me", "one.example", key=KEY, enc="ssh-ed25519")
    ssh.set_known_host("me", "two.example", key=KEY, enc="ssh-ed25519", port=2222, hash_known_hosts=False)

    text = (place / ".ssh" / "known_hosts").read_text()
    assert text.startswith("|1|") and "one.example" not in text
    assert f"[two.example]:2222 ssh-ed25519 {KEY}\n" in text
    assert sorted(path.name for path in (place / ".ssh").iterdir()) == ["known_hosts"]


@needs_ssh
def test_a_key_without_its_type_is_refused_and_the_file_stays(enter):
    place = enter()
    ssh.set_known_host("me", "one.example", key=KEY, enc="ssh-ed25519", hash_known_hosts=False)
    before = (place / ".ssh" / "known_hosts").read_text()

    made = ssh_known_hosts.present("one.example", user="me", key=OTHER)

    assert (made["result"], made["changes"]) == (False, {})
    assert made["comment"] == 'Required argument "enc" if using "key" argument.'
    assert (place / ".ssh" / "known_hosts").read_text() == before
    assert ssh_known_hosts.present("one.example", user="me", key=KEY)["result"] is True


@needs_ssh
def test_a_short_name_of_a_key_type_is_written_in_full_and_found_again(enter):
    place = enter()
    options = {"user": "me", "enc": "ed25519", "hash_known_hosts": False}

    ssh_known_hosts.present("one.example", key=OTHER, **options)
    first = ssh_known_hosts.present("one.example", key=KEY, **options)
    second = ssh_known_hosts.present("one.example", key=KEY, **options)

    assert first["changes"]["new"][0]["enc"] == "ssh-ed25519"
    assert second["changes"] == {}
    assert (place / ".ssh" / "known_hosts").read_text() == f"one.example ssh-ed25519 {KEY}\n"


@needs_ssh
def test_keys_that_a_host_sends_are_found_again_by_a_short_name(enter, tmp_path, monkeypatch):
    place = enter()
    scanner = tmp_path / "bin" / "ssh-keyscan"
    scanner.parent.mkdir()
    scanner.write_text(f"#!/bin/sh\necho one.example ssh-ed25519 {KEY}\n")
    scanner.chmod(0o755)
    monkeypatch.setenv("PATH", f"{scanner.parent}:{os.environ['PATH']}")
    options = {"user": "me", "enc": "ed25519", "hash_known_hosts": False}

    first = ssh_known_hosts.present("one.example", **options)
    second = ssh_known_hosts.present("one.example", **options)

    assert first["changes"]
    assert second["changes"] == {}
    assert (place / ".ssh" / "known_hosts").read_text() == f"one.example ssh-ed25519 {KEY}\n"


def test_a_curve_is_read_from_its_key():
    blob = base64.b64encode(b"\0\0\0\x13ecdsa-sha2-nistp521rest").decode()

    assert sshkey.type_in_file("ecdsa", blob) == "ecdsa-sha2-nistp521"
    assert sshkey.type_in_file("ecdsa", "no key") == "ecdsa-sha2-nistp256"
    assert sshkey.type_in_file("rsa-sha2-512", blob) == "rsa-sha2-512"


def test_known_hosts_need_a_place(enter):
    assert ssh_known_hosts.present("x", config="relative")["comment"] == ssh_known_hosts.NO_USER
    assert ssh.set_known_host("nobody", "x")["error"] == "User nobody does not exist"
    assert ssh.set_known_host("me", "x", port=2222)["status"] == "error"


@needs_ssh
def test_private_keys_say_whether_they_are_encrypted(enter):
    place = enter()
    for name, phrase in (("open", ""), ("closed", "secret")):
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", phrase, "-f", str(place / name)]
        subprocess.run(command, check=True)

    assert ssh.key_is_encrypted(str(place / "closed")) is True
    assert ssh.key_is_encrypted((place / "open").read_text()) is False


def test_keys_in_files_are_read(enter):
    place = enter()
    (place / ".ssh").mkdir()
    (place / ".ssh" / "id_ed25519.pub").write_text("public\n")
    (place / "ssh_host_rsa_key").write_text("private\n")
    (place / "ssh_host_rsa_key.pub").write_text("public\n")

    assert ssh.user_keys("me") == {"me": {"id_ed25519.pub": "public"}}
    assert ssh.host_keys(str(place)) == {"rsa": "private", "rsa.pub": "public"}
    assert ssh.host_keys(str(place), private=False) == {"rsa.pub": "public"}
