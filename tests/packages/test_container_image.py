"""The container image: a valid OCI layout, whose layers form a system that runs salt-g."""

import gzip
import hashlib
import json
import os
import subprocess
import tarfile

import pytest

from salt_g import __version__


@pytest.fixture(scope="module")
def layout(packages, tmp_path_factory):
    """Return the unpacked layout."""
    (path,) = packages.glob("*.oci.tar")
    directory = tmp_path_factory.mktemp("layout")
    with tarfile.open(path) as archive:
        archive.extractall(directory, filter="fully_trusted")
    return directory


def _blob(layout, descriptor):
    """Return the content of a blob, verified against its descriptor."""
    data = (layout / "blobs/sha256" / descriptor["digest"].removeprefix("sha256:")).read_bytes()
    assert len(data) == descriptor["size"]
    assert "sha256:" + hashlib.sha256(data).hexdigest() == descriptor["digest"]
    return data


def _documents(layout):
    """Return manifest and configuration of the only image."""
    (entry,) = json.loads((layout / "index.json").read_text())["manifests"]
    manifest = json.loads(_blob(layout, entry))
    return manifest, json.loads(_blob(layout, manifest["config"]))


def test_every_blob_is_what_the_documents_say(layout):
    manifest, configuration = _documents(layout)
    contents = [gzip.decompress(_blob(layout, layer)) for layer in manifest["layers"]]

    assert json.loads((layout / "oci-layout").read_text()) == {"imageLayoutVersion": "1.0.0"}
    assert [f"sha256:{hashlib.sha256(data).hexdigest()}" for data in contents] == (
        configuration["rootfs"]["diff_ids"]
    )
    assert len(list((layout / "blobs/sha256").iterdir())) == len(manifest["layers"]) + 2
    assert configuration["config"]["Entrypoint"] == ["/usr/bin/salt-g"]
    assert configuration["config"]["Labels"]["org.opencontainers.image.version"] == __version__


@pytest.mark.skipif(os.geteuid() != 0, reason="a chroot needs root")
def test_its_layers_are_a_system_that_runs_the_program(layout, tmp_path):
    manifest, configuration = _documents(layout)
    for layer in manifest["layers"]:
        path = layout / "blobs/sha256" / layer["digest"].removeprefix("sha256:")
        subprocess.run(["tar", "-xzf", str(path), "-C", str(tmp_path)], check=True)
    (tmp_path / "dev/null").touch()
    environment = dict(line.split("=", 1) for line in configuration["config"]["Env"])

    words = [*configuration["config"]["Entrypoint"], "call", "--local", "cmd.run", "echo here", "--out=json"]
    done = subprocess.run(
        ["chroot", str(tmp_path), *words], capture_output=True, text=True, env=environment, timeout=120
    )

    assert json.loads(done.stdout) == {"local": "here"}, done.stderr
