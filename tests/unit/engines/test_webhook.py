"""The engine `webhook`: real requests over HTTP and HTTPS."""

import contextlib
import http.client
import ssl
import subprocess

import gevent
import gevent.event
import pytest

from salt_g import api
from salt_g.engines import webhook
from salt_g.errors import CommandExecutionError

DEADLINE = 60


class Bus:
    """Records fired events."""

    def __init__(self):
        self.fired = []

    def fire(self, tag, data):
        self.fired.append((tag, data))


@pytest.fixture
def serve(call_context, monkeypatch):
    """Yield a function that starts the engine on a free port of the loopback and returns the port."""
    engines = []
    ports = gevent.event.AsyncResult()
    listener = webhook._listener

    def listen(address, port):
        made = listener(address, port)
        ports.set(made.getsockname()[1])
        return made

    monkeypatch.setattr(webhook, "_listener", listen)

    def start(context, **options):
        def run():
            with api.use(context):
                webhook.start("127.0.0.1", 0, **options)

        engines.append(gevent.spawn(run))
        return ports.get(timeout=DEADLINE)

    yield start
    for engine in engines:
        engine.kill(timeout=DEADLINE)
        assert engine.dead


def ask(port, method, path, body=None, headers=None, tls=None):
    """Send a request from a separate thread, because the client blocks; return (status, text)."""

    def send():
        make = http.client.HTTPSConnection if tls else http.client.HTTPConnection
        connection = make("127.0.0.1", port, timeout=DEADLINE, **({"context": tls} if tls else {}))
        with contextlib.closing(connection):
            connection.request(method, path, body, headers or {})
            with connection.getresponse() as answer:
                return answer.status, answer.read().decode()

    return gevent.get_hub().threadpool.apply(send)


@pytest.fixture
def master(call_context):
    """Return the context of a master's engine, and its bus."""
    bus = Bus()
    return call_context(opts={"__role": "master", "id": "m_master"}, events=bus), bus


def test_a_post_is_an_event(serve, master):
    context, bus = master
    port = serve(context)

    headers = {"X-GitHub-Event": "push", "Content-Type": "application/json"}
    answer = ask(port, "POST", "/github/push%20x?a=1", b'{"a": "\xc3\xa4"}', headers)

    assert answer == (200, "")
    ((tag, data),) = bus.fired
    assert tag == "salt/engines/hook/github/push x"
    assert data["body"] == b'{"a": "\xc3\xa4"}'
    assert (
        data["headers"].items()
        >= {
            "X-Github-Event": "push",
            "Content-Type": "application/json",
            "Content-Length": "11",
            "Host": f"127.0.0.1:{port}",
        }.items()
    )


def test_a_malformed_request_is_refused(serve, master):
    context, bus = master
    port = serve(context)

    assert ask(port, "GET", "/x")[0] == 405
    assert ask(port, "POST", "/x%0ay")[0] == 400
    assert ask(port, "POST", "/" + "x" * 600)[0] == 400
    assert ask(port, "POST", "/x", b"x" * (webhook.MAX_BODY + 1))[0] == 413
    assert bus.fired == []
    assert ask(port, "POST", "/x", b"x" * webhook.MAX_BODY)[0] == 200


def test_chunks_are_bounded_as_well(serve, master):
    context, bus = master
    port = serve(context)
    chunk = b"x" * 65536

    assert ask(port, "POST", "/x", iter([chunk] * (webhook.MAX_BODY // 65536)))[0] == 200
    assert ask(port, "POST", "/x", iter([chunk] * (webhook.MAX_BODY // 65536 + 1)))[0] == 413
    assert len(bus.fired) == 1


def test_a_minion_fires_under_its_own_name(serve, call_context):
    sent = []
    answers = [True, False]
    context = call_context(
        opts={"__role": "minion", "id": "m1"},
        functions={"event.send": lambda tag, data: sent.append(tag) or answers.pop(0)},
    )
    port = serve(context)

    assert ask(port, "POST", "/deploy") == (200, "")
    assert ask(port, "POST", "/deploy") == (503, "the event could not be sent\n")
    assert sent == ["salt/engines/hook/m1/deploy"] * 2


@pytest.mark.parametrize(
    "sent", [b"", b"POST / HTTP/1.1\r\n", b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n1"]
)
def test_a_peer_that_sends_no_more_is_disconnected(serve, master, monkeypatch, sent):
    monkeypatch.setattr(webhook, "LIFETIME", 0.1)
    context, bus = master
    port = serve(context)

    def connect():
        import socket

        with socket.create_connection(("127.0.0.1", port), timeout=DEADLINE) as silent:
            silent.sendall(sent)
            return silent.recv(1000)

    assert b"200" not in gevent.get_hub().threadpool.apply(connect)
    assert bus.fired == []


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Return the paths of a certificate for 127.0.0.1 and of its key."""
    root = tmp_path_factory.mktemp("tls")
    words = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "1",
        "-subj",
        "/CN=localhost",
    ]
    words += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "crt.pem"]
    try:
        subprocess.run(words, cwd=root, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl is not installed")
    return str(root / "crt.pem"), str(root / "key.pem")


def test_hooks_are_taken_over_https(serve, master, certificate):
    context, bus = master
    port = serve(context, ssl_crt=certificate[0], ssl_key=certificate[1])

    answer = ask(port, "POST", "/x", b"1", tls=ssl.create_default_context(cafile=certificate[0]))

    assert answer == (200, "")
    assert bus.fired[0][0] == "salt/engines/hook/x"


def test_settings_that_cannot_be_used_are_named(call_context, certificate):
    call_context()

    with pytest.raises(CommandExecutionError, match="needs both `ssl_crt` and `ssl_key`"):
        webhook.start("127.0.0.1", 0, ssl_crt=certificate[0])
    with pytest.raises(CommandExecutionError, match="'/no' with key '/no' cannot be used"):
        webhook.start("127.0.0.1", 0, ssl_crt="/no", ssl_key="/no")
    with pytest.raises(CommandExecutionError, match="cannot listen on 192.0.2.1 port 5000"):
        webhook.start("192.0.2.1")
    with pytest.raises(CommandExecutionError, match="cannot listen on all addresses port 99999"):
        webhook.start(port=99999)
