"""Build of the one-file program for old C libraries: `python -m salt_g.onefile.old_build [DIRECTORY]`.

The command runs in a checkout. The program is frozen in the root directory of an old Debian
(`old_debian.py`), where wheels of salt-g and of its libraries are installed. They are downloaded here, so
that the root directory needs no access to an index.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping

from salt_g.onefile.old_debian import (
    GLIBC_MINOR,
    PREFIX,
    PYTHON_VERSION,
    CannotBuildError,
    old_debian,
    run_inside,
)

#: Extras that the program includes, as in `tox -e binary`.
EXTRAS = (
    *("binary", "api", "ps", "schedule", "terminal", "toml", "jmespath", "redis", "mysql", "htpasswd"),
    "x509",
)
#: Requirements that libraries have only on the old Python. pip does not find them, because it evaluates
#: markers for the Python that runs it.
_OF_OLD_PYTHON = ("async-timeout",)
#: Scratch directory of a build, relative to the root directory of the old Debian.
_SCRATCH = "build/onefile"
_BUILD = (
    "import pathlib; from salt_g.onefile.build import build; "
    "build(pathlib.Path('/build/onefile/dist'), is_named_for_c_library=True)"
)


def build(directory: pathlib.Path, source: pathlib.Path, processes: int) -> pathlib.Path:
    """Build the executable in `directory` from the checkout `source`; return its path.

    The file name contains the version of glibc that the program needs. Raises CannotBuildError.
    """
    with old_debian(processes) as root:
        scratch = root / _SCRATCH
        # A build that was killed may have left files.
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        try:
            _download(scratch / "wheels", source)
            _freeze(root)
            (made,) = (scratch / "dist").iterdir()
            directory.mkdir(parents=True, exist_ok=True)
            return pathlib.Path(shutil.copy(made, directory))
        finally:
            shutil.rmtree(scratch)


def _download(wheels: pathlib.Path, source: pathlib.Path) -> None:
    """Put a wheel of salt-g, and the wheels of its dependencies on the old Debian, into a directory."""
    if not (source / "setup.cfg").exists():
        raise CannotBuildError(f"{source.resolve()} is not a checkout of salt-g: name one with --source")
    with tempfile.TemporaryDirectory() as scratch:
        # Build elsewhere, because files of an earlier build in the checkout would get into the wheel.
        settings = pathlib.Path(scratch) / "setup.cfg"
        settings.write_text(f"[build]\nbuild_base = {scratch}\n")
        _pip(
            *("wheel", "--no-deps", "--wheel-dir", str(wheels), str(source)),
            cwd=scratch,
            environment={"DIST_EXTRA_CONFIG": str(settings)},
        )
    (own,) = wheels.glob("salt_g-*.whl")
    platforms = (f"--platform={tag}" for tag in platform_tags(platform.machine()))
    _pip(
        *("download", "--dest", str(wheels), "--only-binary=:all:", "--implementation=cp"),
        *(f"--python-version={PYTHON_VERSION}", *platforms),
        *(f"{own}[{','.join(EXTRAS)}]", "pip", *_OF_OLD_PYTHON),
        cwd=wheels,
    )


def platform_tags(machine: str) -> list[str]:
    """Return the tags of the wheels that the old Debian can load, best first."""
    return [
        *(f"manylinux_2_{minor}_{machine}" for minor in range(GLIBC_MINOR, 4, -1)),
        *(f"manylinux2014_{machine}", f"linux_{machine}"),
    ]


def _pip(*words: str, cwd: str | pathlib.Path, environment: Mapping[str, str] | None = None) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--quiet", *words],
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR:")] or [done.stderr]
        raise CannotBuildError(f"pip {words[0]}: {lines[-1].removeprefix('ERROR:').strip()}")


def _freeze(root: pathlib.Path) -> None:
    """Install the wheels in the root directory, and build the executable with them."""
    top = f"/{_SCRATCH}"
    python = f"{top}/venv/bin/python"
    (pip,) = (root / _SCRATCH / "wheels").glob("pip-*.whl")
    run_inside(root, f"{PREFIX}/bin/python3", "-m", "venv", "--without-pip", f"{top}/venv")
    run_inside(
        root,
        *(python, f"{top}/wheels/{pip.name}/pip", "install", "--quiet", "--no-index", "--no-cache-dir"),
        *("--disable-pip-version-check", "--root-user-action=ignore"),
        *("--find-links", f"{top}/wheels", f"salt-g[{','.join(EXTRAS)}]"),
    )
    run_inside(root, python, "-c", _BUILD)


def main(words: list[str]) -> int:
    """Build the executable; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m salt_g.onefile.old_build", description="Build the one file for old C libraries."
    )
    parser.add_argument("directory", nargs="?", type=pathlib.Path, default=pathlib.Path("dist"))
    parser.add_argument("--source", type=pathlib.Path, default=pathlib.Path(), help="checkout of salt-g (.)")
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        help="processes that compile Python at a time (number of processors)",
    )
    options = parser.parse_args(words)
    try:
        made = build(options.directory, options.source.resolve(), options.jobs)
    except CannotBuildError as exc:
        print(f"{parser.prog}: {exc}", file=sys.stderr)
        return 1
    print(f"{made}: {made.stat().st_size / 1024 / 1024:.1f} MiB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
