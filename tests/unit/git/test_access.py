"""How a `git` program is let in, and that nothing secret stands in its command line."""

import base64
import os
import pathlib

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
