"""Users of this machine, managed with the programs of the shadow suite (`user`).

The argument `root` selects another root directory.
"""

from __future__ import annotations

import pwd
from collections.abc import Sequence
from typing import Any

from salt_g.api import grains, scratch
from salt_g.errors import CommandExecutionError
from salt_g.modules import _accounts
from salt_g.shapes import GECOS

__virtualname__ = "user"

#: Exit code of userdel if it could not remove the mail spool.
NO_MAIL_SPOOL = 12


def __virtual__() -> Any:
    """Load only on Linux: the module needs the programs of the shadow suite."""
    if grains.get("kernel") == "Linux":
        return __virtualname__
    return False, "useradd execution module not loaded: the system is not Linux"


def add(
    name: str,
    uid: int | str | None = None,
    gid: int | str | None = None,
    groups: Sequence[str] | str | None = None,
    home: str | None = None,
    shell: str | None = None,
    unique: bool = True,
    system: bool = False,
    fullname: str = "",
    roomnumber: str = "",
    workphone: str = "",
    homephone: str = "",
    other: str = "",
    createhome: bool = True,
    loginclass: str | None = None,
    nologinit: bool = False,
    root: str | None = None,
    usergroup: bool | None = None,
    local: bool = False,
) -> bool:
    """Add a user; return whether that succeeded.

    name, uid, gid, home, shell
        Fields of /etc/passwd; `gid` may be a group's name.
    groups
        Supplementary groups, a list or comma-separated text.
    unique
        Refuse a uid that is already in use (default: True).
    system
        Create a system account: a low uid, no password ageing.
    fullname, roomnumber, workphone, homephone, other
        The parts of the comment field.
    createhome
        Create the home directory (default: True).
    nologinit, loginclass
        Keep the user out of the lastlog and faillog databases; ignored, as Linux has no login classes.
    usergroup
        Create a group of the same name (True), or not (False); by default, as the system is configured.
    local
        Use `luseradd`, which handles local users only and ignores `root`.

    Example::

        salt-g user.add frank shell=/bin/bash groups='[adm]'
    """
    options: list[Any] = ["-s", shell] if shell else []
    options += ["-u", uid] if uid not in (None, "") else []
    options += _group_options(name, gid, groups, usergroup, local)
    options += _home_options(home, createhome, local)
    options += [flag for flag, wanted in (("-l", nologinit), ("-o", not unique), ("-r", system)) if wanted]
    program = "luseradd" if local else "useradd"
    if _accounts.run_program(program, *options, name, root=None if local else root)["retcode"] != 0:
        return False
    if groups:
        chgroups(name, groups, root=root)
    given = dict(zip(GECOS, (fullname, roomnumber, workphone, homephone, other), strict=True))
    for key in (key for key in GECOS if given[key]):
        _change_gecos(name, key, given[key], root)
    return True


def delete(
    name: str, remove: bool = False, force: bool = False, root: str | None = None, local: bool = False
) -> bool:
    """Delete a user; return whether that succeeded.

    remove
        Also remove the home directory.
    force
        Delete the user even while logged in; ignored with `local`.
    local
        Use `luserdel`, which handles local users only and ignores `root`.

    Example::

        salt-g user.delete frank remove=True
    """
    options = [flag for flag, wanted in (("-r", remove), ("-f", force and not local)) if wanted]
    program = "luserdel" if local else "userdel"
    done = _accounts.run_program(program, *options, name, root=None if local else root)
    if done["retcode"] != NO_MAIL_SPOOL:
        return bool(done["retcode"] == 0)
    # Debian's userdel complains about a missing mail spool after its work is done.
    return grains.get("os_family") == "Debian" and any(
        path in done["stderr"] for path in ("var/mail", "var/spool/mail")
    )


