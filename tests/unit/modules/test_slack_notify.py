"""Messages to a fake Slack server."""

import json
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from salt_g.errors import InvocationError
from salt_g.modules import config, http, slack_notify
from tests.support.servers import serving

ANSWERS = {
    "/api/conversations.list": {"ok": True, "channels": [{"name": "random", "id": "C1"}]},
    "/api/users.list": {"ok": True, "members": [{"name": "ann", "id": "U1"}]},
    "/api/chat.postMessage": {"ok": True},
}


class _Slack(BaseHTTPRequestHandler):
    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        self.server.seen.append((self.path, dict(urllib.parse.parse_qsl(body)), self.headers))
        is_known = self.headers.get("Authorization") == "Bearer key"
        answer = json.dumps(ANSWERS.get(self.path) if is_known else {"ok": False, "error": "invalid_auth"})
        if self.path.startswith("/hooks"):
            answer = "ok" if self.path.endswith("/T/B/X") else "no_service"
        self.send_response(200 if answer != "no_service" else 404)
        self.end_headers()
        self.wfile.write(answer.encode())

    do_POST = do_GET

    def log_message(self, *args):
        pass


@pytest.fixture
def slack(call_context, monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Slack)
    server.seen = []
    url = f"http://127.0.0.1:{server.server_port}"
    settings = {"api_key": "key", "api_url": f"{url}/api", "hook_url": f"{url}/hooks"}
    functions = {"http.query": http.query, "config.get": config.get}
    call_context(opts={"slack": settings}, functions=functions)
    with serving(server):
        yield server


def test_channels_and_users_are_listed_and_found(slack):
    assert slack_notify.list_rooms() == {"res": True, "message": [{"name": "random", "id": "C1"}]}
    assert slack_notify.list_users() == {"res": True, "message": [{"name": "ann", "id": "U1"}]}
    assert slack_notify.find_room("#random") == {"name": "random", "id": "C1"}
    assert slack_notify.find_user("ann") == {"name": "ann", "id": "U1"}
    assert slack_notify.find_room("nosuch") is slack_notify.find_user("nosuch") is False


def test_a_message_is_a_form(slack):
    assert slack_notify.post_message("builds", "ready & done", blocks=[{"type": "divider"}]) is True

    path, form, _ = slack.seen[-1]
    assert path == "/api/chat.postMessage"
    assert form == {
        "channel": "#builds",
        "text": "ready & done",
        "attachments": "[]",
        "blocks": '[{"type": "divider"}]',
    }


def test_a_name_and_a_picture_are_sent_on_request(slack):
    slack_notify.post_message("#builds", "done", from_name="bot", icon="http://i")

    form = slack.seen[-1][1]
    assert (form["channel"], form["username"], form["icon_url"]) == ("#builds", "bot", "http://i")


def test_a_refusal_is_returned(slack):
    refused = {"res": False, "message": "invalid_auth"}

    assert slack_notify.post_message("a", "b", api_key="other") == refused
    assert slack_notify.list_rooms(api_key="other") == refused
    assert slack_notify.find_room("random", api_key="other") is False


def test_a_hook_takes_a_message_and_what_is_below_it(slack):
    assert slack_notify.call_hook("topic", identifier="T/B/X") is True
    assert json.loads(slack.seen[-1][1]["payload"]) == {"text": "topic"}

    slack_notify.call_hook("topic", "text", "danger", True, "T/B/X", channel="#c", icon_emoji=":x:")
    fields = [{"value": "text", "short": True}]
    assert json.loads(slack.seen[-1][1]["payload"]) == {
        "attachments": [{"fallback": "topic", "color": "danger", "pretext": "topic", "fields": fields}],
        "channel": "#c",
        "icon_emoji": ":x:",
    }
    assert slack_notify.call_hook("topic", identifier="x") == {"res": False, "message": "no_service"}


def test_missing_settings_are_named(call_context):
    call_context(functions={"config.get": config.get})

    with pytest.raises(InvocationError, match="No Slack API key found"):
        slack_notify.post_message("a", "b")
    with pytest.raises(InvocationError, match="No Slack WebHook url found"):
        slack_notify.call_hook("hello")
