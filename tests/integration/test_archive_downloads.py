"""Archives by HTTP: entity tags in place of hashes, unreadable hashes, signatures that do not match."""

import http.server
import io
import tarfile

import pytest

from tests.support.servers import serving


class Archives(http.server.BaseHTTPRequestHandler):
    """Server of `/a.tar` and `/a.tar.asc` with an entity tag; `statuses` has the sent status codes."""

    def do_GET(self):
        is_known = self.headers.get("If-None-Match") == '"one"'
        status = 404 if self.path not in ("/a.tar", "/a.tar.asc") else 304 if is_known else 200
        self.server.statuses.append(status)
        body = archive() if status == 200 else b""
        self.send_response(status)
        self.send_header("ETag", '"one"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args):
        pass


def archive():
    """Return a tar archive with the file `top/a`."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as made:
        member = tarfile.TarInfo("top/a")
        member.size = 1
        made.addfile(member, io.BytesIO(b"a"))
    return buffer.getvalue()


@pytest.fixture
def server():
    """Yield a running server; `server.url` is the address of its archive."""
    with serving(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Archives)) as running:
        running.statuses = []
        running.url = f"http://127.0.0.1:{running.server_port}/a.tar"
        yield running


def extracted(salt_g, tmp_path, server, *words):
    name = tmp_path / "out"
    run = salt_g("state.single", "archive.extracted", name, f"source={server.url}", *words)
    return next(iter(run.value.values()))


def test_an_archive_with_an_entity_tag_needs_no_hash(salt_g, tmp_path, server):
    first = extracted(salt_g, tmp_path, server, "use_etag=True")
    second = extracted(salt_g, tmp_path, server, "use_etag=True")

    assert first["result"] is True, first["comment"]
    assert second["comment"] == "All files in archive are already present"
    assert server.statuses == [200, 304]


def test_a_hash_file_that_cannot_be_read_is_reported_in_a_sentence(salt_g, tmp_path, server):
    gone = server.url.replace("a.tar", "nosuch.sha256")

    ret = extracted(salt_g, tmp_path, server, f"source_hash={gone}")

    assert ret["result"] is False
    assert ret["comment"].startswith("Error: HTTP 404")
    assert "Traceback" not in ret["comment"]


@pytest.mark.parametrize("signature", ["True", "{url}.asc"])
def test_an_archive_whose_signature_does_not_fit_leaves_the_cache(salt_g, tmp_path, server, signature):
    salt_g.write(
        {"_modules/nosig.py": "def verify(**kwargs):\n    return {'res': False, 'message': 'a wrong one'}\n"}
    )
    salt_g("saltutil.sync_modules")
    given = f"signature={signature.format(url=server.url)}"

    ret = extracted(salt_g, tmp_path, server, "skip_verify=True", given, "sig_backend=nosig")

    assert ret["result"] is False and "a wrong one" in ret["comment"]
    assert salt_g("cp.is_cached", server.url).value == ""
    assert salt_g("cp.is_cached", f"{server.url}.asc").value == ""
