"""`salt.utils.s3` of extensions, with a server that stores objects and verifies signatures."""

import datetime
import http.server
import urllib.parse

import pytest

from salt_g.compat.utils.net.s3 import query
from salt_g.errors import CommandExecutionError
from salt_g.net.aws_signature import AwsCredentials, AwsRequest, signed_headers
from tests.support.servers import serving

OURS = {"key": "a secret", "keyid": "me"}
LIST = "<ListBucketResult xmlns='http://s3.amazonaws.com/doc/2006-03-01/'><IsTruncated>false</IsTruncated>{}</ListBucketResult>"
ITEM = "<Contents><Key>{}</Key><Size>{}</Size></Contents>"
ERROR = "<Error><Code>{}</Code><Message>no</Message></Error>"


class Store(http.server.BaseHTTPRequestHandler):
    """Server of one bucket's objects by path; requests with another signature are refused."""

    def answer(self):
        parts = urllib.parse.urlsplit(self.path)
        found = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        headers = {name.lower(): value for name, value in self.headers.items()}
        stamp = datetime.datetime.strptime(headers["x-amz-date"], "%Y%m%dT%H%M%SZ")
        request = AwsRequest(
            self.command, headers["host"], parts.path, found, {}, headers["x-amz-content-sha256"]
        )
        wanted = signed_headers(
            request, AwsCredentials("me", "a secret"), region="here", service="s3", now=stamp
        )
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if headers["authorization"] != wanted["Authorization"]:
            return self.say(403, ERROR.format("SignatureDoesNotMatch").encode())
        name = urllib.parse.unquote(parts.path).removeprefix("/box/")
        return getattr(self, f"on_{self.command.lower()}")(name, body, found)

    do_GET = do_HEAD = do_PUT = do_DELETE = answer

    def on_get(self, name, body, found):
        if not name:
            after = found.get("marker", "")
            items = [
                ITEM.format(key, len(value)) for key, value in self.server.objects.items() if key > after
            ]
            return self.say(200, LIST.format("".join(items)).encode())
        if name not in self.server.objects:
            return self.say(404, ERROR.format("NoSuchKey").encode())
        return self.say(200, self.server.objects[name])

    def on_head(self, name, body, found):
        self.say(200, b"")

    def on_put(self, name, body, found):
        self.server.objects[name] = body
        self.say(200, b"")

    def on_delete(self, name, body, found):
        self.server.objects.pop(name)
        self.say(204, b"")

    def say(self, code, body):
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Kept", "yes")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


@pytest.fixture
def ask():
    """Send a request to a store that has one object; `ask.objects` are its objects."""
    with serving(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Store)) as server:
        server.objects = {"base/a b.sls": b"content"}
        place = {
            "service_url": f"127.0.0.1:{server.server_address[1]}",
            **{"bucket": "box", "path_style": True, "https_enable": False, "location": "here"},
        }

        def send(**options):
            return query(**{**OURS, **place, **options})

        send.objects = server.objects
        yield send


def test_lists_are_elements(ask):
    assert ask() == [{"IsTruncated": "false"}, {"Key": "base/a b.sls", "Size": "7"}]
    assert ask(params={"marker": "base/z y"}) == [{"IsTruncated": "false"}]
    found, url = ask(return_url=True)
    assert found[1]["Key"] == "base/a b.sls" and url.endswith("/box/")


@pytest.mark.parametrize("path", ["base/a b.sls", "base/a%20b.sls"])
def test_objects_are_read(ask, tmp_path, path):
    copy = tmp_path / "copy"

    assert ask(path=path, return_bin=True) == b"content"
    assert ask(path=path, local_file=str(copy)) == f"Saved to local file: {copy}"
    assert copy.read_bytes() == b"content"
    assert ask(path=path, method="HEAD", full_headers=True)["headers"]["X-Kept"] == "yes"
    assert "X-Kept" in ask(path=path, method="HEAD")["headers"]


def test_objects_are_written_and_removed(ask, tmp_path):
    (tmp_path / "new").write_bytes(b"x" * 100_000)

    assert ask(path="base/new", method="PUT", local_file=str(tmp_path / "new")) is None
    assert ask.objects["base/new"] == b"x" * 100_000
    assert ask(path="base/new", method="DELETE") is None
    assert "base/new" not in ask.objects


@pytest.mark.parametrize(
    "options, reason",
    [
        ({"path": "nothing"}, "Failed s3 operation. NoSuchKey: no"),
        ({"key": "another"}, "Failed s3 operation. SignatureDoesNotMatch: no"),
        ({"key": None}, "set s3.keyid and s3.key"),
        ({"service_url": "127.0.0.1:1"}, "s3: GET http://127.0.0.1:1/box/: "),
        ({"path": "odd"}, "s3: the response is not XML: "),
    ],
)
def test_failures_have_a_reason(ask, options, reason):
    ask.objects["odd"] = b"<odd"

    with pytest.raises(CommandExecutionError) as raised:
        ask(**options)

    assert reason in str(raised.value)
