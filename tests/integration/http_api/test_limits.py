"""Limits of the HTTP API: framing, sizes, frozen clients, rates; and its restarts."""

import json
import socket

import pytest

from tests.support.api_client import ApiClient
from tests.support.api_fleet import running
from tests.support.daemons import RunningApi
from tests.support.smuggled import POST, SMUGGLED
from tests.support.waiting import DEADLINE, until


def _answers(connection):
    """Return everything received until the connection closes."""
    parts = []
    connection.settimeout(DEADLINE)
    while True:
        try:
            data = connection.recv(1 << 16)
        except ConnectionResetError:
            data = b""
        if not data:
            connection.close()
            return b"".join(parts)
        parts.append(data)


@pytest.mark.parametrize("name", SMUGGLED)
def test_a_request_that_can_be_read_in_two_ways_is_refused_and_ends_the_connection(client, name):
    answers = _answers(client.raw(SMUGGLED[name]))

    assert answers.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 431 ", b"HTTP/1.1 501 ")), answers
    assert answers.count(b"HTTP/1.1 ") == 1


def test_requests_on_one_connection_are_answered_in_order(client):
    one = b"GET /login HTTP/1.1\r\nHost: x\r\n\r\n"
    last = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    chunked = POST + b"Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"

    answers = _answers(client.raw(one + chunked + last))

    assert answers.count(b"HTTP/1.1 200 OK") == 2
    assert answers.index(b"Please log in") < answers.index(b'"status": 400') < answers.index(b"Welcome")


def test_a_body_that_is_too_large_is_refused_before_it_is_sent(client):
    head = POST + b"Content-Length: 2000000\r\nExpect: 100-continue\r\n\r\n"

    assert _answers(client.raw(head)).startswith(b"HTTP/1.1 413 ")


def test_clients_that_send_nothing_do_not_disturb_others(client):
    silent = [client.raw(b"GET / HT") for _ in range(80)]

    assert client.get("/").status == 200
    for connection in silent:
        connection.close()


def test_clients_that_read_nothing_do_not_disturb_others(client, ann):
    frozen = [client.logged_in("bob").stream() for _ in range(10)]
    for number in range(20):
        ann.post(f"/hook/load/{number}", {"text": "x" * 500_000})

    reader = ann.stream()
    ann.post("/hook/last", {})
    assert reader.until("salt/netapi/hook/last")
    for stream in (*frozen, reader):
        stream.close()


def test_requests_of_a_token_are_limited_per_second(client):
    cat = client.logged_in("cat")

    connection = client.raw()
    request = (
        f"GET /minions/none HTTP/1.1\r\nHost: x\r\nAccept: x/y\r\nX-Auth-Token: {cat.token}\r\n\r\n".encode()
    )
    connection.sendall(request * 400)
    connection.shutdown(socket.SHUT_WR)
    answers = _answers(connection)

    assert b"HTTP/1.1 406 " in answers
    assert b"HTTP/1.1 429 " in answers
    assert b"Retry-After: 1\r\n" in answers


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://evil.example"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Sec_Fetch_Site": "same-origin"}, 200),
        ({}, 200),
    ],
)
def test_an_order_by_cookie_has_to_come_from_our_own_page(client, ann, headers, status):
    cookie = f"session_id={ann.token}"

    assert client.post("/", [], Cookie=cookie, **headers).status == status
    assert ann.post("/", [], **headers).status == 200


def test_a_restart_logs_nobody_out_and_an_absent_master_is_reported():
    with running() as (master, api):
        ann = ApiClient(api.port).logged_in()
        api.stop()
        again = RunningApi(master).start()
        try:
            client = ApiClient(again.port, ann.token)
            assert client.order(client="local", tgt="*", fun="test.ping") == {"m1": True}
            master.stop()
            until(lambda: client.post("/", [_PING]).status == 503, "the master to be missed")
            master.start()
            until(lambda: client.post("/", [_PING]).status == 200, "the master to be back")
            assert _kept(master, ann.token) == []
        finally:
            again.stop()


_PING = {"client": "local_async", "tgt": "*", "fun": "test.ping"}


def _kept(master, token):
    """Return the files below the master's directories that contain a token."""
    files = (path for path in master.cachedir.rglob("*") if path.is_file())
    return [path for path in files if token.encode() in path.read_bytes()]


def test_with_a_certificate_connections_are_encrypted(tmp_path):
    import ssl
    import subprocess

    key, certificate = tmp_path / "key.pem", tmp_path / "crt.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2"]
        + ["-keyout", str(key), "-out", str(certificate)],
        check=True,
        capture_output=True,
    )
    tls = {"port": 0, "host": "127.0.0.1", "ssl_crt": str(certificate), "ssl_key": str(key)}
    with running(rest_cherrypy=tls) as (_, api):
        context = ssl.create_default_context(cafile=str(certificate))
        context.check_hostname = False
        with (
            socket.create_connection(("127.0.0.1", api.port), DEADLINE) as raw,
            context.wrap_socket(raw) as connection,
        ):
            body = json.dumps({"username": "ann", "password": "sesame", "eauth": "sharedsecret"})
            head = f"POST /login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
            connection.sendall(f"{head}Content-Type: application/json\r\n\r\n{body}".encode())
            answers = _answers(connection)
    assert answers.startswith(b"HTTP/1.1 200 OK")
    assert b"; Secure\r\n" in answers
