"""Debian package, built by dpkg-deb.

Stock's packages have the same commands, so they are replaced; /etc/salt stays in place and is read.
Source: Debian Policy, chapters 5 (control files) and 6 (maintainer scripts).
"""

from __future__ import annotations

import pathlib
import platform
import subprocess

from salt_g.packaging import scripts
from salt_g.packaging.contents import stage
from salt_g.packaging.metadata import Metadata

_ZSH = "/usr/share/zsh/vendor-completions"
_STOCK = ", ".join(
    f"salt-{name}" for name in ("common", "master", "minion", "api", "cloud", "ssh", "syndic", "dbg")
)
_SHELL = "#!/bin/sh\nset -e\n"
_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64", "i686": "i386", "armv7l": "armhf"}


def build(
    directory: pathlib.Path, program: pathlib.Path, scratch: pathlib.Path, metadata: Metadata
) -> pathlib.Path:
    """Build the package in `directory` from the frozen program; return its path.

    Raises subprocess.CalledProcessError if dpkg-deb fails.
    """
    root = scratch / "debian"
    made = stage(root, program, _ZSH)
    machine = platform.machine()
    architecture = _ARCHITECTURES.get(machine, machine)
    control = root / "DEBIAN"
    control.mkdir(mode=0o755)
    (control / "control").write_text(_control(metadata, architecture, _size(root)))
    (control / "conffiles").write_text("".join(f"{file.path}\n" for file in made if file.is_config))
    for name, text in _scripts(metadata.version).items():
        (control / name).write_text(_SHELL + text)
        (control / name).chmod(0o755)
    target = directory / f"salt-g_{metadata.version}_{architecture}.deb"
    words = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(target)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return target


def _control(metadata: Metadata, architecture: str, size: int) -> str:
    return f"""\
Package: salt-g
Version: {metadata.version}
Architecture: {architecture}
Maintainer: {metadata.maintainer}
Installed-Size: {size}
Depends: libc6 (>= {metadata.glibc})
Suggests: systemd, logrotate
Conflicts: {_STOCK}
Replaces: {_STOCK}
Section: admin
Priority: optional
Homepage: {metadata.url}
Description: {metadata.summary}
 {metadata.description}
"""


def _scripts(version: str) -> dict[str, str]:
    """Return {name: text} of the maintainer scripts."""
    return {
        "preinst": scripts.refuse_downgrade(version),
        "postinst": _when('"$1" = configure', scripts.SET_UP + scripts.RESTART_RUNNING),
        "prerm": _when('"$1" = remove', scripts.STOP),
        "postrm": _when('"$1" = remove', scripts.RELOAD) + _when('"$1" = purge', scripts.PURGE),
    }


def _when(condition: str, text: str) -> str:
    return f"if [ {condition} ]; then\n{text}fi\n"


def _size(root: pathlib.Path) -> int:
    """Return the size of the installed files in KiB."""
    return sum(path.lstat().st_size for path in root.rglob("*")) // 1024
