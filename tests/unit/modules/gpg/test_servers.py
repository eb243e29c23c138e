"""Keys from a key server run by the test."""

import http.server
import urllib.parse

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import gpg
from tests.support.servers import serving


class KeyServer(http.server.BaseHTTPRequestHandler):
    """HKP server, as far as gpg uses it; `keys` is {fingerprint: armoured key}."""

    keys = {}

    def do_GET(self):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(self.path).query))
        name = query["search"].removeprefix("0x")
        found = [key for key in self.keys if key.endswith(name) or name == "ann@example.com"]
        if not found:
            self.send_error(404)
            return
        if query["op"] == "index":
            lines = [f"info:1:{len(found)}"]
            for key in found:
                lines += [f"pub:{key}:1:1024:1600000000::", "uid:Ann %3a %3cann@example.com%3e:1600000000::"]
            body = "\n".join([*lines, ""])
        else:
            body = "".join(self.keys[key] for key in found)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *args):
        pass


@pytest.fixture
def key_server(home, made):
    """Yield (address of a server that has Ann's key, fingerprint of the key)."""
    fingerprint = made(home)
    KeyServer.keys = {fingerprint: gpg.export_key(bare=True, gnupghome=home)}
    with serving(http.server.ThreadingHTTPServer(("127.0.0.1", 0), KeyServer)) as server:
        yield f"hkp://127.0.0.1:{server.server_port}", fingerprint


def test_keys_come_from_a_server(key_server, new_home):
    server, fingerprint = key_server

    other = new_home()
    first = gpg.receive_keys(server, fingerprint, gnupghome=other)
    second = gpg.receive_keys(server, [fingerprint], gnupghome=other)
    unknown = gpg.receive_keys(server, "0123456789ABCDEF", gnupghome=other)
    found = gpg.search_keys("ann@example.com", server, gnupghome=other)
    none = gpg.search_keys("bob@example.com", server, gnupghome=other)
    there = gpg.list_keys(gnupghome=other)

    assert first == {"res": True, "message": [f"Key {fingerprint} added to keychain"]}
    assert second == {"res": True, "message": [f"Key {fingerprint} already exists in keychain"]}
    assert unknown["res"] is False
    assert unknown["message"][-1].startswith("GPG reported failure: gpg: keyserver receive failed")
    assert [key["uids"] for key in found] == [["Ann : <ann@example.com>"]]
    assert none == []
    assert [key["fingerprint"] for key in there] == [fingerprint]


def test_a_server_that_does_not_answer_is_named(home):
    with pytest.raises(CommandExecutionError, match="cannot search hkp://127.0.0.1:1: gpg: "):
        gpg.search_keys("ann@example.com", "hkp://127.0.0.1:1", gnupghome=home)
