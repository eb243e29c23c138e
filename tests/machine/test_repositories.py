"""`pkgrepo` with a signed repository in a directory: apt accepts what the state has written."""

import hashlib
import os
import time

import pytest

PLAIN = "file:/srv/repo stable main"
LINE = f"deb [signed-by=/etc/apt/keyrings/repo.gpg arch=amd64] {PLAIN}"
CONTROL = """\
Package: tiny
Version: 1.0
Architecture: all
Maintainer: salt-g <salt-g@example.org>
Description: a package of a test
"""
RELEASE = """\
Suite: stable
Date: {date}
Architectures: amd64 all
Components: main
SHA256:
 {digest} {size} main/binary-amd64/Packages
"""


@pytest.fixture(scope="module")
def key(salt):
    """Create the key that signs the repository; return its name in the tree."""
    salt.write("/root/tiny/DEBIAN/control", CONTROL)
    salt.done("mkdir", "-p", "/srv/repo/dists/stable/main/binary-amd64")
    salt.done("dpkg-deb", "--root-owner-group", "-b", "/root/tiny", "/srv/repo/tiny.deb")
    package = (salt.root / "srv/repo/tiny.deb").read_bytes()
    digest = hashlib.sha256(package).hexdigest()
    packages = f"{CONTROL}Filename: tiny.deb\nSize: {len(package)}\nSHA256: {digest}\n"
    salt.write("/srv/repo/dists/stable/main/binary-amd64/Packages", packages)
    release = RELEASE.format(
        date=time.strftime("%a, %d %b %Y %H:%M:%S UTC", time.gmtime(time.time() - 3600)),
        digest=hashlib.sha256(packages.encode()).hexdigest(),
        size=len(packages),
    )
    salt.write("/srv/repo/dists/stable/Release", release)
    gpg = ("gpg", "--batch", "--yes", "--pinentry-mode", "loopback", "--passphrase", "")
    salt.done(*gpg, "--quick-gen-key", "repo@example.org", "rsa2048", "sign", "never")
    release_file = "/srv/repo/dists/stable/Release"
    salt.done(*gpg, "--clearsign", "-o", "/srv/repo/dists/stable/InRelease", release_file)
    salt.done(*gpg, "--export", "-o", "/srv/salt/repo.gpg")
    # The machine has no network.
    os.truncate(salt.root / "etc/apt/sources.list", 0)
    return "salt://repo.gpg"


def available(salt):
    """Return the version that apt would install."""
    return salt.call("pkg.latest_version", "tiny", "refresh=False")


def managed(salt, name=LINE, code=0, **arguments):
    return salt.state("pkgrepo.managed", code, name=name, aptkey=False, **arguments)


@pytest.mark.parametrize("file", ["repo.list", "repo.sources"])
def test_apt_trusts_and_reads_what_is_written(salt, key, file):
    place = {"file": f"/etc/apt/sources.list.d/{file}", "key_url": key}

    assert managed(salt, **place)["changes"] == {"repo": LINE}
    assert available(salt) == "1.0"
    assert managed(salt, **place)["changes"] == {}
    assert managed(salt, **place, disabled=True)["changes"]["disabled"] == {"old": False, "new": True}
    assert available(salt) == ""
    assert managed(salt, **place, disabled=False)["changes"]["disabled"] == {"old": True, "new": False}
    assert available(salt) == "1.0"

    other = salt.state("pkgrepo.absent", name=f"deb {PLAIN}")
    assert (other["result"], other["changes"]) == (True, {})
    assert salt.state("pkgrepo.absent", name=LINE)["changes"] == {"repo": LINE}
    assert available(salt) == ""
    assert not (salt.root / f"etc/apt/sources.list.d/{file}").exists()


def test_undo_brings_a_repository_back(salt, key):
    managed(salt, file="/etc/apt/sources.list.d/repo.sources", key_url=key)
    salt.state("pkgrepo.absent", name=LINE)

    undone = salt.call("state.undo", "last")

    assert (undone["restored"], undone["not_reversible"]) == (["/etc/apt/sources.list.d/repo.sources"], [])
    salt.call("pkg.refresh_db")
    assert available(salt) == "1.0"
    salt.state("pkgrepo.absent", name=LINE)
