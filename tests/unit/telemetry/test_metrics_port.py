"""Metrics over HTTP: content and access."""

import contextlib
import http.client
import socket

import pytest

from salt_g.telemetry.metrics_port import MetricsPort


@pytest.fixture
def port():
    served = MetricsPort("127.0.0.1", 0, text=lambda: "salt_g_events_total 1\n")
    served.start()
    yield served.port
    served.stop()


def _ask(port, method, path, **headers):
    import gevent

    def ask():
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        with contextlib.closing(connection):
            connection.request(method, path, headers=headers)
            with connection.getresponse() as answer:
                return answer.status, answer.getheader("Content-Type"), answer.read().decode()

    # The client blocks, so it has a thread of its own beside the hub.
    return gevent.get_hub().threadpool.apply(ask)


@pytest.mark.parametrize(
    ("method", "path", "host", "status"),
    [
        ("GET", "/metrics", None, 200),
        ("GET", "/healthz", None, 200),
        ("HEAD", "/metrics", None, 200),
        ("GET", "/", None, 404),
        ("GET", "/metrics/../etc/passwd", None, 404),
        ("POST", "/metrics", None, 405),
        ("GET", "/metrics", "evil.example", 403),
    ],
)
def test_two_paths_are_read_and_nothing_else(port, method, path, host, status):
    answered, kind, text = _ask(port, method, path, **({"Host": host} if host else {}))

    assert answered == status
    assert kind.startswith("text/plain")
    assert (text == "salt_g_events_total 1\n") == (path == "/metrics" and method == "GET" and status == 200)


def test_a_port_that_is_taken_is_an_error_at_the_start():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()

        with pytest.raises(OSError, match="in use"):
            MetricsPort("127.0.0.1", taken.getsockname()[1], text=str).start()
