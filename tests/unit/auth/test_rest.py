"""Logins at a web service."""

import http.server

import pytest

from salt_g.auth import rest
from tests.support.servers import serving


@pytest.fixture
def service():
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/moved":
                self.send_response(302)
                self.send_header("Location", "/login")
            elif self.path == "/received":
                self.send_response(202)
            else:
                self.send_response(200 if body == b"username=fred&password=pw" else 401)
            self.end_headers()
            self.wfile.write(b'["test.ping"]')

        do_GET = do_POST

        def log_message(self, *args):
            """Log nothing."""

    with serving(http.server.HTTPServer(("127.0.0.1", 0), Handler)) as server:
        yield f"http://127.0.0.1:{server.server_port}"


def test_a_web_service_accepts_a_login_and_gives_permissions(service):
    checker = rest.Checker({}, {"^url": f"{service}/auth", "fred": ["@runner"]})

    assert checker.is_right("fred", "pw")
    assert checker.permissions("fred", "pw") == ["@runner", "test.ping"]
    assert not checker.is_right("fred", "x")


def test_a_redirect_is_not_a_yes(service):
    assert not rest.Checker({}, {"^url": f"{service}/moved"}).is_right("fred", "pw")


def test_only_status_200_accepts_a_login(service):
    assert not rest.Checker({}, {"^url": f"{service}/received"}).is_right("fred", "pw")
