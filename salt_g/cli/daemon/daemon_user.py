"""Ownership and modes of a daemon's directories and log file, before the switch to the daemon's user.

Each daemon prepares them once, between reading the settings and opening the first socket. Directories become
private, whatever mode they had before; with `publisher_acl` or `external_auth`, all users can traverse some.
Errors: PrivilegeError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from salt_g.process import privileges

if TYPE_CHECKING:
    from salt_g.shapes import Opts

#: Settings that name directories private to the daemon.
_DIRECTORIES = ("pki_dir", "cachedir", "sock_dir", "extension_modules")
#: Settings that name directories in which permitted users must reach their own key file and the socket.
_SHARED = ("cachedir", "sock_dir")


def prepare_files(opts: Opts, role: str) -> None:
    """Create the directories and the log file of a role, and give them to the configured user."""
    if role == "api":
        # All other directories belong to the master, so the API leaves them alone.
        privileges.prepare(opts["user"], [opts["api_sessions"]])
        _prepare_log(opts)
        return
    others_come = bool(opts.get("publisher_acl") or opts.get("external_auth"))
    shared = [opts[name] for name in _SHARED] if others_come else []
    closed = [opts[name] for name in _DIRECTORIES if opts[name] not in shared]
    privileges.prepare(opts["user"], closed)
    privileges.prepare(opts["user"], shared, mode=privileges.PASSABLE)
    if opts.get("publisher_acl") and privileges.drops(opts["user"]):
        _give_keys(opts)
    _prepare_log(opts)


def _prepare_log(opts: Opts) -> None:
    if "://" not in str(opts["log_file"]):
        privileges.prepare_file(opts["user"], opts["log_file"])


def _give_keys(opts: Opts) -> None:
    # Imported lazily: needed only by a master with `publisher_acl` that root starts as another user.
    from salt_g.auth.local_users import acl_users
    from salt_g.master.calls.user_keys import UserKeys

    users = acl_users(opts["publisher_acl"], verify=opts["client_acl_verify"])
    UserKeys(opts["cachedir"], opts["user"], users).give()
