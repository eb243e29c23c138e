"""Bundles of compiled chunks."""

import hashlib
import io
import json
import os
import tarfile

import pytest

from salt_g.errors import CompileError, InvocationError
from salt_g.state.bundle import open_bundle


@pytest.fixture
def packed(tmp_path):
    """Return a function that returns (path, digest) of a bundle of these files."""

    def pack(files):
        path = tmp_path / "bundle.tgz"
        with tarfile.open(path, "w:gz") as archive:
            for name, data in files.items():
                member = tarfile.TarInfo(name)
                content = data if isinstance(data, bytes) else json.dumps(data).encode()
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
        return str(path), hashlib.sha256(path.read_bytes()).hexdigest()

    return pack


def test_a_bundle_is_unpacked_and_removed(packed):
    chunk = {"state": "test"}
    with open_bundle(*packed({"lowstate.json": [chunk], "base/f": b"x"}), "sha256") as bundle:
        assert bundle.chunks() == [chunk]
        assert bundle.pillar() is None
        assert bundle.file_roots() == {"base": [os.path.join(bundle.root, "base")]}

    assert not os.path.exists(bundle.root)


def test_another_digest_is_another_bundle(packed):
    path, _ = packed({"lowstate.json": []})

    assert open_bundle(path, "0" * 64, "sha256") is None
    assert open_bundle("/no/such", "0" * 64, "sha256") is None


@pytest.mark.parametrize("name", ["../out", "a/../../out"])
def test_a_bundle_stays_in_its_folder(packed, name):
    assert open_bundle(*packed({name: b"x"}), "sha256") is None


def test_an_error_report_in_place_of_chunks_is_raised(packed):
    with (
        open_bundle(*packed({"lowstate.json": ["no such sls"]}), "sha256") as bundle,
        pytest.raises(CompileError),
    ):
        bundle.chunks()


def test_an_unknown_hash_type_is_named(packed):
    path, digest = packed({})

    with pytest.raises(InvocationError, match="unknown hash type 'md0'"):
        open_bundle(path, digest, "md0")
