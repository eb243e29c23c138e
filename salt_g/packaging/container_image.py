"""Container image in the OCI layout, built without a daemon: a tar file for `podman load` and `skopeo`.

Two layers: a minimal Debian created by debootstrap, which states and commands of a minion need; and the
contents of the packages. The build is reproducible: times and owners are fixed.
Source: OCI image format specification 1.0 (image layout, manifest, configuration).
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import pathlib
import platform
import shutil
import subprocess
import tarfile
from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.packaging import contents
from salt_g.packaging.metadata import Metadata

SUITE = "bookworm"
MIRROR = "http://deb.debian.org/debian"
#: Ports of the master, and volumes: directories that outlive a container.
_PORTS = ("4505/tcp", "4506/tcp")
_VOLUMES = ("/etc/salt", "/srv", "/var/cache/salt")
_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
_LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
_CONFIG = "application/vnd.oci.image.config.v1+json"
_MANIFEST = "application/vnd.oci.image.manifest.v1+json"
#: Directories whose contents are left out of layers: files that apt can fetch again, logs, and what the
#: container runtime provides.
_EXCLUDED = ("dev", "proc", "sys", "var/cache/apt", "var/lib/apt/lists", "var/log")


class Layer(NamedTuple):
    """Layer among the blobs: its descriptor, and the digest of its uncompressed content."""

    descriptor: dict[str, Any]
    diff_id: str


def build(
    directory: pathlib.Path, program: pathlib.Path, scratch: pathlib.Path, metadata: Metadata
) -> pathlib.Path:
    """Build the image in `directory` from the frozen program; return its path.

    Requires root. Raises subprocess.CalledProcessError if debootstrap fails, with its output.
    """
    base, own, layout = scratch / "base", scratch / "own", scratch / "layout"
    mirror = os.environ.get("SALT_G_DEBIAN_MIRROR", MIRROR)
    words = ["debootstrap", "--variant=minbase", "--include=ca-certificates", SUITE, str(base), mirror]
    subprocess.run(words, check=True, capture_output=True, text=True)
    contents.stage(own, program, "/usr/share/zsh/vendor-completions")
    blobs = layout / "blobs" / "sha256"
    blobs.mkdir(parents=True)
    layers = [_write_layer(blobs, base, scratch), _write_layer(blobs, own, scratch)]
    config = _write_json(blobs, _configuration(layers, metadata), _CONFIG)
    manifest = {
        "schemaVersion": 2,
        "mediaType": _MANIFEST,
        "config": config,
        "layers": [layer.descriptor for layer in layers],
    }
    entry = _write_json(blobs, manifest, _MANIFEST)
    entry["annotations"] = {"org.opencontainers.image.ref.name": f"salt-g:{metadata.version}"}
    (layout / "index.json").write_text(json.dumps({"schemaVersion": 2, "manifests": [entry]}))
    (layout / "oci-layout").write_text('{"imageLayoutVersion": "1.0.0"}')
    target = directory / f"salt-g-{metadata.version}-{_architecture()}.oci.tar"
    with tarfile.open(target, "w") as archive:
        archive.add(layout, arcname=".", filter=_plain)
    return target


def _configuration(layers: list[Layer], metadata: Metadata) -> dict[str, Any]:
    return {
        "architecture": _architecture(),
        "os": "linux",
        "config": {
            "Entrypoint": ["/usr/bin/salt-g"],
            "Cmd": ["master"],
            "Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8"],
            "ExposedPorts": {port: {} for port in _PORTS},
            "Volumes": {path: {} for path in _VOLUMES},
            "StopSignal": "SIGTERM",
            "Labels": {
                "org.opencontainers.image.title": "salt-g",
                "org.opencontainers.image.version": metadata.version,
                "org.opencontainers.image.licenses": metadata.license,
                "org.opencontainers.image.description": metadata.summary,
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [layer.diff_id for layer in layers]},
    }


def _write_layer(blobs: pathlib.Path, root: pathlib.Path, scratch: pathlib.Path) -> Layer:
    """Write a directory as a compressed layer; return its description."""
    plain = scratch / f"{root.name}.tar"
    with tarfile.open(plain, "w") as archive:
        for path in sorted(root.iterdir()):
            archive.add(path, arcname=path.name, filter=_of_layer)
    packed = blobs / f"{root.name}.gz"
    with (
        open(plain, "rb") as source,
        open(packed, "wb") as file,
        gzip.GzipFile(fileobj=file, mode="wb", compresslevel=6, mtime=0, filename="") as target,
    ):
        shutil.copyfileobj(source, target, 1 << 20)
    digest, size = _digest(packed), packed.stat().st_size
    packed.rename(blobs / digest)
    layer = Layer(_descriptor(_LAYER, digest, size), f"sha256:{_digest(plain)}")
    plain.unlink()
    return layer


def _write_json(blobs: pathlib.Path, value: Mapping[str, Any], media_type: str) -> dict[str, Any]:
    """Write a document as a blob; return its descriptor."""
    data = json.dumps(value, sort_keys=True).encode()
    digest = hashlib.sha256(data).hexdigest()
    (blobs / digest).write_bytes(data)
    return _descriptor(media_type, digest, len(data))


def _descriptor(media_type: str, digest: str, size: int) -> dict[str, Any]:
    return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": size}


def _of_layer(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Return an entry of a layer with a fixed time and unchanged owner, or None if it is excluded."""
    parent, _, _ = member.name.rpartition("/")
    if member.isdev() or any(
        parent == excluded or parent.startswith(f"{excluded}/") for excluded in _EXCLUDED
    ):
        return None
    member.mtime = 0
    return member


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.mtime = member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member


def _digest(path: pathlib.Path) -> str:
    found = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            found.update(piece)
    return found.hexdigest()


def _architecture() -> str:
    machine = platform.machine()
    return _ARCHITECTURES.get(machine, machine)
