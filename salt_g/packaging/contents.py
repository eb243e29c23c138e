"""Contents of the packages: one relocatable directory with its Python, and the system files around it.

Shapes: paths are absolute, on the target system. Files of settings are not among the contents, because
`/etc/salt-g` takes precedence over an existing `/etc/salt`: `scripts.py` creates it only if it is missing
and `/etc/salt` has no settings.
"""

from __future__ import annotations

import gzip
import os
import pathlib
import shutil
from collections.abc import Iterator
from importlib.metadata import distribution
from typing import NamedTuple

from salt_g.cli.completion import script
from salt_g.cli.dispatch import LINK_NAMES
from salt_g.cli.man_pages import pages
from salt_g.install import services

ROLES = ("master", "minion")
#: Directory of the program, which can be moved because all paths inside are relative.
TOP = "/usr/lib/salt-g"
COMMAND = f"{TOP}/salt-g"
SYSUSERS = "/usr/lib/sysusers.d/salt-g.conf"
#: User for the setting `user` of a master; stock's packages create the same one.
USER = "salt"
_SYSUSERS_LINE = f'u {USER} - "Salt master" /var/lib/salt-g /usr/sbin/nologin\n'
_PID_FILE = "/var/run/salt-{role}.pid"
#: Directories that a master can write to, from the defaults of its settings.
_WRITABLE = ("/etc/salt-g", "/etc/salt", "/run", "/srv", "/var/cache/salt", "/var/log/salt")


class PackageFile(NamedTuple):
    """File or link of a package: a link has a `target`; administrators may edit a file with `is_config`."""

    path: str
    content: bytes = b""
    target: str = ""
    is_config: bool = False


def files(zsh_directory: str) -> Iterator[PackageFile]:
    """Yield all files outside the program's directory; `zsh_directory` is for completion scripts."""
    yield PackageFile("/usr/bin/salt-g", target=f"..{COMMAND.removeprefix('/usr')}")
    for name in LINK_NAMES:
        yield PackageFile(f"/usr/bin/{name}", target="salt-g")
    for role in ROLES:
        name = services.name_of(role)
        unit = services.unit(role, COMMAND, _WRITABLE, made_by="the package salt-g")
        yield PackageFile(f"/usr/lib/systemd/system/{name}.service", unit.encode())
        rotation = services.rotation(
            role, f"/var/log/salt/{role}", _PID_FILE.format(role=role), made_by="the package salt-g"
        )
        yield PackageFile(f"/etc/logrotate.d/{name}", rotation.encode(), is_config=True)
    yield PackageFile(SYSUSERS, _SYSUSERS_LINE.encode())
    yield PackageFile("/usr/share/bash-completion/completions/salt-g", script("bash").encode())
    yield PackageFile("/usr/share/bash-completion/completions/salt-call", target="salt-g")
    yield PackageFile(f"{zsh_directory}/_salt-g", script("zsh").encode())
    yield PackageFile("/usr/share/fish/vendor_completions.d/salt-g.fish", script("fish").encode())
    yield from _manual()
    yield PackageFile("/usr/share/doc/salt-g/copyright", _license())


def stage(directory: pathlib.Path, program: pathlib.Path, zsh_directory: str) -> list[PackageFile]:
    """Write the frozen `program` and the files around it below `directory`; return those files."""
    shutil.copytree(program, directory / TOP.lstrip("/"), symlinks=True)
    made = list(files(zsh_directory))
    for file in made:
        path = directory / file.path.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        if file.target:
            path.symlink_to(file.target)
        else:
            path.write_bytes(file.content)
    _set_modes(directory)
    return made


def _manual() -> Iterator[PackageFile]:
    """Yield the manual pages; those of stock's commands are links to the pages of our subcommands."""
    for name, text in pages().items():
        yield PackageFile(f"/usr/share/man/man1/{name}.1.gz", gzip.compress(text.encode(), mtime=0))
    for name, subcommand in LINK_NAMES.items():
        yield PackageFile(f"/usr/share/man/man1/{name}.1.gz", target=f"salt-g-{subcommand}.1.gz")


def _license() -> bytes:
    found = [path for path in distribution("salt-g").files or () if path.name == "LICENSE"]
    return found[0].read_binary()


def _set_modes(directory: pathlib.Path) -> None:
    """Set the modes 0755 and 0644, whatever the umask of the build."""
    for top, names, file_names in os.walk(directory):
        for path in (os.path.join(top, name) for name in (*names, *file_names)):
            if not os.path.islink(path):
                is_open = os.path.isdir(path) or os.stat(path).st_mode & 0o100
                os.chmod(path, 0o755 if is_open else 0o644)
    directory.chmod(0o755)
