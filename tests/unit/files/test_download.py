"""Downloads: requests, cached copies, errors."""

import contextlib
import hashlib
import os
import socket
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from salt_g.errors import FileServerError
from salt_g.files.download import download, has_hash
from salt_g.net.web_proxy import WebProxy
from tests.support.servers import serving


class Site(BaseHTTPRequestHandler):
    """Serves one text; the path selects the behaviour."""

    def do_GET(self):
        self.server.seen.append((self.path, dict(self.headers)))
        path = self.path.partition("?")[0]
        if path == "/broken":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"half")
            return
        if path == "/gone":
            self.send_error(410)
            return
        if path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/new")
            self.end_headers()
            return
        is_known = self.headers.get("If-None-Match") == self.server.etag
        self.send_response(304 if is_known else 200)
        if path != "/plain":
            self.send_header("ETag", self.server.etag)
        self.end_headers()
        if not is_known:
            self.wfile.write(f"text of {self.server.etag}".encode())

    def log_message(self, *args):
        pass


@pytest.fixture
def site(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.seen, server.etag = [], '"1"'
    with serving(server):
        yield server


@pytest.fixture
def fetch(site, tmp_path):
    """Return a function that fetches a path of the site into `dest`, and returns the content of `dest`."""

    def run(path, login="", **options):
        dest = tmp_path / "dest"
        url = f"http://{login}127.0.0.1:{site.server_port}{path}"
        download(url, str(dest), mode=0o600, web=WebProxy(), **options)
        return dest.read_text()

    return run


def test_a_file_is_fetched_again_only_when_the_server_has_another(fetch, site):
    texts = []
    for etag in ('"1"', '"1"', '"2"'):
        site.etag = etag
        texts.append(fetch("/f", use_etag=True))

    assert texts == ['text of "1"', 'text of "1"', 'text of "2"']
    assert [headers.get("If-None-Match") for _, headers in site.seen] == [None, '"1"', '"1"']


def test_a_lost_file_is_fetched_whatever_is_known_about_it(fetch, site, tmp_path):
    fetch("/f", use_etag=True)
    os.unlink(tmp_path / "dest")

    assert fetch("/f", use_etag=True) == 'text of "1"'


def test_nothing_is_remembered_unless_asked_for(fetch, tmp_path):
    fetch("/f")
    fetch("/plain", use_etag=True)

    assert os.listdir(tmp_path) == ["dest"]


def test_a_login_of_the_address_is_sent_as_a_header(fetch, site):
    fetch("/f", "me:p%40ss@")

    assert site.seen[0][1]["Authorization"] == "Basic bWU6cEBzcw=="
    assert site.seen[0][1]["Host"] == f"127.0.0.1:{site.server_port}"


def test_a_moved_file_is_found(fetch):
    assert fetch("/moved") == 'text of "1"'


@pytest.mark.parametrize(("path", "reason"), [("/gone", "HTTP 410: Gone"), ("/broken", "996 bytes early")])
def test_a_failure_keeps_the_old_file_and_reveals_no_secrets(fetch, tmp_path, path, reason):
    fetch("/f")

    with pytest.raises(FileServerError, match=reason) as failed:
        fetch(f"{path}?key=secret", "me:secret@")

    assert "secret" not in str(failed.value)
    assert (tmp_path / "dest").read_text() == 'text of "1"'
    assert os.listdir(tmp_path) == ["dest"]


@pytest.mark.parametrize("password", ["sec/ret", "sec?ret", "sec[ret"])
def test_a_malformed_url_is_an_error_without_any_part_of_its_password(tmp_path, password):
    with pytest.raises(FileServerError, match="percent-encode") as failed:
        download(f"http://me:{password}@127.0.0.1/f", str(tmp_path / "f"), mode=0o600, web=WebProxy())

    shown = "".join(traceback.format_exception(failed.value)).partition("Error: ")[2]
    assert "sec" not in shown
    assert "ret" not in shown


def test_a_missing_server_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    with contextlib.closing(socket.socket()) as bound:
        bound.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{bound.getsockname()[1]}/f?key=secret"

        with pytest.raises(FileServerError, match="refused.* reading http://127.0.0.1:[0-9]+/f, waited"):
            download(url, str(tmp_path / "f"), mode=0o600, web=WebProxy())


def test_a_file_has_a_hash_of_any_known_length(tmp_path):
    (tmp_path / "f").write_bytes(b"hi")
    path = str(tmp_path / "f")

    for kind in ("md5", "sha1", "sha256", "sha512"):
        digest = hashlib.new(kind, b"hi").hexdigest()
        assert has_hash(path, f"{kind}={digest}") and has_hash(path, digest.upper())
        assert not has_hash(path, digest[:-1]) and not has_hash(path + "x", digest)
    assert not has_hash(path, "") and not has_hash(path, None)
