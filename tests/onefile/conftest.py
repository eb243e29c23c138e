"""The one-file executable, built once, and a root directory of Debian without Python to run it in."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from salt_g.onefile.old_debian import SUITE
from tests.support.machine import debian_machine, install_debian

_CHECKOUT = pathlib.Path(__file__).parents[2]


@pytest.fixture(scope="session")
def onefile(tmp_path_factory):
    """Return the path of the executable; SALT_G_DIST names the directory of one built earlier."""
    dist = os.environ.get("SALT_G_DIST")
    if dist:
        found = [path for path in pathlib.Path(dist).glob("salt-g-*-linux-*") if "-glibc" not in path.name]
        return max(found, key=lambda path: path.stat().st_mtime)
    directory = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "salt_g.onefile.build", str(directory)], check=True)
    (path,) = directory.iterdir()
    return path


@pytest.fixture(scope="session")
def old_onefile(tmp_path_factory):
    """Return the executable for old C libraries.

    `tox -e packages` has built it, or it is built now. The build keeps a compiled Python in the cache.
    """
    _needs_chroot()
    if found := list(pathlib.Path(os.environ.get("SALT_G_DIST") or "/nonexistent").glob("salt-g-*-glibc*")):
        return max(found, key=lambda path: path.stat().st_mtime)
    directory = tmp_path_factory.mktemp("old-dist")
    words = ["-m", "salt_g.onefile.old_build", "--source", str(_CHECKOUT), str(directory)]
    subprocess.run([sys.executable, *words], check=True)
    (path,) = directory.iterdir()
    return path


@pytest.fixture(scope="session")
def root(tmp_path_factory, onefile):
    """Yield a root directory of Debian with the executable in /usr/local/bin, and no Python."""
    _needs_chroot()
    with _installed(tmp_path_factory.mktemp("root"), onefile) as directory:
        yield directory


@pytest.fixture(scope="session")
def old_root(tmp_path_factory, old_onefile):
    """Yield a root directory of the old Debian with its executable in /usr/local/bin, and no Python."""
    with _installed(tmp_path_factory.mktemp("old-root"), old_onefile, suite=SUITE) as directory:
        yield directory


@contextlib.contextmanager
def _installed(directory, program, **options):
    """Yield a Debian with a program in /usr/local/bin, and /proc."""
    install_debian(directory, **options)
    shutil.copy(program, directory / "usr/local/bin/salt-g")
    subprocess.run(["mount", "-t", "proc", "proc", str(directory / "proc")], check=True)
    try:
        yield directory
    finally:
        subprocess.run(["umount", str(directory / "proc")], check=True)


def _needs_chroot():
    if os.geteuid() or not shutil.which("debootstrap"):
        if os.environ.get("CI"):
            pytest.fail("the one file is tried in a chroot: run as root, install debootstrap")
        pytest.skip("needs root and debootstrap")


@pytest.fixture
def inside(root):
    """Run a command in the root directory; returns the completed process."""
    return _runner(root)


@pytest.fixture
def inside_old(old_root):
    """Run a command in the root directory of the old Debian; returns the completed process."""
    return _runner(old_root)


def _runner(root):
    def run(*words, **options):
        return subprocess.run(
            ["chroot", str(root), *words],
            capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
            env={"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/root"}, **options,
        )  # fmt: skip

    return run


@pytest.fixture(scope="session")
def machine(tmp_path_factory, onefile):
    """Yield a booted Debian with systemd and without Python; the one file is /root/salt-g there."""

    def fill(directory):
        shutil.copy(onefile, directory / "root/salt-g")

    with debian_machine(tmp_path_factory, fill) as running:
        yield running
