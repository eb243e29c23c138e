"""Files and archives by HTTP with signatures of the backend `asymmetric`."""

import functools
import hashlib
import http.server
import io
import subprocess
import tarfile

import pytest

from tests.support.servers import serving


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Server of a directory, without a request log."""

    def log_message(self, *_args):
        pass


@pytest.fixture
def keys(tmp_path):
    """Return a directory of the key pairs `one` and `other`."""
    for name in ("one", "other"):
        for words in (["genpkey", "-algorithm", "ed25519"], ["pkey", "-in", name, "-pubout"]):
            out = f"{name}.pub" if "-pubout" in words else name
            subprocess.run(["openssl", *words, "-out", out], cwd=tmp_path, check=True)
    return tmp_path


@pytest.fixture
def served(salt_g, keys):
    """Yield a function that serves this content.

    Beside it are `.sha256`, and signatures of both files by `one`.
    """
    root = keys / "served"
    root.mkdir()

    def serve(name, content):
        (root / name).write_bytes(content)
        (root / f"{name}.sha256").write_text(f"{hashlib.sha256(content).hexdigest()}  {name}\n")
        for signed in (name, f"{name}.sha256"):
            out = root / f"{signed}.sig"
            salt_g("asymmetric.sign", keys / "one", f"filename={root / signed}", f"path={out}", "raw=False")
        return f"http://127.0.0.1:{server.server_port}/{name}"

    handler = functools.partial(Quiet, directory=str(root))
    with serving(http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)) as server:
        yield serve


def archive():
    """Return a tar archive with the file `top/a`."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as made:
        made.addfile(tarfile.TarInfo("top/a"), io.BytesIO())
    return buffer.getvalue()


CASES = [("file.managed", "a.txt", b"plain\n"), ("archive.extracted", "a.tar", archive())]
SIGNED = [("signature", ".sig"), ("source_hash_sig", ".sha256.sig")]


def single(salt_g, function, out, url, *words):
    given = [f"source={url}", f"source_hash={url}.sha256", "sig_backend=asymmetric", *words]
    return next(iter(salt_g("state.single", function, out, *given).value.values()))


@pytest.mark.parametrize(("function", "name", "content"), CASES)
@pytest.mark.parametrize(("argument", "suffix"), SIGNED)
def test_a_source_that_the_key_has_signed_is_taken(
    salt_g, keys, served, function, name, content, argument, suffix
):
    url = served(name, content)
    by = f"signed_by_any=[{keys}/other.pub, {keys}/one.pub]"

    ret = single(salt_g, function, keys / "made", url, f"{argument}={url}{suffix}", by)

    assert ret["result"] is True, ret["comment"]
    assert (keys / "made").exists()


@pytest.mark.parametrize(("function", "name", "content"), CASES)
@pytest.mark.parametrize(("argument", "suffix"), SIGNED)
def test_a_source_that_the_key_has_not_signed_is_refused_and_not_cached(
    salt_g, keys, served, function, name, content, argument, suffix
):
    url = served(name, content)
    by = f"signed_by_all={keys}/other.pub"

    ret = single(salt_g, function, keys / "made", url, f"{argument}=[{url}{suffix}]", by)

    assert ret["result"] is False
    assert "signature could not be verified" in ret["comment"]
    assert not ret["changes"]
    assert not (keys / "made").exists()
    assert salt_g("cp.is_cached", url).value == ""
    assert salt_g("cp.is_cached", f"{url}{suffix}").value == ""
