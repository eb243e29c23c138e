"""Build of the one-file program: `python -m salt_g.onefile.build [DIRECTORY]`, by default into `dist/`."""

from __future__ import annotations

import hashlib
import io
import pathlib
import platform
import sys
import tarfile
import tempfile

from salt_g import __version__
from salt_g.onefile import c_library
from salt_g.onefile.freezing import freeze

_LAUNCHER = pathlib.Path(__file__).with_name("launcher.sh")


def build(directory: pathlib.Path, *, is_named_for_c_library: bool = False) -> pathlib.Path:
    """Build the executable in `directory`; return its path.

    Its name ends in the version of glibc that it needs if `is_named_for_c_library` is true.
    """
    with tempfile.TemporaryDirectory() as scratch:
        frozen = freeze(pathlib.Path(scratch))
        suffix = f"-glibc{c_library.needed(frozen)}" if is_named_for_c_library else ""
        archive = pack(frozen)
    directory.mkdir(parents=True, exist_ok=True)
    system = f"{platform.system().lower()}-{platform.machine()}"
    target = directory / f"salt-g-{__version__}-{system}{suffix}"
    target.write_bytes(launcher(archive) + archive)
    target.chmod(0o755)
    return target


def pack(directory: pathlib.Path) -> bytes:
    """Return a directory as a compressed archive in which all files belong to root."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", compresslevel=6) as archive:
        archive.add(directory, arcname=".", filter=_plain)
    return out.getvalue()


def launcher(archive: bytes) -> bytes:
    """Return the script in front of the archive."""
    text = _LAUNCHER.read_text(encoding="utf-8")
    digest = hashlib.sha256(archive).hexdigest()[:32]
    for name, value in {
        "version": __version__,
        "digest": digest,
        "lines": str(text.count("\n") + 1),
    }.items():
        text = text.replace(f"@{name}@", value)
    return text.encode()


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member


if __name__ == "__main__":
    made = build(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "dist"))
    print(f"{made}: {made.stat().st_size / 1024 / 1024:.1f} MiB")
