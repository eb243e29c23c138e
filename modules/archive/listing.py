"""Contents of an archive, without unpacking it.

Shapes: a listing is (directories with a slash at the end, files, links), names as in the archive.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import stat
import tarfile
import urllib.parse
import zipfile
from collections.abc import Iterable
from typing import Any

from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError, CommandNotFound
from salt_g.formats import archivename
from salt_g.process import command

Listing = tuple[list[str], list[str], list[str]]


def list_(
    name: str,
    archive_format: str | None = None,
    options: str | None = None,
    strip_components: int | None = None,
    clean: bool = False,
    verbose: bool = False,
    saltenv: str = "base",
    source_hash: str | None = None,
    use_etag: bool = False,
) -> Any:
    """Return the names in an archive, sorted.

    name
        Path or URL of the archive.
    archive_format
        tar, zip or rar; guessed from the file extension by default.
    options
        For tar: a command that decompresses the archive to its output, when Python cannot.
    strip_components
        Number of leading directories to remove from each name.
    clean
        Remove the cached copy of the archive afterwards. A local archive is read in place and is not removed.
    verbose
        Return a mapping: dirs, files, links, top_level_dirs, top_level_files, top_level_links.
    source_hash, use_etag
        For remote archives: no download if the cached copy has this hash, or if the server reports it as
        unchanged.

    Example::

        salt-g archive.list /path/to/myfile.tar.gz verbose=True
    """
    cached = _cached(name, saltenv, source_hash, use_etag)
    try:
        listing = _list(name, cached, archive_format, options)
        if strip_components is not None:
            listing = _stripped(listing, strip_components)
    except CommandExecutionError as exc:
        raise _with_location(exc, cached) from exc
    if clean:
        _remove_copy(cached)
    return _described(listing) if verbose else sorted(path for paths in listing for path in paths)


def is_encrypted(
    name: str,
    clean: bool = False,
    saltenv: str = "base",
    source_hash: str | None = None,
    use_etag: bool = False,
) -> bool:
    """Return whether a zip archive asks for a password.

    For the arguments see `archive.list`.

    Example::

        salt-g archive.is_encrypted /path/to/myfile.zip
    """
    cached = _cached(name, saltenv, source_hash, use_etag)
    try:
        with zipfile.ZipFile(cached) as archive:
            # The lowest bit of a member's flags marks encryption.
            encrypted = any(member.flag_bits & 1 for member in archive.infolist())
    except zipfile.BadZipFile as exc:
        raise _with_location(f"{name} is not a ZIP file", cached) from exc
    except OSError as exc:
        raise _with_location(exc, cached) from exc
    if clean:
        _remove_copy(cached)
    return encrypted


def _cached(name: str, saltenv: str, source_hash: str | None, use_etag: bool) -> str:
    cached = call("cp.cache_file", name, saltenv, source_hash=source_hash, use_etag=use_etag)
    if not cached and os.path.isabs(name):
        return name
    if not cached:
        raise CommandExecutionError(f"Failed to cache {name}")
    return str(cached)


def _remove_copy(cached: str) -> None:
    """Remove a cached copy, but no archive that was read in place."""
    top = os.path.join(os.path.abspath(opts["cachedir"]), "")
    if os.path.abspath(cached).startswith(top):
        with contextlib.suppress(FileNotFoundError):
            os.remove(cached)


def _with_location(problem: object, cached: str) -> CommandExecutionError:
    text = str(problem).rstrip(".")
    return CommandExecutionError(f"{text}. Additional info follows:\n\narchive location:\n    {cached}")


def _list(name: str, cached: str, archive_format: str | None, options: str | None) -> Listing:
    parsed = urllib.parse.urlparse(name)
    kind = archive_format or archivename.format_of(parsed.path or parsed.netloc)
    if kind is None:
        raise CommandExecutionError(
            "Unable to guess archive format, please pass an 'archive_format' argument."
        )
    try:
        if kind == "tar":
            return _list_tar(name, cached, options)
        if kind == "zip":
            return _list_zip(name, cached)
        if kind == "rar":
            return _list_rar(name, cached)
    except OSError as exc:
        raise CommandExecutionError(f"Failed to list contents of {name}: {exc}") from exc
    raise CommandExecutionError(f"Unsupported archive format '{kind}'")


def _list_tar(name: str, cached: str, options: str | None) -> Listing:
    try:
        with tarfile.open(cached) as archive:
            return _sorted_out(archive)
    except tarfile.ReadError as exc:
        if not options:
            raise CommandExecutionError(_CANNOT_LIST.format(name)) from exc
    done = command.run([*shlex.split(options), cached])
    if done.retcode:
        raise CommandExecutionError(f"Failed to decompress {name}: {done.err.strip()}")
    try:
        with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
            return _sorted_out(archive)
    except tarfile.ReadError as exc:
        raise CommandExecutionError(_CANNOT_LIST.format(name)) from exc


_CANNOT_LIST = (
    "Unable to list contents of {}. If this is an XZ-compressed tar archive, install XZ Utils to enable "
    "listing its contents. If it is compressed using something other than XZ, it may be necessary to "
    "specify CLI options to decompress the archive. See the documentation for details."
)


def _sorted_out(archive: tarfile.TarFile) -> Listing:
    members = archive.getmembers()
    return (
        [f"{member.name}/" for member in members if member.isdir()],
        [member.name for member in members if not member.isdir() and not member.issym()],
        [member.name for member in members if member.issym()],
    )


def _list_zip(name: str, cached: str) -> Listing:
    try:
        with zipfile.ZipFile(cached) as archive:
            members = archive.infolist()
    except zipfile.BadZipFile as exc:
        raise CommandExecutionError(f"{name} is not a ZIP file") from exc
    links = [member.filename for member in members if stat.S_ISLNK(member.external_attr >> 16)]
    files = [member.filename for member in members if not member.is_dir() and member.filename not in links]
    dirs = {member.filename for member in members if member.is_dir()}
    # Directories need not be members: file names imply them.
    dirs |= {path.rpartition("/")[0] + "/" for path in files if "/" in path}
    return sorted(dirs), files, links


def _list_rar(name: str, cached: str) -> Listing:
    program = command.which("rar") or command.which("unrar")
    if program is None:
        raise CommandNotFound("rar command not available, is it installed?")
    printed = command.run([program, "lt", cached]).out
    found = re.findall(r"Name:\s*([^\n]+)\s*Type:\s*([^\n]+)", printed)
    if not found:
        raise CommandExecutionError(f"Failed to list {name}, is it a rar file?")
    dirs = [f"{path}/" for path, kind in found if kind.strip() == "Directory"]
    return dirs, [path for path, kind in found if kind.strip() != "Directory"], []


def _stripped(listing: Listing, count: Any) -> Listing:
    if not str(count).isdigit() or int(count) < 1:
        raise CommandExecutionError("'strip_components' must be a positive integer")

    def strip(paths: Iterable[str]) -> list[str]:
        cut = (path.split("/", int(count)) for path in paths)
        return sorted(parts[-1] for parts in cut if len(parts) > int(count) and parts[-1])

    dirs, files, links = listing
    return strip(dirs), strip(files), strip(links)


def _described(listing: Listing) -> dict[str, list[str]]:
    dirs, files, links = (sorted(paths) for paths in listing)
    top_dirs = [path for path in dirs if path.count("/") == 1]
    prefix = os.path.commonprefix([*dirs, *files, *links])  # noqa: RUF071 - stock's; only what precedes the first slash counts
    if "/" in prefix and prefix.split("/")[0] + "/" not in top_dirs:
        top_dirs.append(prefix.split("/")[0] + "/")
    return {
        "dirs": dirs,
        "files": files,
        "links": links,
        "top_level_dirs": top_dirs,
        "top_level_files": [path for path in files if "/" not in path],
        "top_level_links": [path for path in links if "/" not in path],
    }
