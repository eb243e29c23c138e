"""Logins at an OpenID provider: a real one from PyPI, and a hostile one."""

import contextlib
import http.client
import importlib.util
import json
import os
import subprocess
import sys
import urllib.parse

import pytest

pytest.importorskip("joserfc")
if importlib.util.find_spec("oidc_provider_mock") is None:
    pytest.skip("oidc-provider-mock is not installed", allow_module_level=True)

from tests.support.api_client import SETTINGS, USERS, ApiClient
from tests.support.api_fleet import running
from tests.support.free_ports import free_port
from tests.support.hostile_oidc_provider import running_hostile_provider
from tests.support.waiting import DEADLINE, until

USER = {"sub": "17", "preferred_username": "ann", "groups": ["ops"]}


def _settings(issuer, **options):
    """Return the settings of a master that trusts a provider."""
    oidc = {
        "^issuer": issuer,
        "^client_id": "salt",
        "^client_secret": "s3cret-of-client",
        "^redirect_uri": "https://salt.example/oidc/callback",
        "ops%": ["test.*", "@runner"],
        **options,
    }
    return {
        "external_auth": {"oidc": oidc, "sharedsecret": USERS},
        "netapi_enable_clients": SETTINGS["netapi_enable_clients"],
    }


@contextlib.contextmanager
def _provider():
    """Yield the port of a provider with one user."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "--port", str(port)]
        + ["--require-nonce", "true", "--user-claims", json.dumps(USER)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    try:
        until(lambda: _is_up(port), "the provider")
        yield port
    finally:
        process.terminate()
        process.wait(DEADLINE)


def _is_up(port):
    with contextlib.suppress(OSError):
        return _send(port, "GET", "/.well-known/openid-configuration")[0] == 200


def _send(port, method, path, body=None):
    """Return (status, headers)."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
    kind = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
    connection.request(method, path, body, kind)
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status, {name.lower(): value for name, value in response.getheaders()}


def _begun(client):
    """Return (address at the provider, cookie) of a login that has started."""
    answer = client.get("/oidc/login", Accept="text/html")
    assert answer.status == 302, answer
    return answer.headers["location"], answer.headers["set-cookie"].partition(";")[0]


def _path_back(location):
    """Return the path of the callback request that the browser sends."""
    parts = urllib.parse.urlsplit(location)
    assert (parts.netloc, parts.path) == ("salt.example", "/oidc/callback")
    return f"{parts.path}?{parts.query}"


def test_a_user_of_a_real_provider_has_the_rights_of_the_groups():
    with _provider() as port, running(**_settings(f"http://127.0.0.1:{port}")) as (master, api):
        client = ApiClient(api.port)
        location, cookie = _begun(client)
        parts = urllib.parse.urlsplit(location)
        status, headers = _send(port, "POST", f"{parts.path}?{parts.query}", "sub=17")
        assert status == 302
        back = _path_back(headers["location"])

        answer = client.get(back, Cookie=cookie, Accept="application/json")

        [session] = answer.data["return"]
        assert (session["user"], session["eauth"]) == ("ann", "oidc")
        assert session["perms"] == ["@runner", "test.*"]
        ann = ApiClient(api.port, session["token"])
        assert ann.order(client="local", tgt="*", fun="test.ping") == {"m1": True}
        assert ann.post("/", [{"client": "local", "tgt": "*", "fun": "cmd.run", "arg": ["id"]}]).status == 401
        # The same way back leads nowhere twice.
        assert client.get(back, Cookie=cookie).status == 400
        assert ann.post("/logout").data["end_session"].startswith(f"http://127.0.0.1:{port}/")
        assert ann.post("/", []).status == 401
        logs = master.log() + api.log()
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(back).query)["code"][0]
        for secret in (code, cookie.partition("=")[2], session["token"], "s3cret-of-client", "eyJ"):
            assert secret not in logs
    assert "traceback" not in logs.lower()


@pytest.fixture(scope="module")
def hostile():
    """Yield (hostile provider, client of an API that trusts it, master, api)."""
    with running_hostile_provider() as provider, running(**_settings(provider.issuer)) as (master, api):
        yield provider, ApiClient(api.port), master, api


def _came_back(hostile, make):
    """Return the response to a callback whose code is exchanged for the token of `make(provider, nonce)`."""
    provider, client, *_ = hostile
    location, cookie = _begun(client)
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query))
    provider.token = make(provider, query["nonce"])
    return client.get(f"/oidc/callback?code=c&state={query['state']}", Cookie=cookie)


FORGERIES = {
    "the issuer of the ID token is not": lambda provider, nonce: provider.signed(
        nonce=nonce, aud="salt", iss="https://evil.example"
    ),
    "the audience of the ID token does not include": lambda provider, nonce: provider.signed(
        nonce=nonce, aud="other"
    ),
    "expired": lambda provider, nonce: provider.signed(nonce=nonce, aud="salt", exp=5, iat=1),
    "another login": lambda provider, nonce: provider.signed(nonce="replayed", aud="salt"),
    "signed with 'none'": lambda provider, nonce: provider.unsigned(nonce=nonce, aud="salt"),
    "signed with 'HS256'": lambda provider, nonce: provider.signed_with_public_key(nonce=nonce, aud="salt"),
}


@pytest.mark.parametrize("why", FORGERIES)
def test_a_forged_token_is_refused_with_its_reason_and_not_logged(hostile, why):
    answer = _came_back(hostile, FORGERIES[why])

    assert (answer.status, why in answer.data["return"]) == (401, True), answer
    assert "set-cookie" not in answer.headers
    assert hostile[0].token not in hostile[2].log() + hostile[3].log()


def test_a_token_is_worth_a_login_once_also_without_a_browser(hostile):
    provider, client, master, _ = hostile
    token = provider.signed(aud="salt")
    login = {"username": "ann", "password": token, "eauth": "oidc"}

    assert client.post("/login", {**login, "username": "root"}).status == 401
    assert client.post("/login", login).status == 200
    assert client.post("/login", login).status == 401
    for forged in (
        provider.unsigned(aud="salt"),
        provider.signed_with_public_key(aud="salt"),
        provider.signed(aud="other"),
    ):
        assert client.post("/login", {**login, "password": forged}).status == 401
    assert "this ID token has already been used for a login" in master.log()
    assert token not in master.log()


def test_a_good_token_is_a_session(hostile):
    answer = _came_back(hostile, lambda provider, nonce: provider.signed(nonce=nonce, aud="salt"))

    assert answer.status == 200
    assert answer.data["return"][0]["perms"] == ["@runner", "test.*"]


def test_an_absent_provider_is_reported():
    with running(**_settings("http://127.0.0.1:9")) as (_, api):
        answer = ApiClient(api.port).get("/oidc/login")

    assert answer.status == 502
    assert "cannot be reached" in answer.data["return"]
