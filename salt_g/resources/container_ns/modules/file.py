"""Files below the root of a resource: the managing minion's functions, called with paths inside that root.

In a resource without its own root (a network namespace only) these functions raise an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.resources.container_ns.hosted import as_inside, on_host, owners, place
from salt_g.shapes import Facts


def read(path: str, binary: bool = False) -> str | bytes:
    """Return the content of a file.

    Example::

        salt-g image file.read /etc/hostname
    """
    found: str | bytes = _done("read", path, binary=binary)
    return found


def write(path: str, *args: Any, **kwargs: Any) -> str:
    """Write lines to a file, replacing its content.

    Example::

        salt-g image file.write /etc/motd args='[hello]'
    """
    found: str = _in_resource_paths("write", path, *args, **kwargs)
    return found


def append(path: str, *args: Any, **kwargs: Any) -> str:
    """Add lines to the end of a file.

    Example::

        salt-g image file.append /etc/motd args='[hello]'
    """
    found: str = _in_resource_paths("append", path, *args, **kwargs)
    return found


def contains(path: str, text: str) -> bool:
    """Return whether a file contains a text.

    Example::

        salt-g image file.contains /etc/hosts localhost
    """
    found: bool = _done("contains", path, text)
    return found


def file_exists(path: str) -> bool:
    """Return whether a path is an existing file.

    Example::

        salt-g image file.file_exists /etc/passwd
    """
    found: bool = _done("file_exists", path)
    return found


def directory_exists(path: str) -> bool:
    """Return whether a path is an existing directory.

    Example::

        salt-g image file.directory_exists /etc
    """
    found: bool = _done("directory_exists", path)
    return found


def is_link(path: str) -> bool:
    """Return whether a path is a link.

    Example::

        salt-g image file.is_link /etc/localtime
    """
    found: bool = _done("is_link", path, follow=False)
    return found


def readlink(path: str) -> str:
    """Return the target of a link.

    Example::

        salt-g image file.readlink /etc/localtime
    """
    found: str = _done("readlink", path, follow=False)
    return found


def symlink(src: str, path: str, force: bool = False) -> bool:
    """Create a link at `path` to `src`.

    Example::

        salt-g image file.symlink /usr/share/zoneinfo/UTC /etc/localtime
    """
    done: bool = on_host("modules", "file.symlink", src, place(path, follow=False), force=force)
    return done


def mkdir(dir_path: str, user: str | None = None, group: str | None = None, mode: str | None = None) -> bool:
    """Create a directory and its parents.

    Example::

        salt-g image file.mkdir /srv/data
    """
    wanted = owners({"user": user, "group": group, "mode": mode})
    done: bool = on_host("modules", "file.mkdir", place(dir_path), **wanted)
    return done


def remove(path: str) -> bool:
    """Remove a file, a link, or a directory tree.

    Example::

        salt-g image file.remove /srv/data
    """
    found: bool = _done("remove", path, follow=False)
    return found


def touch(name: str) -> bool:
    """Create a file, or set its times to now.

    Example::

        salt-g image file.touch /var/lib/done
    """
    found: bool = _done("touch", name)
    return found


def readdir(path: str) -> list[str]:
    """Return the names in a directory.

    Example::

        salt-g image file.readdir /etc
    """
    found: list[str] = _done("readdir", path)
    return found


def get_mode(path: str) -> str:
    """Return the mode of a path, in octal digits.

    Example::

        salt-g image file.get_mode /etc/passwd
    """
    found: str = _done("get_mode", path)
    return found


def set_mode(path: str, mode: str | int) -> str:
    """Set the mode of a path.

    Example::

        salt-g image file.set_mode /etc/motd 0644
    """
    found: str = _done("set_mode", path, mode)
    return found


def get_uid(path: str) -> int:
    """Return the uid of a path's owner.

    Example::

        salt-g image file.get_uid /etc/passwd
    """
    found: int = _done("get_uid", path)
    return found


def get_gid(path: str) -> int:
    """Return the gid of a path's group.

    Example::

        salt-g image file.get_gid /etc/passwd
    """
    found: int = _done("get_gid", path)
    return found


def get_hash(path: str, form: str = "sha256") -> str:
    """Return the digest of a file.

    Example::

        salt-g image file.get_hash /etc/passwd
    """
    found: str = _done("get_hash", path, form)
    return found


def stats(path: str, hash_type: str | None = None) -> Facts:
    """Return the status of a path; user names are those of the managing host.

    Example::

        salt-g image file.stats /etc/passwd
    """
    found: dict[str, Any] = _in_resource_paths("stats", path, hash_type)
    return found


def chown(path: str, user: str | int | None, group: str | int | None) -> str | None:
    """Set the user and group (names in the root) of a path; return an error text if the path is missing.

    Example::

        salt-g image file.chown /srv/data root root
    """
    found = owners({"user": user, "group": group})
    done: str | None = _in_resource_paths("chown", path, found["user"], found["group"])
    return done


def copy(src: str, dst: str, recurse: bool = False, remove_existing: bool = False) -> bool:
    """Copy a file, or with `recurse` a directory tree.

    Example::

        salt-g image file.copy /etc/hosts /etc/hosts.old
    """
    done: bool = on_host("modules", "file.copy", place(src), place(dst), recurse, remove_existing)
    return done


def rename(src: str, dst: str) -> bool:
    """Rename a path.

    Example::

        salt-g image file.rename /etc/motd /etc/motd.old
    """
    done: bool = on_host("modules", "file.rename", place(src, follow=False), place(dst, follow=False))
    return done


def find(path: str, **options: Any) -> list[Any]:
    """Return the matching paths below a directory; the options are those of `file.find` on a minion.

    Example::

        salt-g image file.find /etc name='*.conf'
    """
    wanted: Mapping[str, Any] = {key: value for key, value in options.items() if key[:2] != "__"}
    found: list[Any] = _in_resource_paths("find", path, **wanted)
    return found


def _done(function: str, path: str, /, *args: Any, follow: bool = True, **options: Any) -> Any:
    return on_host("modules", f"file.{function}", place(path, follow=follow), *args, **options)


def _in_resource_paths(function: str, path: str, /, *args: Any, **options: Any) -> Any:
    """Run a file function and convert the paths in its result to the resource's."""
    return as_inside(_done(function, path, *args, **options), {place(path): path})
