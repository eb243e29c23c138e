"""The packages, built once, and booted machines to install them on."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from salt_g.packaging import metadata, rpm_package
from salt_g.packaging.build import PACKAGES
from tests.support.machine import debian_machine

#: Version of the packages that are upgraded.
OLDER = "0.1.9"


@pytest.fixture(scope="session")
def packages(tmp_path_factory):
    """Return the directory with the packages; SALT_G_DIST names that of packages built earlier."""
    dist = os.environ.get("SALT_G_DIST")
    if dist:
        return pathlib.Path(dist)
    directory = tmp_path_factory.mktemp("dist")
    kinds = [word for kind in PACKAGES for word in ("--only", kind)]
    subprocess.run([sys.executable, "-m", "salt_g.packaging.build", *kinds, str(directory)], check=True)
    return directory


@pytest.fixture(scope="session")
def deb(packages):
    """Return the Debian package."""
    (path,) = packages.glob("*.deb")
    return path


@pytest.fixture(scope="session")
def rpm_package_file(packages):
    """Return the RPM."""
    (path,) = packages.glob("*.rpm")
    return path


@pytest.fixture(scope="session")
def machine(tmp_path_factory, deb, rpm_package_file):
    """Yield a booted Debian with systemd and without Python; packages of salt-g are in /root there."""

    def fill(directory):
        shutil.copy(deb, directory / "root/new.deb")
        _repack(deb, OLDER, directory / "root/old.deb")
        shutil.copy(rpm_package_file, directory / "root/new.rpm")
        older = _older_rpm(deb, tmp_path_factory.mktemp("older"))
        shutil.move(older, directory / "root/old.rpm")

    with debian_machine(tmp_path_factory, fill, more="rpm") as running:
        yield running


def _repack(deb, version, target):
    """Build the same package with another version, also in its scripts."""
    tree = target.with_suffix(".tree")
    subprocess.run(["dpkg-deb", "-R", str(deb), str(tree)], check=True)
    before = subprocess.check_output(["dpkg-deb", "-f", str(deb), "Version"], text=True).strip()
    for name in ("control", "preinst"):
        path = tree / "DEBIAN" / name
        path.write_text(path.read_text().replace(before, version))
    subprocess.run(["dpkg-deb", "-Znone", "--root-owner-group", "-b", str(tree), str(target)], check=True)
    shutil.rmtree(tree)


def _older_rpm(deb, directory):
    """Build an RPM of the same program with an earlier version, and with a file that the later one lacks."""
    subprocess.run(["dpkg-deb", "-x", str(deb), str(directory / "contents")], check=True)
    program = directory / "contents/usr/lib/salt-g"
    (program / "only-in-the-older").touch()
    described = metadata.read()._replace(version=OLDER)
    scratch = directory / "scratch"
    scratch.mkdir()
    made = rpm_package.build(directory, program, scratch, described)
    shutil.rmtree(scratch)
    return made
