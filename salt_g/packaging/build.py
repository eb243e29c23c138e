"""Build of the packages: `python -m salt_g.packaging.build [DIRECTORY]`, by default into `dist/`.

Each kind needs a tool of its distribution; a missing tool is an error that names it.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from salt_g.onefile.freezing import freeze
from salt_g.onefile.old_build import build as build_old_onefile
from salt_g.onefile.old_debian import CannotBuildError, problem
from salt_g.packaging import container_image, debian_package, metadata, rpm_package

#: {kind of package: (builder, required tool, Debian package with the tool)}
PACKAGES = {
    "deb": (debian_package.build, "dpkg-deb", "dpkg"),
    "rpm": (rpm_package.build, "rpmbuild", "rpm"),
    "oci": (container_image.build, "debootstrap", "debootstrap"),
}
#: Kind of the one-file program for old C libraries, which `salt_g.onefile` builds.
OLD_ONEFILE = "onefile"
KINDS = (*PACKAGES, OLD_ONEFILE)


def main(words: list[str]) -> int:
    """Build the chosen kinds; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m salt_g.packaging.build", description="Build packages.")
    parser.add_argument("directory", nargs="?", type=pathlib.Path, default=pathlib.Path("dist"))
    parser.add_argument("--only", action="append", choices=sorted(KINDS), help="kind to build (repeatable)")
    parser.add_argument("--program", type=pathlib.Path, help="frozen program that was built before")
    parser.add_argument("--source", type=pathlib.Path, default=pathlib.Path(), help="checkout of onefile (.)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes that compile Python")
    options = parser.parse_args(words)
    kinds = options.only or list(KINDS)
    problems = [why for kind in kinds if (why := _problem(kind))]
    if problems:
        parser.error("; ".join(problems))
    options.directory.mkdir(parents=True, exist_ok=True)
    try:
        if packages := [kind for kind in kinds if kind in PACKAGES]:
            _build(packages, options.directory.resolve(), options.program)
        if OLD_ONEFILE in kinds:
            _report(build_old_onefile(options.directory, options.source.resolve(), options.jobs))
    except CannotBuildError as exc:
        print(f"{parser.prog}: {exc}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as exc:
        print(f"{parser.prog}: {exc}\n{exc.stdout or ''}{exc.stderr or ''}", file=sys.stderr)
        return 1
    return 0


def _build(kinds: list[str], directory: pathlib.Path, program: pathlib.Path | None) -> None:
    with tempfile.TemporaryDirectory() as name:
        scratch, described = pathlib.Path(name), metadata.read()
        frozen = program or freeze(scratch)
        for kind in kinds:
            own = scratch / kind
            own.mkdir()
            _report(PACKAGES[kind][0](directory, frozen, own, described))
            shutil.rmtree(own)


def _report(made: pathlib.Path) -> None:
    print(f"{made}: {made.stat().st_size / 1024 / 1024:.1f} MiB", flush=True)


def _problem(kind: str) -> str:
    """Return why a kind cannot be built here, or "" if it can."""
    if kind == OLD_ONEFILE:
        return problem()
    _, tool, package = PACKAGES[kind]
    if not shutil.which(tool):
        return f"{kind} needs {tool} (Debian: {package})"
    return f"{kind} needs root, for debootstrap" if kind == "oci" and os.geteuid() else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
