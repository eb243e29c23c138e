"""Isolation of the HTTP API's clients from other clients and from malicious minions."""

import contextlib
import json
import socket
import threading

import pytest

from tests.support.api_client import PASSWORD, ApiClient
from tests.support.api_fleet import running
from tests.support.peers import Peer, publish
from tests.support.waiting import DEADLINE

#: Head of a login without a body.
LOGIN = b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
#: Requests that keep a server busy for seconds, as fast as they can be sent.
FLOODS = {
    "chunks of one byte": LOGIN + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 1_000_000,
    "requests in a row": b"GET /login HTTP/1.1\r\nHost: x\r\n\r\n" * 50_000,
}


@pytest.fixture(scope="module")
def fleet():
    with running(auto_accept=True) as parts:
        yield parts


@pytest.fixture(scope="module")
def client(fleet):
    return ApiClient(fleet[1].port)


@pytest.fixture(scope="module")
def ann(client):
    return client.logged_in("ann")


@pytest.mark.parametrize("name", FLOODS)
def test_a_client_that_never_pauses_leaves_turns_to_others(client, name):
    is_busy, is_over = threading.Event(), threading.Event()

    def send():
        with contextlib.suppress(OSError):
            flood.sendall(FLOODS[name][: 1 << 20])
            is_busy.set()
            flood.sendall(FLOODS[name][1 << 20 :])

    def read():
        with contextlib.suppress(OSError):
            while flood.recv(1 << 20):
                pass
        is_over.set()

    with client.raw() as flood:
        threads = [threading.Thread(target=one) for one in (send, read)]
        for thread in threads:
            thread.start()
        assert is_busy.wait(DEADLINE)

        assert client.get("/login").status == 200

        assert not is_over.is_set()
        flood.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join(DEADLINE)


@pytest.mark.parametrize("charset", ["punycode", "idna"])
def test_a_body_in_a_charset_that_takes_minutes_is_refused(client, charset):
    answer = client.send(
        "POST", "/login", b"a-" + b"a" * 1_000_000, Content_Type=f"text/plain; charset={charset}"
    )

    assert answer.status == 415


@pytest.mark.parametrize(
    "password",
    ["[" * 400 + "]" * 400, '"\\ud800"', "[" * 200_000 + "]" * 200_000],
    ids=["deep", "no text", "deeper"],
)
def test_a_login_that_cannot_travel_is_refused_and_disconnects_nobody(fleet, client, ann, password):
    login = f'{{"username": "ann", "eauth": "sharedsecret", "password": {password}}}'
    before = fleet[1].log().count("connected to the master")

    assert client.send("POST", "/login", login, Content_Type="application/json").status == 400

    assert ann.get("/v1/health").status == 200
    assert fleet[1].log().count("connected to the master") == before


#: Values that minions may return, and that JSON does not have.
ODD = {
    "names that are no text": {b"\xff": 1},
    "numbers that are none": {"a": [float("nan"), float("inf")], float("inf"): 1},
    "as deep as possible": json.loads("[" * 254 + "]" * 254),
}


@pytest.mark.parametrize("name", ODD)
def test_a_malicious_return_stops_no_stream_and_no_page(fleet, ann, name):
    master = fleet[0]
    hostile_peer = Peer(master, "liar").sign_in()
    stream = ann.stream()
    jid = publish(master, "test.ping", tgt="liar")["jid"]

    hostile_peer.ask({"cmd": "_return", "jid": jid, "fun": "test.ping", "return": ODD[name], "retcode": 0})

    assert stream.until(f"salt/job/{jid}/ret/liar")["data"]["data"]["id"] == "liar"
    for page in ("", "/returns", "/report"):
        answer = ann.get(f"/v1/jobs/{jid}{page}")
        assert answer.status == 200
        json.loads(answer.body, parse_constant=pytest.fail)
    stream.close()


def test_a_scoped_token_is_not_given_the_answer_to_its_user(ann):
    order, key = {"tgt": "m1", "fun": "test.echo", "arg": ["x"]}, {"Idempotency_Key": "once"}
    token = ann.post("/v1/tokens", {"name": "narrow", "allow": ["test.ping"]}).data["token"]

    assert ann.post("/v1/jobs", order, **key).status == 202
    assert ApiClient(ann.port, token).post("/v1/jobs", order, **key).status == 403


@pytest.mark.parametrize(
    ("headers", "has_cookie"),
    [
        ({}, True),
        ({"Origin": "https://elsewhere.example"}, False),
        ({"Sec_Fetch_Site": "cross-site"}, False),
        ({"Sec_Fetch_Site": "same-origin"}, True),
    ],
)
def test_a_page_of_another_host_sets_no_cookie(client, headers, has_cookie):
    login = {"username": "ann", "password": PASSWORD, "eauth": "sharedsecret"}

    answer = client.post("/login", login, **headers)

    assert answer.status == 200
    assert ("set-cookie" in answer.headers) is has_cookie


@pytest.mark.parametrize("path", ["%C3%A4", "a%0Ab"])
def test_a_path_that_is_no_tag_is_refused(ann, path):
    assert ann.post(f"/hook/{path}", {}).status == 400


def test_one_websocket_too_many_is_refused_in_words(client):
    cat = client.logged_in("cat")
    upgrade = (
        "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nX-Auth-Token: {cat.token}\r\n\r\n"
    )
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(client.raw(upgrade.encode())) for _ in range(21)]
        answers = sorted(connection.recv(1000)[:12] for connection in opened)

    assert answers == [b"HTTP/1.1 101"] * 20 + [b"HTTP/1.1 429"]
