"""Operations on directory trees: walk, change owner, remove, copy.

Only the functions that copy follow links below the top, and only trusted ones. Errors: see the package.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator

from salt_g.safe_files.entries import before_copy, change_mode, copy_file, make_directories, open_at
from salt_g.safe_files.links import O_PATH, DirectoryEntry, UntrustedPath, check, located, with_path
from salt_g.safe_files.recording import before_change, before_change_at, before_removal

#: Items of `walk`: path of a directory, names of directories in it, other names.
Level = tuple[str, list[str], list[str]]


def walk(top: str, *, topdown: bool = True) -> Iterator[Level]:
    """Walk a tree as `os.walk` does; a link below `top` is listed but not entered.

    A missing path or one that is not a directory yields nothing. Raises UntrustedPath for an untrusted
    link in `top`.
    """
    try:
        with located(top) as place:
            if place.is_directory:
                for folder, folders, names, _ in _levels(place, topdown):
                    yield folder, folders, names
    except UntrustedPath:
        raise
    except OSError:
        return


def give_tree(top: str, uid: int, gid: int) -> list[str]:
    """Change the owner of a directory and of the regular files, directories and links below it.

    Devices, pipes, sockets and files with several hard links are left unchanged. Returns the paths of
    files that were skipped because of their hard links.
    """
    left: list[str] = []
    with located(top) as place:
        descriptor = open_at(place, os.O_RDONLY | os.O_DIRECTORY)
        before_change(place)
        try:
            os.fchown(descriptor, uid, gid)
        finally:
            os.close(descriptor)
        for folder, folders, names, directory in _levels(place, True):
            for name in (*folders, *names):
                if not _give(directory, name, uid, gid):
                    left.append(os.path.join(folder, name))
    return left


def _give(directory: int, name: str, uid: int, gid: int) -> bool:
    """Change the owner of one entry; return False for another user's file with several hard links."""
    try:
        entry = os.open(name, O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=directory)
    except FileNotFoundError:
        return True  # Removed meanwhile.
    try:
        found = os.fstat(entry)
        if found.st_uid == uid or not _is_given(found.st_mode):
            return True
        if stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
            return False
        before_change_at(directory, name)
        os.chown(f"/proc/self/fd/{entry}", uid, gid)
        return True
    finally:
        os.close(entry)


def _is_given(mode: int) -> bool:
    """Return whether `give_tree` applies to entries with this mode."""
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)


def remove(path: str) -> None:
    """Remove a file, a link, or a directory tree."""
    with located(path.rstrip("/") or "/", follow=False) as place:
        if place.is_directory:
            _remove_tree(place)
        else:
            before_change(place)
            try:
                os.unlink(place.name, dir_fd=place.parent)
            except OSError as exc:
                raise with_path(exc, path) from None


def remove_tree(path: str, *, ignore_errors: bool = False) -> None:
    """Remove a directory tree as `shutil.rmtree` does."""
    try:
        with located(path.rstrip("/") or "/", follow=False) as place:
            _remove_tree(place)
    except OSError:
        if not ignore_errors:
            raise


def _remove_tree(place: DirectoryEntry) -> None:
    import shutil

    before_removal(place)
    # `rmtree` works on descriptors below its top, and refuses a link at the top.
    try:
        shutil.rmtree(place.pinned)
    except OSError as exc:
        text = os.fsdecode(exc.filename or place.path).replace(place.pinned, place.path)
        raise OSError(exc.errno, exc.strerror or str(exc), text) from None


def copy_tree(source: str, path: str, *, symlinks: bool = False) -> None:
    """Copy a tree to a new path as `shutil.copytree` does.

    Without `symlinks` the targets of links are copied. Raises UntrustedPath for an untrusted link, and
    OSError for a path inside the source, because such a copy would never end.
    """
    import shutil

    if not symlinks:
        for folder, folders, names in walk(source):
            for name in (*folders, *names):
                check(os.path.join(folder, name))
    with located(source) as old, located(path, follow=False) as new:
        top = os.path.realpath(old.pinned)
        if os.path.join(os.path.realpath(f"/proc/self/fd/{new.parent}"), "").startswith(
            os.path.join(top, "")
        ):
            raise OSError(errno.EINVAL, f"a directory cannot be copied into itself, {source}", path)
        before_change(new)
        before_copy(old, new)
        shutil.copytree(old.pinned, new.pinned, symlinks=symlinks)


def copy_into(source: str, path: str) -> None:
    """Copy a tree over an existing one; only the content of files is copied, not their owner or mode."""
    for folder, folders, names in walk(source):
        target = os.path.join(path, os.path.relpath(folder, source))
        is_new = not os.path.isdir(target)
        make_directories(target)
        if is_new:
            change_mode(target, stat.S_IMODE(os.stat(folder).st_mode))
        for name in folders:
            linked = os.path.join(folder, name)
            if os.path.islink(linked):
                check(linked)
                copy_into(linked, os.path.join(target, name))
        for name in names:
            copy_file(os.path.join(folder, name), os.path.join(target, name))


def _levels(place: DirectoryEntry, topdown: bool) -> Iterator[tuple[str, list[str], list[str], int]]:
    """Yield the levels of a tree with the requested paths, and the descriptor of each directory."""
    top = place.name
    for folder, folders, names, directory in os.fwalk(top, topdown, dir_fd=place.parent):
        below = folder[len(top) :].lstrip("/")
        yield os.path.join(place.path, below) if below else place.path, folders, names, directory
