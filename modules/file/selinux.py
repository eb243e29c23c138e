"""SELinux contexts of files.

Without SELinux the functions report that no context is available, and setting one fails with a message.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from salt_g import safe_files
from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError

_PARTS = ("user", "role", "type", "range")


class SelinuxParams(NamedTuple):
    """Desired parts of a context; None keeps the present one."""

    user: str | None = None
    role: str | None = None
    type: str | None = None
    range: str | None = None

    def __bool__(self) -> bool:
        return any(getattr(self, part) for part in _PARTS)

    def differing(self, current: dict[str, str]) -> dict[str, str]:
        """Return the desired parts that differ from the present ones."""
        wanted = {part: getattr(self, part) for part in _PARTS}
        return {part: value for part, value in wanted.items() if value and value != current[part]}


def get_selinux_context(path: str) -> str:
    """Return the context of a file as `user:role:type:range`, or a text if it has none.

    Example::

        salt-g file.get_selinux_context /etc/hosts
    """
    answer = call("cmd.run_all", ["stat", "-c", "%C", path], python_shell=False)
    if answer["retcode"] != 0:
        return f"No selinux context information is available for {path}"
    return str(answer["stdout"])


def set_selinux_context(
    path: str,
    user: str | None = None,
    role: str | None = None,
    type: str | None = None,
    range: str | None = None,
    persist: bool = False,
) -> str | bool:
    """Set parts of a file's context; `persist` also records it in the policy.

    Returns the resulting context, False if no part was given or `chcon` failed.

    Example::

        salt-g file.set_selinux_context /srv/www type=httpd_sys_content_t
    """
    wanted = {"-u": user, "-r": role, "-t": type, "-l": range}
    if not any(wanted.values()):
        return False
    safe_files.check_for_program(path)
    if persist:
        added = call("selinux.fcontext_add_policy", path, sel_type=type, sel_user=user, sel_level=range)
        if added.get("retcode") != 0:
            raise CommandExecutionError(f"Problem setting fcontext: {added}")
    options = [word for option, value in wanted.items() if value for word in (option, value)]
    if call("cmd.retcode", ["chcon", *options, path], python_shell=False):
        return False
    return get_selinux_context(path)


def restorecon(path: str, recursive: bool = False) -> bool:
    """Reset a file's context to the policy's default; return whether that succeeded.

    Example::

        salt-g file.restorecon /etc/hosts
    """
    safe_files.check_for_program(path)
    return not call("cmd.retcode", ["restorecon", "-FR" if recursive else "-F", path], python_shell=False)


def context_parts(path: str) -> dict[str, str] | None:
    """Return a file's context by part, or None without SELinux."""
    parts = get_selinux_context(path).split(":", 3)
    return dict(zip(_PARTS, parts, strict=True)) if len(parts) == len(_PARTS) else None


def check_context(path: str, desired: SelinuxParams, ret: dict[str, Any], problems: list[str]) -> None:
    """Set a file's context; add changes to `ret` and failures to `problems`."""
    current = context_parts(path)
    if current is None:
        ret["result"] = False
        problems.append("Failed to get selinux attributes")
        return
    wanted = desired.differing(current)
    if not wanted:
        return
    if opts["test"]:
        ret["result"] = None
        problems.append(f"File {path} selinux context to be updated")
    elif not _set(path, current, wanted, ret, problems):
        return
    ret["changes"]["selinux"] = {"Old": _described(current, wanted), "New": _described(wanted, wanted)}


def _set(
    path: str, current: dict[str, str], wanted: dict[str, str], ret: dict[str, Any], problems: list[str]
) -> bool:
    # A policy entry needs a type, so include the present one if only other parts change.
    asked = {"type": current["type"], **wanted}
    now = str(set_selinux_context(path, persist=True, **asked)).split(":", 3)
    if len(now) != len(_PARTS):
        ret["result"] = False
        problems.append("Failed to set selinux attributes")
        return False
    problems.append(f"The file {path} is set to be changed")
    for part, value in zip(_PARTS, now, strict=True):
        if wanted.get(part, value) != value:
            ret["result"] = False
            problems.append(f"Unable to update se{part} context")
    return True


def _described(values: dict[str, str], parts: dict[str, str]) -> str:
    return " ".join(f"{part.title()}: {values[part]}" for part in _PARTS if part in parts)
