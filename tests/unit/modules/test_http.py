"""Requests to a web server of the test's own."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from salt_g.errors import InvocationError
from salt_g.files.client import LocalFileClient
from salt_g.modules import http
from salt_g.modules.http import decoding
from tests.support.servers import serving

ANSWERS = {
    "/yaml": ("application/yaml", "a: [1, 2]\n"),
    "/xml": ("text/xml", "<r><a x='1'>t</a><b><c>u</c><c>v</c></b></r>"),
    "/text": ("text/plain; charset=utf-8", "žluť\n"),
}


class _Site(BaseHTTPRequestHandler):
    def do_GET(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length).decode()
        self.server.seen.append((self.command, self.path, body, self.headers))
        found = self.path.split("?")[0]
        if found == "/missing" or len(self.server.seen) <= self.server.failures:
            self.send_error(404, "Not Found")
            return
        kind, text = ANSWERS.get(found, ("application/json", json.dumps({"method": self.command})))
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    do_POST = do_PUT = do_GET

    def log_message(self, *args):
        pass


@pytest.fixture
def site(monkeypatch, call_context, tmp_path):
    monkeypatch.setenv("no_proxy", "*")
    opts = {"cachedir": str(tmp_path), "file_roots": {"base": [str(tmp_path)]}}
    call_context(opts=opts, files=LocalFileClient(opts))
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    server.seen, server.failures = [], 0
    server.url = f"http://127.0.0.1:{server.server_port}"
    with serving(server):
        yield server


def test_a_query_goes_through_the_proxy_of_the_settings(site, call_context, monkeypatch):
    monkeypatch.delenv("no_proxy")
    call_context(opts={"proxy_host": "127.0.0.1", "proxy_port": site.server_port, "no_proxy": "other"})

    assert http.query("http://api.invalid/x")["body"] == '{"method": "GET"}'
    assert site.seen[0][1] == "http://api.invalid/x"


def test_the_body_comes_back(site):
    assert http.query(f"{site.url}/x") == {"body": '{"method": "GET"}'}


def test_status_and_headers_come_when_asked_for(site):
    answer = http.query(f"{site.url}/text", status=True, headers=True, text=True)

    assert answer["status"] == 200
    assert answer["headers"]["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["text"] == answer["body"] == "žluť\n"


@pytest.mark.parametrize(
    ("path", "decode_type", "key", "value"),
    [
        ("/x", "auto", "dict", {"method": "GET"}),
        ("/yaml", "auto", "dict", {"a": [1, 2]}),
        ("/xml", "auto", "dict", [{"a": "t"}, {"c": ["u", {"c": "v"}]}]),
        ("/text", "auto", "text", "žluť\n"),
        ("/x", "plain", "text", '{"method": "GET"}'),
        ("/x", "nope", "error", f"Invalid decode_type specified. Valid decode types are: {decoding.TYPES}"),
    ],
)
def test_a_body_is_decoded(site, path, decode_type, key, value):
    assert http.query(site.url + path, decode=True, decode_type=decode_type)[key] == value


def test_a_request_carries_what_was_given(site, tmp_path):
    (tmp_path / "headers").write_text("X-C: 3\n")

    http.query(
        f"{site.url}/x?a=b",
        method="POST",
        params={"q": "1 2"},
        data={"k": "v w"},
        header_dict={"X-A": 1},
        header_list=["X-B: two"],
        header_file=str(tmp_path / "headers"),
        username="u",
        password="p",
    )

    method, path, body, headers = site.seen[0]
    assert (method, path, body) == ("POST", "/x?a=b&q=1+2", "k=v+w")
    assert [headers[name] for name in ("X-A", "X-B", "X-C", "Authorization")] == [
        "1",
        "two",
        "3",
        "Basic dTpw",
    ]


def test_a_bad_status_is_an_error_unless_it_is_wanted(site):
    answer = http.query(f"{site.url}/missing")

    assert (answer["status"], answer["error"]) == (404, "HTTP 404: Not Found")
    assert http.query(f"{site.url}/missing", status=True, raise_error=False)["status"] == 404


def test_no_answer_is_an_error(site):
    answer = http.query("http://127.0.0.1:1/x?key=secret", status=True)

    assert answer["status"] == 0
    assert answer["error"].startswith(
        "[Errno 111] Connection refused reading http://127.0.0.1:1/x, waited 0."
    )


def test_other_schemes_are_refused(site):
    with pytest.raises(InvocationError, match="'file' is not supported"):
        http.query("file:///etc/passwd")


def test_a_test_sends_nothing(site):
    assert http.query(f"{site.url}/x", test=True) == {}
    assert site.seen == []
    assert http.query(f"{site.url}/x", test=True, test_url=f"{site.url}/text")["test"] is True


def test_parts_are_written_to_files(site, tmp_path):
    http.query(f"{site.url}/text", text_out=f"{tmp_path}/t", headers_out=f"{tmp_path}/h")

    assert (tmp_path / "t").read_text() == "žluť\n"
    assert "Content-Type" in json.loads((tmp_path / "h").read_text())


def test_waiting_goes_on_until_an_answer_is_good(site):
    site.failures = 2

    answer = http.wait_for_successful_query(f"{site.url}/x", wait_for=10, request_interval=0.01)

    assert answer == {"body": '{"method": "GET"}'}
    assert len(site.seen) == 3
