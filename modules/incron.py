"""Jobs of users' incrontabs, which run when a file changes (`incron`).

Shapes: a tab is {"crons": [{"path", "mask", "cmd"}], "pre": [other lines]}.
Source: incrontab(5), inotify(7).
"""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import call
from salt_g.modules._required import hint
from salt_g.process import command

Job = dict[str, str]
Tab = dict[str, list[Any]]

#: Valid words of a mask.
MASKS = frozenset(
    (
        *("IN_ACCESS", "IN_ATTRIB", "IN_CLOSE", "IN_CLOSE_NOWRITE", "IN_CLOSE_WRITE", "IN_CREATE"),
        *("IN_DELETE", "IN_DELETE_SELF", "IN_MODIFY", "IN_MOVE", "IN_MOVED_FROM", "IN_MOVED_TO"),
        *("IN_MOVE_SELF", "IN_OPEN", "IN_ALL_EVENTS", "IN_DONT_FOLLOW", "IN_ONESHOT", "IN_ONLYDIR"),
        "IN_NO_LOOP",
    )
)
_COLUMNS = ("path", "mask", "cmd")
#: Directory of the system-wide incrontabs.
SYSTEM_TABS = "/etc/incron.d"


def __virtual__() -> bool | tuple[bool, str]:
    if command.which("incrontab"):
        return True
    return False, "The incron execution module cannot be loaded: incrontab command not found." + hint(
        "incrontab"
    )


def write_incron_file(user: str, path: str) -> bool:
    """Replace a user's incrontab with the content of a file; return whether that succeeded.

    Example::

        salt-g incron.write_incron_file root /tmp/new_incron
    """
    return bool(write_incron_file_verbose(user, path)["retcode"] == 0)


def write_incron_file_verbose(user: str, path: str) -> dict[str, Any]:
    """Replace a user's incrontab with the content of a file; return pid, retcode, stdout and stderr.

    Example::

        salt-g incron.write_incron_file_verbose root /tmp/new_incron
    """
    return dict(call("cmd.run_all", ["incrontab", path], runas=_runas(user), python_shell=False))


def raw_system_incron() -> str:
    """Return the text of the system-wide incrontabs in /etc/incron.d, or '' if there are none.

    Example::

        salt-g incron.raw_system_incron
    """
    texts = []
    for name in sorted(os.listdir(SYSTEM_TABS)) if os.path.isdir(SYSTEM_TABS) else []:
        with open(os.path.join(SYSTEM_TABS, name), encoding="utf-8") as file:
            texts.append(file.read())
    return "".join(texts)


def raw_incron(user: str) -> str:
    """Return the text of a user's incrontab, or '' if there is none.

    Example::

        salt-g incron.raw_incron root
    """
    options = {"runas": _runas(user), "rstrip": False, "ignore_retcode": True, "python_shell": False}
    done = call("cmd.run_all", ["incrontab", "-l"], **options)
    return "" if done["retcode"] else str(done["stdout"])


def list_tab(user: str) -> Tab:
    """Return a user's incrontab as {"crons": [{"path", "mask", "cmd"}], "pre": [other lines]}.

    Example::

        salt-g incron.list_tab root
    """
    tab: Tab = {"crons": [], "pre": []}
    for line in raw_incron(user).splitlines():
        words = line.split(None, 2)
        if len(words) == len(_COLUMNS) and not line.startswith("#"):
            tab["crons"].append(dict(zip(_COLUMNS, words, strict=True)))
        else:
            tab["pre"].append(line)
    return tab


def ls(user: str) -> Tab:
    """Return the result of `incron.list_tab`.

    Example::

        salt-g incron.ls root
    """
    return list_tab(user)


def set_job(user: str, path: str, mask: str, cmd: str) -> str:
    """Ensure that a job is in an incrontab; return `new`, `present`, or an error's text.

    path
        The watched file or directory.
    mask
        Events of inotify(7), separated by commas: `IN_CREATE,IN_DELETE`.
    cmd
        The command, in which `$@` is the path and `$#` the name of the file.

    Example::

        salt-g incron.set_job root /srv IN_MODIFY 'logger $@/$#'
    """
    for word in mask.split(","):
        if word not in MASKS:
            return f"Invalid mask type: {word}"
    tab, wanted = list_tab(user), _job(path, mask, cmd)
    if any(_key(job) == _key(wanted) for job in tab["crons"]):
        return "present"
    return _write(user, {**tab, "crons": [*tab["crons"], wanted]}, "new")


def rm_job(user: str, path: str, mask: str, cmd: str) -> str:
    """Remove a job from an incrontab; return `removed`, `absent`, or an error's text.

    Example::

        salt-g incron.rm_job root /srv IN_MODIFY 'logger $@/$#'
    """
    tab, unwanted = list_tab(user), _key(_job(path, mask, cmd))
    kept = [job for job in tab["crons"] if _key(job) != unwanted]
    return "absent" if len(kept) == len(tab["crons"]) else _write(user, {**tab, "crons": kept}, "removed")


def rm(user: str, path: str, mask: str, cmd: str) -> str:
    """Remove a job as `incron.rm_job` does.

    Example::

        salt-g incron.rm root /srv IN_MODIFY 'logger $@/$#'
    """
    return rm_job(user, path, mask, cmd)


def _runas(user: str) -> str | None:
    """Return the user to run the program as, or None for the current user."""
    return None if command.identity().name == user else user


def _job(path: str, mask: str, cmd: str) -> Job:
    return {"path": path, "mask": mask, "cmd": cmd}


def _key(job: Job) -> tuple[str, frozenset[str], str]:
    """Return the identity of a job, in which the order of the events does not matter."""
    return job["path"], frozenset(job["mask"].split(",")), job["cmd"]


def _write(user: str, tab: Tab, word: str) -> str:
    """Write an incrontab; return `word`, or the error text on failure."""
    lines = [*tab["pre"], *(f"{job['path']} {job['mask']} {job['cmd']}" for job in tab["crons"])]
    text = "".join(f"{line}\n" for line in lines)
    options = {"runas": _runas(user), "stdin": text, "stdin_raw_newlines": True, "python_shell": False}
    done = call("cmd.run_all", ["incrontab", "-"], **options)
    return str(done["stderr"] or done["stdout"]) if done["retcode"] else word
