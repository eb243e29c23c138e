"""Root directory of the oldest Debian that mirrors have, with a Python that salt-g can run on.

What is built there runs with the C library of that Debian and all later ones. Its own Python is too old, so
one of a later Debian is compiled from source. That takes minutes, so the directory is kept in a cache.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import pathlib
import platform
import shutil
import subprocess
from collections.abc import Iterator

SUITE = "bullseye"
#: Minor version of the suite's glibc (2.31); wheels for later versions do not work there.
GLIBC_MINOR = 31
MIRROR = "http://deb.debian.org/debian"
#: Source package of Python, and the suite that contains it.
PYTHON, PYTHON_SUITE = "python3.11", "bookworm"
PYTHON_VERSION = PYTHON.removeprefix("python")
#: Directory where Python is installed, inside the root directory.
PREFIX = "/opt/python"
_SCRIPT = pathlib.Path(__file__).with_name("build_python.sh")
#: Packages for building Python; build-essential includes binutils, dpkg-dev and patch.
_PACKAGES = (
    *("build-essential", "ca-certificates", "xz-utils", "zlib1g-dev", "libbz2-dev", "liblzma-dev"),
    *("libssl-dev", "libffi-dev", "libsqlite3-dev", "libreadline-dev", "libncursesw5-dev", "uuid-dev"),
    "libexpat1-dev",
)
#: Files of this machine with network settings needed to reach the mirror.
_NETWORK = ("etc/resolv.conf", "etc/hosts")
#: Empty marker file in a root directory that is complete.
_COMPLETE = "build-complete"
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class CannotBuildError(RuntimeError):
    """Failed build of the one-file program for old C libraries; the message says why and what to do."""


def cache_directory() -> pathlib.Path:
    """Return the cache directory of builds: SALT_G_BUILD_CACHE, otherwise one in the user's cache."""
    if named := os.environ.get("SALT_G_BUILD_CACHE"):
        return pathlib.Path(named)
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "salt-g-build"


def problem() -> str:
    """Return why no root directory can be made here, or "" if one can."""
    if os.geteuid():
        return "the one file for old C libraries is built in a chroot: run as root"
    if not shutil.which("debootstrap"):
        return "the one file for old C libraries needs debootstrap (Debian: debootstrap)"
    return ""


@contextlib.contextmanager
def old_debian(processes: int) -> Iterator[pathlib.Path]:
    """Yield the root directory, for one build at a time; compile its Python first if the cache has none.

    Raises CannotBuildError if a tool or the mirror is missing, or if a step fails.
    """
    if why := problem():
        raise CannotBuildError(why)
    cache = cache_directory()
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        root = cache / f"{SUITE}-{PYTHON}-{platform.machine()}-{_recipe()}"
        if not (root / _COMPLETE).exists():
            _discard(cache)
            _install(root)
            _compile(root, processes)
            (root / _COMPLETE).touch()
        yield root


def run_inside(root: pathlib.Path, *words: str) -> None:
    """Run a command in the root directory; its output is shown.

    Raises CannotBuildError with the command if it fails.
    """
    kept = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
    environment = {**kept, "PATH": _PATH, "HOME": "/root", "LANG": "C.UTF-8"}
    done = subprocess.run(["chroot", str(root), *words], env=environment, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise CannotBuildError(f"exit code {done.returncode} in {root}: {' '.join(words)[:200]}")


def mirror() -> str:
    """Return the address of Debian's mirror."""
    return os.environ.get("SALT_G_DEBIAN_MIRROR") or MIRROR


def _recipe() -> str:
    """Return a digest of everything that determines the content of the directory."""
    decisive = (_SCRIPT.read_text(encoding="utf-8"), *_PACKAGES, PREFIX)
    return hashlib.sha256("\n".join(decisive).encode()).hexdigest()[:8]


def _discard(cache: pathlib.Path) -> None:
    """Remove directories of earlier recipes and of builds that were interrupted."""
    for path in cache.glob(f"{SUITE}-*"):
        shutil.rmtree(path)


def _install(root: pathlib.Path) -> None:
    words = [
        "debootstrap",
        "--variant=minbase",
        f"--include={','.join(_PACKAGES)}",
        SUITE,
        str(root),
        mirror(),
    ]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("E:")]
        reason = lines[-1].removeprefix("E:").strip() if lines else f"exit code {done.returncode}"
        raise CannotBuildError(
            f"debootstrap cannot install {SUITE} from {mirror()}: {reason}; "
            "set SALT_G_DEBIAN_MIRROR to use another mirror"
        )


def _compile(root: pathlib.Path, processes: int) -> None:
    for name in _NETWORK:
        if os.path.exists(f"/{name}"):
            shutil.copyfile(f"/{name}", root / name)
    (root / "build").mkdir()
    shutil.copy(_SCRIPT, root / "build/python.sh")
    words = (PYTHON, PYTHON_SUITE, mirror(), PREFIX, str(processes))
    run_inside(root, "/bin/sh", "/build/python.sh", *words)
