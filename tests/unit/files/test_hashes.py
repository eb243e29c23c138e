"""Hashes of files: correct, cached, computed in a thread for large files."""

import hashlib
import os

import pytest

from salt_g.errors import FileServerError
from salt_g.files.hashes import HashCache, hash_of
from salt_g.process.offload import LARGE


def test_a_hash_is_that_of_the_content(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"content")

    assert hash_of(str(path)) == hashlib.sha256(b"content").hexdigest()
    assert hash_of(str(path), "md5") == hashlib.md5(b"content").hexdigest()


def test_an_unknown_algorithm_is_named(tmp_path):
    with pytest.raises(FileServerError, match="'crc99' is not available"):
        hash_of(str(tmp_path), "crc99")


def test_a_remembered_hash_is_given_up_when_the_file_changes(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"one")
    cache = HashCache()
    first = cache.hash_of(str(path), "sha256")

    assert cache.hash_of(str(path), "sha256") == first
    path.write_bytes(b"two")
    os.utime(path, ns=(1, 1))
    assert cache.hash_of(str(path), "sha256") == hashlib.sha256(b"two").hexdigest()


def test_a_large_file_is_hashed_as_a_small_one(tmp_path):
    path = tmp_path / "large"
    with open(path, "wb") as file:
        file.truncate(LARGE)

    assert HashCache().hash_of(str(path), "sha256") == hashlib.sha256(bytes(LARGE)).hexdigest()
