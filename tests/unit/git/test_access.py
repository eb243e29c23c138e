"""Credentials of `git` programs, and their absence from command lines."""

import base64
import os
import pathlib
import subprocess

import pytest

from salt_g.errors import FileServerError
from salt_g.git.access import environment
from salt_g.git.source import Access, RemoteSource


def of(url, **access):
    return RemoteSource(url, access=Access(**access))


def settings(env):
    count = int(env.get("GIT_CONFIG_COUNT", 0))
    return {env[f"GIT_CONFIG_KEY_{n}"]: env[f"GIT_CONFIG_VALUE_{n}"] for n in range(count)}


def test_nobody_is_asked_for_a_password(tmp_path):
    env = environment(of("https://example.org/x.git"), str(tmp_path))

    assert env["GIT_TERMINAL_PROMPT"] == "0"
    assert "BatchMode=yes" in env["GIT_SSH_COMMAND"]
    assert settings(env) == {}


def test_a_password_goes_to_its_server_only(tmp_path):
    env = environment(of("https://example.org/a/x.git", user="me", password="p"), str(tmp_path))

    login = base64.b64encode(b"me:p").decode()
    assert settings(env) == {"http.https://example.org/.extraHeader": f"Authorization: Basic {login}"}


def test_a_password_over_plain_http_has_to_be_allowed(tmp_path):
    with pytest.raises(FileServerError, match="insecure_auth"):
        environment(of("http://example.org/x", user="me", password="p"), str(tmp_path))

    allowed = of("http://example.org/x", user="me", password="p", insecure_auth=True)
    assert len(settings(environment(allowed, str(tmp_path)))) == 1


def test_proxy_and_certificates(tmp_path):
    env = environment(of("https://example.org/x", proxy="http://p:1", ssl_verify=False), str(tmp_path))

    assert settings(env) == {"http.proxy": "http://p:1", "http.sslVerify": "false"}


def test_the_passphrase_of_a_key_comes_from_the_environment(tmp_path):
    source = of("ssh://git@example.org/x", privkey="/etc/key file", passphrase="secret")

    env = environment(source, str(tmp_path))

    assert "'/etc/key file'" in env["GIT_SSH_COMMAND"] and "secret" not in env["GIT_SSH_COMMAND"]
    assert env["SALT_G_PASSPHRASE"] == "secret"
    assert os.stat(env["SSH_ASKPASS"]).st_mode & 0o777 == 0o700
    assert "secret" not in pathlib.Path(env["SSH_ASKPASS"]).read_text()


@pytest.fixture
def answer_to(tmp_path):
    """Return a function that answers a prompt of ssh."""

    def ask(prompt, privkey="/etc/key file"):
        source = of("ssh://git@example.org/x", privkey=privkey, passphrase="secret")
        env = environment(source, str(tmp_path))
        done = subprocess.run([env["SSH_ASKPASS"], prompt], env=env, capture_output=True, text=True)
        return done.stdout

    return ask


@pytest.mark.parametrize(
    ("privkey", "name"),
    [
        ("/etc/key file", "/etc/key file"),
        ("~/key", os.path.expanduser("~/key")),
        ("/k" * 60, "/k" * 60),
        ("/k" * 60, "/k" * 50),
        ("/etc/[k]*", "/etc/[k]*"),
        ("", "/root/.ssh/id_rsa"),
    ],
)
def test_a_passphrase_is_the_answer_for_its_key(answer_to, privkey, name):
    assert answer_to(f"Enter passphrase for key '{name}': ", privkey) == "secret\n"


@pytest.mark.parametrize(
    "prompt",
    [
        "git@example.org's password: ",
        "(git@example.org) Enter passphrase for key '/etc/key file': ",
        "Enter passphrase for key '/etc/key file': \n",
        "Enter passphrase for key '/etc/other': ",
        "Are you sure you want to continue connecting (yes/no/[fingerprint])? ",
        "",
    ],
)
def test_no_other_prompt_gets_a_passphrase(answer_to, prompt):
    assert answer_to(prompt) == ""


def test_no_server_gets_the_passphrase_of_a_key(answer_to):
    assert answer_to("git@example.org's password: ", privkey="") == answer_to("", privkey="") == ""


def test_with_a_passphrase_a_server_gets_no_password(tmp_path):
    source = of("ssh://git@example.org/x", privkey="/etc/key", passphrase="secret")

    words = environment(source, str(tmp_path))["GIT_SSH_COMMAND"].split()

    for option in (
        "PasswordAuthentication=no",
        "KbdInteractiveAuthentication=no",
        "StrictHostKeyChecking=yes",
    ):
        assert option in words
