"""Files of this machine as a file server: copies, hashes, modes."""

import hashlib
import io
import os
import stat

import pytest

from salt_g.files.local import LocalServer
from salt_g.files.roots import FoundFile, Roots, RootsRules


@pytest.fixture
def root(tmp_path):
    (tmp_path / "srv/d").mkdir(parents=True)
    (tmp_path / "srv/d/f").write_text("content")
    return tmp_path / "srv"


@pytest.fixture
def server(root):
    return LocalServer(Roots({"base": [str(root)]}, RootsRules()))


def test_a_copy_is_private_and_has_the_time_of_its_source(server, root, tmp_path):
    os.utime(root / "d/f", ns=(1_000_000_001, 2_000_000_003))
    dest = tmp_path / "cache/d/f"

    assert server.refresh("d/f", "base", str(dest))

    status = dest.stat()
    assert dest.read_text() == "content"
    assert status.st_mtime_ns == 2_000_000_003
    assert stat.S_IMODE(status.st_mode) == 0o600


def test_an_unchanged_copy_is_left_alone_and_an_older_one_replaced(server, root, tmp_path):
    dest = tmp_path / "f"
    server.refresh("d/f", "base", str(dest))
    first = dest.stat().st_ino

    # Its number is not used again while it is open.
    with dest.open():
        server.refresh("d/f", "base", str(dest))
        assert dest.stat().st_ino == first

        (root / "d/f").write_text("CONTENT")
        os.utime(root / "d/f", ns=(0, 5))
        server.refresh("d/f", "base", str(dest))

    assert dest.read_text() == "CONTENT"
    assert dest.stat().st_ino != first


def test_a_link_in_place_of_the_copy_is_replaced(server, root, tmp_path):
    dest = tmp_path / "f"
    dest.symlink_to(root / "d/f")

    server.refresh("d/f", "base", str(dest))

    assert not dest.is_symlink()
    assert dest.read_text() == "content"


def test_a_missing_file_is_reported_without_a_trace(server, tmp_path):
    file = io.BytesIO()

    assert server.refresh("none", "base", str(tmp_path / "cache/none")) is False
    assert server.write("none", "base", file) is False
    assert server.hash_file("none", "base") == {}
    assert server.stat_file("d/f", "none") is None
    assert not (tmp_path / "cache").exists()
    assert file.getvalue() == b""


def test_content_and_hash_are_those_of_the_file(server):
    file = io.BytesIO()

    assert server.write("d/f", "base", file)
    assert file.getvalue() == b"content"
    assert server.hash_file("d/f", "base") == {
        "hsum": hashlib.sha256(b"content").hexdigest(),
        "hash_type": "sha256",
    }


def test_a_mode_that_the_backend_knows_goes_before_that_of_the_file(root):
    class Repository:
        def find(self, path, saltenv):
            return FoundFile(str(root / path), path, "gitfs", 0o100755)

    os.chmod(root / "d/f", 0o600)
    found = LocalServer(Repository()).stat_file("d/f", "base")

    assert found.st_mode == 0o100755
    assert found.st_size == len("content")


def test_environments_and_listings_are_those_of_the_source(server):
    assert server.envs() == ["base"]
    assert server.listing("base").files == ("d/f",)
