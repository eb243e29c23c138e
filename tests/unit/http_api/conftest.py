"""Parts of the HTTP API with a fake master."""

import pytest

from salt_g.event.bus import Bus
from salt_g.http_api.api_services import ApiServices, RoutedRequest
from salt_g.http_api.event_log import EventLog
from salt_g.http_api.messages import Request
from salt_g.http_api.orders import Orders
from salt_g.http_api.sessions import LoginSessions
from salt_g.http_api.settings import ApiSettings
from salt_g.http_api.stream_list import StreamList
from salt_g.wire.events import pack_event

TOKEN = "ab" * 32
OPTS = {
    "api_acl": {},
    "api_cors": [],
    "api_page": True,
    "api_token_in_url": False,
    "api_trusted_proxies": [],
    "gather_job_timeout": 1,
    "netapi_enable_clients": ["local", "local_async", "runner", "wheel"],
    "nodegroups": {},
    "sock_dir": "/run/salt",
    "timeout": 1,
}


class Master:
    """Fake master with a table {cmd: answer or function of the load}, which records its requests."""

    def __init__(self):
        self.is_connected = True
        self.answers = {
            "mk_token": {"token": TOKEN, "name": "ann", "eauth": "pam", "start": 1.0, "expire": 4e9},
            "rights": {"user": "ann", "eauth": "pam", "permissions": ["@wheel", ".*"]},
            "end_token": True,
            "presence": {"connected": ["m1"], "gone": []},
        }
        self.requests = []
        self.fired = []

    def ask(self, load, source, timeout):
        self.requests.append((load, source))
        answer = self.answers.get(load["cmd"], {})
        return answer(load) if callable(answer) else answer

    def fire(self, tag, data):
        self.fired.append((tag, data))


@pytest.fixture
def master():
    return Master()


@pytest.fixture
def opts(tmp_path):
    return {**OPTS, "api_sessions": str(tmp_path / "sessions")}


@pytest.fixture
def make_parts(master, opts):
    """Return a function that makes parts with other settings in `rest_cherrypy`, or of the master."""

    def make(rest=None, **settings):
        merged = {**opts, **settings, "rest_cherrypy": rest or {}}
        found = ApiSettings.of(merged)
        streams = StreamList()
        sessions = LoginSessions(found.sessions, on_end=streams.end)
        sessions.start()
        bus = Bus()
        orders = Orders(merged, master, bus, enabled=found.clients, timeout=5)
        parts = ApiServices(found, orders, sessions, master, EventLog(), streams)
        parts.bus = bus
        return parts

    return make


@pytest.fixture
def parts(make_parts):
    return make_parts()


@pytest.fixture
def session(parts, master):
    """Return ann's (session token, session)."""
    return parts.sessions.make(master.answers["mk_token"])


@pytest.fixture
def routed_request(session):
    """Return a function that makes a request of ann, ready for a handler."""

    def make(data=None, rest="", headers=None, body=b"", has_session=True):
        return RoutedRequest(
            request(headers=headers, body=body), data, session[1] if has_session else None, rest
        )

    return make


def request(method="GET", path="/", body=b"", headers=None, query=None, source="192.0.2.7", target="/"):
    return Request(method, path, query or {}, headers or {}, body, source, target=target)


@pytest.fixture
def make_request():
    return request


@pytest.fixture
def packed():
    """Return a function that makes a packed event."""
    return lambda tag, **data: pack_event(tag, {**data, "_stamp": "2026-11-20T00:00:00"})
