"""The one file, built once, and a root directory of Debian without Python to run it in."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from support.machine import debian_machine, install_debian


@pytest.fixture(scope="session")
def onefile(tmp_path_factory):
    """The path of the executable; SALT_G_DIST names the directory of one that was built before."""
    dist = os.environ.get("SALT_G_DIST")
    if dist:
        return max(pathlib.Path(dist).glob("salt-g-*-linux-*"), key=lambda path: path.stat().st_mtime)
    directory = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "salt_g.onefile.build", str(directory)], check=True)
    (path,) = directory.iterdir()
    return path


@pytest.fixture(scope="session")
def root(tmp_path_factory, onefile):
    """A root directory of Debian with the one file in /usr/local/bin, and no Python."""
    if os.geteuid() or not shutil.which("debootstrap"):
        if os.environ.get("CI"):
            pytest.fail("the one file is tried in a chroot: run as root, install debootstrap")
        pytest.skip("needs root and debootstrap")
    directory = tmp_path_factory.mktemp("root")
    install_debian(directory)
    shutil.copy(onefile, directory / "usr/local/bin/salt-g")
    subprocess.run(["mount", "-t", "proc", "proc", str(directory / "proc")], check=True)
    yield directory
    subprocess.run(["umount", str(directory / "proc")], check=True)


@pytest.fixture
def inside(root):
    """Run a command in the root directory; returns the completed process."""

    def run(*words, **options):
        return subprocess.run(
            ["chroot", str(root), *words],
            capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
            env={"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/root"}, **options,
        )  # fmt: skip

    return run


@pytest.fixture(scope="session")
def machine(tmp_path_factory, onefile):
    """A booted Debian with systemd and without Python; the one file is /root/salt-g there."""

    def fill(directory):
        shutil.copy(onefile, directory / "root/salt-g")

    with debian_machine(tmp_path_factory, fill) as running:
        yield running