def info(name: str, root: str | None = None) -> dict[str, Any]:
    """Return information about a user; {} if the user does not exist.

    The keys are `name`, `passwd`, `uid`, `gid`, `home`, `shell`, `groups` and the parts of the comment field:
    `fullname`, `roomnumber`, `workphone`, `homephone` and `other`.

    Example::

        salt-g user.info root
    """
    try:
        return _described(_accounts.user(name, root), root)
    except (KeyError, OSError):
        return {}


def getent(refresh: bool = False, root: str | None = None) -> list[dict[str, Any]]:
    """Return information about all users, each as from `user.info`.

    The list is read once in a call or state run, unless `refresh` or `root` is set.

    Example::

        salt-g user.getent
    """
    if root is not None:
        return [_described(entry, root) for entry in _accounts.users(root)]
    if refresh or "user.getent" not in scratch:
        scratch["user.getent"] = [_described(entry) for entry in _accounts.users()]
    return list(scratch["user.getent"])


def list_users(root: str | None = None) -> list[str]:
    """Return the names of all users, sorted.

    Example::

        salt-g user.list_users
    """
    return sorted(entry.pw_name for entry in _accounts.users(root))


def list_groups(name: str, root: str | None = None) -> list[str]:
    """Return the names of all groups of a user, sorted.

    Example::

        salt-g user.list_groups root
    """
    return _accounts.group_names(name, root)


def primary_group(name: str) -> str:
    """Return the name of the primary group of a user.

    Example::

        salt-g user.primary_group root
    """
    import grp

    try:
        return grp.getgrgid(_accounts.user(name).pw_gid).gr_name
    except KeyError:
        raise CommandExecutionError(f"User '{name}' or its primary group does not exist") from None


def chuid(name: str, uid: int, root: str | None = None) -> bool:
    """Change the uid of a user; return whether the user has it now.

    Example::

        salt-g user.chuid frank 4376
    """
    return _change(name, "uid", uid, "-u", root=root)


def chgid(name: str, gid: int | str, root: str | None = None) -> bool:
    """Change the primary group of a user; return whether the user has it now.

    Example::

        salt-g user.chgid frank 4376
    """
    return _change(name, "gid", gid, "-g", root=root)


def chshell(name: str, shell: str, root: str | None = None) -> bool:
    """Change the login shell of a user; return whether the user has it now.

    Example::

        salt-g user.chshell frank /bin/zsh
    """
    return _change(name, "shell", shell, "-s", root=root)


def chhome(name: str, home: str, persist: bool = False, root: str | None = None) -> bool:
    """Change the home directory of a user; return whether that succeeded.

    persist
        Move the contents of the old home directory.

    Example::

        salt-g user.chhome frank /home/users/frank persist=True
    """
    return _change(name, "home", home, *(["-m"] if persist else []), "-d", root=root)


def chgroups(name: str, groups: Sequence[str] | str, append: bool = False, root: str | None = None) -> bool:
    """Change the supplementary groups of a user; return whether that succeeded.

    groups
        A list or comma-separated text.
    append
        Add to the existing groups, instead of replacing them.

    Example::

        salt-g user.chgroups frank wheel,root append=True
    """
    wanted = groups.split(",") if isinstance(groups, str) else [str(group) for group in groups]
    if set(list_groups(name, root)) == set(wanted):
        return True
    done = _accounts.run_program(
        "usermod", *(["-a"] if append else []), "-G", ",".join(wanted), name, root=root
    )
    return bool(done["retcode"] == 0)


def chfullname(name: str, fullname: str | None, root: str | None = None) -> bool:
    """Change the full name of a user; return whether the user has it now.

    Example::

        salt-g user.chfullname frank 'Frank Example'
    """
    return _change_gecos(name, "fullname", fullname, root)


def chroomnumber(name: str, roomnumber: str | None, root: str | None = None) -> bool:
    """Change the room number of a user; return whether the user has it now.

    Example::

        salt-g user.chroomnumber frank 123
    """
    return _change_gecos(name, "roomnumber", roomnumber, root)


def chworkphone(name: str, workphone: str | None, root: str | None = None) -> bool:
    """Change the work phone of a user; return whether the user has it now.

    Example::

        salt-g user.chworkphone frank 7735550123
    """
    return _change_gecos(name, "workphone", workphone, root)


