"""Privilege drop to the configured user, and ownership of that user's files.

Master, minion and their commands drop their privileges in the same way, once, before they open sockets or
their own files.
Errors: PrivilegeError names the user and the remedy.
"""

from __future__ import annotations

import logging
import os
import pwd
import stat
from collections.abc import Iterable

from salt_g import safe_files
from salt_g.errors import PrivilegeError, UnknownUser
from salt_g.process import disk

log = logging.getLogger(__name__)

#: Mode of directories that permitted users traverse to reach their own key file, but may not list.
PASSABLE = 0o711
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND


def current_user() -> str:
    """Return the name of this process's user, or the user id if the user has no name."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def become(user: str) -> None:
    """Switch to `user` and the groups of that user, irreversibly.

    Raises PrivilegeError for an unknown user, without permission, or if that user cannot read the program.
    """
    if not user or user == current_user():
        return
    entry = _entry(user)
    program = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    # The single-file program contains its modules, so it has no directory.
    has_directory = os.path.isdir(program)
    try:
        os.initgroups(user, entry.pw_gid)
        os.setgid(entry.pw_gid)
        os.setuid(entry.pw_uid)
    except OSError as exc:
        raise PrivilegeError(user, f"only root can become another user ({exc.strerror})") from exc
    if has_directory:
        _check_readable(user, program)
    for name in ("HOME", "SHELL", "USER", "LOGNAME"):
        if name in os.environ:
            os.environ[name] = {"HOME": entry.pw_dir, "SHELL": entry.pw_shell}.get(name, user)


def _check_readable(user: str, directory: str) -> None:
    """Raise PrivilegeError if this user cannot read the program, parts of which are imported later."""
    # Every directory on the way needs `x`, so checking the last one is enough.
    if not os.access(directory, os.R_OK | os.X_OK):
        reason = f"this user cannot read the program in {directory}"
        raise PrivilegeError(user, f"{reason}; grant access to the directories, or install it elsewhere")


def drops(user: str) -> bool:
    """Return whether this process runs as root and will switch to another user."""
    return os.geteuid() == 0 and bool(user) and user != current_user()


def prepare(user: str, directories: Iterable[str], *, mode: int = disk.PRIVATE_DIRECTORY) -> None:
    """Create missing directories, make them private, and give their content to `user`.

    Called before `become`. Links in the directories are not followed, and files with several hard links keep
    their owner, because the user may have put them there. Raises PrivilegeError where a directory itself is
    reached through a link of that user.
    """
    owner = _entry(user) if user and user != current_user() and os.geteuid() == 0 else None
    for directory in directories:
        try:
            safe_files.check(directory)
            disk.make_private_leaf(directory)
            _set_mode(directory, mode)
            if owner is not None:
                _give(directory, owner.pw_uid, owner.pw_gid)
        except safe_files.UntrustedPath as exc:
            raise PrivilegeError(user, str(exc)) from exc


def prepare_file(user: str, path: str) -> None:
    """Create a file if missing, and give it to `user`; do nothing unless root will switch to `user`."""
    if not user or user == current_user() or os.geteuid() != 0:
        return
    owner = _entry(user)
    try:
        safe_files.check(path, follow=False)
        disk.make_passed_directory(os.path.dirname(path))
        descriptor = safe_files.open_file(path, _APPEND, disk.PRIVATE_FILE, follow=False)
        try:
            _give_file(descriptor, path, owner)
        finally:
            os.close(descriptor)
    except safe_files.UntrustedPath as exc:
        raise PrivilegeError(user, str(exc)) from exc


def _give_file(descriptor: int, path: str, owner: pwd.struct_passwd) -> None:
    found = os.fstat(descriptor)
    if found.st_uid == owner.pw_uid or not stat.S_ISREG(found.st_mode):
        return
    if found.st_nlink > 1:
        log.warning("%s has several hard links, so it is not given to %s", path, owner.pw_name)
        return
    os.fchown(descriptor, owner.pw_uid, owner.pw_gid)


def _entry(user: str) -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(user)
    except KeyError:
        raise UnknownUser(
            user, "The user is not available. Create it on this machine, or set `user` to another"
        ) from None


def _set_mode(directory: str, mode: int) -> None:
    """Set the mode of a directory; if another user owns it, only log a difference."""
    found = stat.S_IMODE(os.stat(directory).st_mode)
    if found == mode:
        return
    try:
        safe_files.change_mode(directory, mode)
    except safe_files.UntrustedPath:
        raise  # Also covers PermissionError for reasons other than ownership.
    except PermissionError:
        log.warning("%s has mode %o instead of %o; only its owner can change it", directory, found, mode)


def _give(directory: str, uid: int, gid: int) -> None:
    for path in safe_files.give_tree(directory, uid, gid):
        log.warning("%s has several hard links, so it keeps its owner; remove it or copy it", path)
