"""Zip archives, handled by Python (`zip`, `unzip`) or by programs (`cmd_zip`, `cmd_unzip`).

With `runas` the programs are used, because switching the user of this process would affect everything else
that runs in it.
"""

from __future__ import annotations

import os
import shlex
import stat
import zipfile
from collections.abc import Iterator
from typing import Any

import salt_g.modules.archive.arguments as arguments
from salt_g import safe_files
from salt_g.api import call
from salt_g.errors import CommandExecutionError, CommandNotFound, InvocationError, UnsafeMember
from salt_g.formats.archive_writer import MAX_TARGET, ArchiveWriter, open_below
from salt_g.process import command

#: Mode bits of members that are kept, as unzip does: no set-user-id.
_MODE_MASK = 0o777


def cmd_zip(
    zip_file: str, sources: Any, template: str | None = None, cwd: str | None = None, runas: str | None = None
) -> list[str]:
    """Pack files with the program zip and return its output lines.

    For `sources`, `cwd`, `template` and `runas` see `archive.tar`.

    Example::

        salt-g archive.cmd_zip /tmp/zipfile.zip '/tmp/a, /tmp/b'
    """
    where = {"cwd": cwd, "template": template, "runas": runas}
    arguments.check_places(runas, os.path.join(cwd or "", zip_file))
    return arguments.run("zip", "-r", zip_file, *arguments.expand(sources), **where)


def zip_(
    zip_file: str,
    sources: Any,
    template: str | None = None,
    cwd: str | None = None,
    runas: str | None = None,
    zip64: bool = False,
) -> list[str]:
    """Pack files and return their names in the archive.

    sources
        A list or comma-separated text; globs are allowed, and relative paths require an absolute `cwd`.
    template
        Render the names with this engine first.
    runas
        Pack as this user, with the program zip.
    zip64
        Allow archives above 4 GiB.

    Example::

        salt-g archive.zip /tmp/zipfile.zip '/tmp/a, /tmp/b'
    """
    zip_file, sources = arguments.rendered(template, zip_file, sources)
    paths = arguments.expand(sources)
    if cwd is not None and not os.path.isabs(str(cwd)):
        raise InvocationError("cwd must be absolute")
    if not cwd and not all(map(os.path.isabs, paths)):
        raise InvocationError("Relative paths require the 'cwd' parameter")
    members = [member for path in paths for member in _members(os.path.join(cwd or "/", path), cwd or "/")]
    if runas:
        cmd_zip(zip_file, paths, cwd=cwd, runas=runas)
        return [name for _, name in members]
    try:
        with (
            open(zip_file, "w+b", opener=safe_files.opener) as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, zip64) as archive,
        ):
            for path, name in members:
                archive.write(path, name)
    except zipfile.LargeZipFile as exc:
        raise CommandExecutionError(
            "Resulting zip file too large, would require ZIP64 support which has not been enabled. "
            "Rerun command with zip64=True"
        ) from exc
    except OSError as exc:
        raise CommandExecutionError(f"Exception encountered creating zipfile: {exc}") from exc
    return [name for _, name in members]


def cmd_unzip(
    zip_file: str,
    dest: str,
    excludes: Any = None,
    options: str | None = None,
    template: str | None = None,
    runas: str | None = None,
    trim_output: bool | int = False,
    password: str | None = None,
) -> list[str]:
    """Unpack an archive with the program unzip and return its output lines.

    options
        Options of unzip, such as `-o`.
    password
        Visible in the process list while unzip runs; `archive.unzip` keeps it private.

    For the other arguments see `archive.unzip`.

    Example::

        salt-g archive.cmd_unzip /tmp/zipfile.zip /tmp/target options=-o
    """
    if command.which("unzip") is None:
        raise CommandNotFound("'unzip' command not available; install it or use archive.unzip")
    arguments.check_places(runas, dest)
    words = ["unzip", *(["-P", password] if password else []), *shlex.split(options or "")]
    words += [str(zip_file), "-d", str(dest)]
    words += ["-x", *arguments.words(excludes)] if excludes is not None else []
    done = call(
        "cmd.run_all",
        words,
        template=template,
        runas=runas,
        python_shell=False,
        redirect_stderr=True,
        output_loglevel="quiet" if password else "debug",
    )
    if done["retcode"] != 0:
        raise CommandExecutionError(done["stdout"])
    return arguments.trim(done["stdout"].splitlines(), trim_output)


def unzip(
    zip_file: str,
    dest: str,
    excludes: Any = None,
    options: str | None = None,
    template: str | None = None,
    runas: str | None = None,
    trim_output: bool | int = False,
    password: str | None = None,
    extract_perms: bool = True,
) -> list[str]:
    """Unpack an archive and return the names of its members.

    excludes
        Members to leave out, a list or comma-separated text.
    options
        Accepted for compatibility; used only by `archive.cmd_unzip`.
    template
        Render the names with this engine first.
    runas
        Unpack as this user, with the program unzip.
    trim_output
        Maximum number of names to return; True means 100.
    extract_perms
        Set the file modes stored in the archive (True).

    Example::

        salt-g archive.unzip /tmp/zipfile.zip /tmp/target excludes=file_1,file_2
    """
    zip_file, dest = arguments.rendered(template, zip_file, dest)
    without = arguments.words(excludes)
    try:
        with zipfile.ZipFile(zip_file) as archive:
            members = [member for member in archive.infolist() if member.filename not in without]
            if not runas:
                secret = str(password).encode() if password else None
                with open_below(dest) as target:
                    for member in members:
                        _extract(archive, member, target, secret, extract_perms)
    except UnsafeMember as exc:
        raise CommandExecutionError(str(exc)) from exc
    except (OSError, RuntimeError, zipfile.BadZipFile) as exc:
        raise CommandExecutionError(f"Exception encountered unpacking zipfile: {exc}") from exc
    if runas:
        cmd_unzip(zip_file, dest, excludes or None, "-o", runas=runas, password=password)
    return arguments.trim([member.filename for member in members], trim_output)


def _members(path: str, root: str) -> Iterator[tuple[str, str]]:
    """Yield (path, name in the archive) of a file, or of a directory and all below it."""
    inside = path.startswith(root)
    if os.path.isdir(path):
        for directory, _, files in os.walk(path):
            name = os.path.relpath(directory, root if inside else "/")
            yield directory, f"{name}/"
            yield from ((os.path.join(directory, file), os.path.join(name, file)) for file in files)
    elif os.path.exists(path):
        yield path, os.path.relpath(path, root if inside else "/")


def _extract(
    archive: zipfile.ZipFile,
    member: zipfile.ZipInfo,
    target: ArchiveWriter,
    password: bytes | None,
    modes: bool,
) -> None:
    mode = member.external_attr >> 16
    if stat.S_ISLNK(mode):
        if member.file_size > MAX_TARGET:
            raise CommandExecutionError(
                f"{member.filename!r} in the archive is not a link: its target is too long"
            )
        target.symlink(member.filename, os.fsdecode(archive.read(member, password)))
        return
    # Members must stay below the directory, whatever their names.
    name = "/".join(part for part in member.filename.split("/") if part not in ("", ".", ".."))
    kept = mode & _MODE_MASK if modes and mode else None
    if member.is_dir():
        target.make_directory(name, mode=kept)
        return
    with archive.open(member, pwd=password) as content:
        target.write(name, content, mode=kept)