def chhomephone(name: str, homephone: str | None, root: str | None = None) -> bool:
    """Change the home phone of a user; return whether the user has it now.

    Example::

        salt-g user.chhomephone frank 7735551234
    """
    return _change_gecos(name, "homephone", homephone, root)


def chother(name: str, other: str | None, root: str | None = None) -> bool:
    """Change the last part of the comment field of a user; return whether the user has it now.

    Example::

        salt-g user.chother frank 'rack 7'
    """
    return _change_gecos(name, "other", other, root)


def chloginclass(name: str, loginclass: str, root: str | None = None) -> bool:
    """Return False: Linux has no login classes.

    Example::

        salt-g user.chloginclass frank staff
    """
    return False


def get_loginclass(name: str) -> bool:
    """Return False: Linux has no login classes.

    Example::

        salt-g user.get_loginclass frank
    """
    return False


def rename(name: str, new_name: str, root: str | None = None) -> bool:
    """Change the name of a user; return whether the user has it now.

    Example::

        salt-g user.rename frank francis
    """
    if info(new_name, root):
        raise CommandExecutionError(f"User '{new_name}' already exists")
    _known(name, root)
    _accounts.run_program("usermod", "-l", new_name, name, root=root)
    return bool(info(new_name, root))


def _group_options(name: str, gid: Any, groups: Any, usergroup: bool | None, local: bool) -> list[Any]:
    options: list[Any] = []
    if gid not in (None, ""):
        options = ["-g", gid]
    elif usergroup:
        options = [] if local else ["-U"]
    elif groups is not None and name in groups and _makes_user_groups():
        # useradd would try to create the user's group and fail, because it exists.
        options = ["-g", name]
    return options + (["-n" if local else "-N"] if usergroup is False else [])


def _makes_user_groups() -> bool:
    """Return whether useradd creates a group for each user on this machine."""
    try:
        with open("/etc/login.defs", encoding="utf-8", errors="replace") as file:
            words = [line.split() for line in file]
    except OSError:
        return False
    return any(len(line) > 1 and line[0] == "USERGROUPS_ENAB" and line[1] == "yes" for line in words)


def _home_options(home: str | None, createhome: bool, local: bool) -> list[str]:
    make = ([] if local else ["-m"]) if createhome else ["-M"]
    return make + (["-d", home] if home is not None else [])


def _change(name: str, key: str, value: Any, *options: str, root: str | None) -> bool:
    """Set `key` of a user with usermod, unless it is set already; return whether it now has the value."""
    if _known(name, root)[key] == value:
        return True
    _accounts.run_program("usermod", *options, value, name, root=root)
    return bool(info(name, root).get(key) == value)


def _change_gecos(name: str, key: str, value: Any, root: str | None) -> bool:
    """Change one part of the comment field; usermod only sets it as a whole."""
    wanted = "" if value is None else str(value)
    before = _known(name, root)
    if before[key] == wanted:
        return True
    comment = ",".join({**before, key: wanted}[part] for part in GECOS).rstrip(",")
    _accounts.run_program("usermod", "-c", comment, name, root=root)
    return info(name, root).get(key) == wanted


def _known(name: str, root: str | None) -> dict[str, Any]:
    found = info(name, root)
    if not found:
        raise CommandExecutionError(f"User '{name}' does not exist")
    return found


def _described(entry: pwd.struct_passwd, root: str | None = None) -> dict[str, Any]:
    parts = [*entry.pw_gecos.split(",", len(GECOS) - 1), *("" for _ in GECOS)]
    return {
        "gid": entry.pw_gid,
        "groups": list_groups(entry.pw_name, root),
        "home": entry.pw_dir,
        "name": entry.pw_name,
        "passwd": entry.pw_passwd,
        "shell": entry.pw_shell,
        "uid": entry.pw_uid,
        **dict(zip(GECOS, parts, strict=False)),
    }
