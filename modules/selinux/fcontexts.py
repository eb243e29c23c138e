"""File contexts in the policy and on files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from salt_g.errors import InvocationError
from salt_g.modules._programs import output, run
from salt_g.shapes import Completed

#: Kinds of files, by the letters that semanage has for them.
_FILE_TYPES = {
    "a": "all files",
    "f": "regular file",
    "d": "directory",
    "c": "character device",
    "b": "block device",
    "s": "socket",
    "l": "symbolic link",
    "p": "named pipe",
}
_CONTEXT_PARTS = ("sel_user", "sel_role", "sel_type", "sel_level")
_FCONTEXT = re.compile(r"(\S+)\s+([a-z]+(?: [a-z]+)*)\s+([^:\s]+:[^:\s]+:[^:\s]+:\S+)\s*\Z")
_RELABELLED = re.compile(
    r"^(?:Would relabel (\S+) from (\S+) to (\S+)|restorecon reset (\S+) context (\S+)->(\S+))$", re.MULTILINE
)


def filetype_id_to_string(filetype: str = "a") -> str:
    """Return the name of a file type, given by its letter.

    Example::

        salt-g selinux.filetype_id_to_string f
    """
    if filetype not in _FILE_TYPES:
        raise InvocationError(
            f"Invalid file type code {filetype!r}; expected one of: {', '.join(_FILE_TYPES)}"
        )
    return _FILE_TYPES[filetype]


def fcontext_get_policy(
    name: str,
    filetype: str | None = None,
    sel_type: str | None = None,
    sel_user: str | None = None,
    sel_level: str | None = None,
) -> dict[str, str] | None:
    """Return the policy whose pattern is `name`, or None if there is no such policy.

    `filetype` is a letter of semanage: `a` (all files), `f` (regular files), `d`, `c`, `b`, `s`, `l` or `p`;
    the other arguments are compared with the policy's context. The result is {"filespec", "filetype",
    "sel_user", "sel_role", "sel_type", "sel_level"}.

    Example::

        salt-g selinux.fcontext_get_policy '/srv/www(/.*)?'
    """
    wanted = {"sel_type": sel_type, "sel_user": sel_user, "sel_level": sel_level}
    if filetype:
        wanted["filetype"] = filetype_id_to_string(filetype)
    given = {key: value for key, value in wanted.items() if value}
    matching = (row for row in _fcontexts() if row["filespec"] == name)
    return next((row for row in matching if given.items() <= row.items()), None)


def fcontext_add_policy(
    name: str,
    filetype: str | None = None,
    sel_type: str | None = None,
    sel_user: str | None = None,
    sel_level: str | None = None,
) -> Completed:
    """Add the policy for files matching a pattern, or change it; return the result of semanage.

    The files keep their contexts. For `filetype` see `selinux.fcontext_get_policy`.

    Example::

        salt-g selinux.fcontext_add_policy '/srv/www(/.*)?' sel_type=httpd_sys_content_t
    """
    action = "modify" if fcontext_get_policy(name, filetype) else "add"
    return _fcontext(action, name, filetype, sel_type, sel_user, sel_level)


def fcontext_delete_policy(
    name: str,
    filetype: str | None = None,
    sel_type: str | None = None,
    sel_user: str | None = None,
    sel_level: str | None = None,
) -> Completed:
    """Delete the policy for files matching a pattern; return the result of semanage.

    For `filetype` see `selinux.fcontext_get_policy`.

    Example::

        salt-g selinux.fcontext_delete_policy '/srv/www(/.*)?'
    """
    return _fcontext("delete", name, filetype, sel_type, sel_user, sel_level)


def fcontext_policy_is_applied(name: str, recursive: bool = False) -> str:
    """Return the changes that `restorecon` would make, or '' if the files match the policy.

    Example::

        salt-g selinux.fcontext_policy_is_applied /srv/www recursive=True
    """
    return run(["restorecon", "-n", "-v", *(["-R"] if recursive else []), name])["stdout"]


def fcontext_apply_policy(name: str, recursive: bool = False) -> dict[str, Any]:
    """Apply the policy's contexts to files; return the result of restorecon and `changes`.

    `changes` is {path: {"old", "new"}} with the parts of the contexts that differ.

    Example::

        salt-g selinux.fcontext_apply_policy /srv/www recursive=True
    """
    preview = fcontext_policy_is_applied(name, recursive)
    done: dict[str, Any] = {**run(["restorecon", "-v", "-F", *(["-R"] if recursive else []), name])}
    if done["retcode"] != 0:
        return done
    found = [[part for part in item if part] for item in _RELABELLED.findall(preview)]
    if preview and not found:
        return {**done, "retcode": 1, "error": "Unrecognized response from restorecon command."}
    return {**done, "changes": {path: _differing_parts(old, new) for path, old, new in found}}


def _fcontexts() -> Iterator[dict[str, str]]:
    for line in output(["semanage", "fcontext", "--list"]).splitlines():
        found = _FCONTEXT.match(line)
        if found:
            spec, filetype, context = found.groups()
            yield {"filespec": spec, "filetype": filetype, **_context(context)}


def _fcontext(
    action: str,
    name: str,
    filetype: str | None,
    sel_type: str | None,
    sel_user: str | None,
    sel_level: str | None,
) -> Completed:
    words = ["semanage", "fcontext", f"--{action}"]
    if filetype not in (None, "a"):
        filetype_id_to_string(str(filetype))
        words += ["--ftype", str(filetype)]
    for option, value in (("--type", sel_type), ("--seuser", sel_user), ("--range", sel_level)):
        words += [option, value] if value is not None else []
    return run([*words, name])


def _context(text: str) -> dict[str, str]:
    parts = text.split(":", 3)
    if len(parts) != len(_CONTEXT_PARTS):
        raise InvocationError(
            f'Invalid SELinux context string: {text}. Expected "sel_user:sel_role:sel_type:sel_level"'
        )
    return dict(zip(_CONTEXT_PARTS, parts, strict=True))


def _differing_parts(old: str, new: str) -> dict[str, dict[str, str]]:
    """Return the differing parts of two contexts."""
    before, after = _context(old), _context(new)
    differing = [part for part in _CONTEXT_PARTS if before[part] != after[part]]
    return {
        "old": {part: before[part] for part in differing},
        "new": {part: after[part] for part in differing},
    }
