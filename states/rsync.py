"""States of directories synchronized with rsync."""

from __future__ import annotations

import os
from typing import Any

from salt_g import safe_files
from salt_g.api import call, functions, opts
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change


def __virtual__() -> bool | tuple[bool, str]:
    return True if "rsync.rsync" in functions else (False, "Command not found: rsync")


def synchronized(
    name: str,
    source: str,
    delete: bool = False,
    force: bool = False,
    update: bool = False,
    passwordfile: str | None = None,
    exclude: Any = None,
    excludefrom: str | None = None,
    prepare: bool = False,
    dryrun: bool = False,
    additional_opts: list[str] | None = None,
) -> StateReturn:
    """Ensure that a directory has the contents of `source`.

    `delete` removes files that the source does not have, `prepare` creates the directory first, `update`
    keeps newer files; without `prepare` or `force`, the directory must exist. The other arguments are those
    of `rsync.rsync`.

    Example::

        salt-g state.single rsync.synchronized /opt/user-backups source=/home prepare=True
    """
    if not os.path.exists(name) and not force and not prepare:
        return failed(name, f"Destination directory {name} was not found.")
    only_reported = bool(opts["test"] or dryrun)
    if prepare and not only_reported:
        safe_files.make_directories(name)
    try:
        finished = call(
            "rsync.rsync",
            source,
            name,
            delete=delete,
            force=force,
            update=update,
            passwordfile=passwordfile,
            exclude=exclude,
            excludefrom=excludefrom,
            dryrun=only_reported,
            additional_opts=additional_opts,
        )
    except (CommandExecutionError, InvocationError) as exc:
        return failed(name, str(exc))
    if finished["retcode"] != 0:
        return failed(name, finished["stderr"])
    summary, changes = _summary(finished["stdout"]), _changes(finished["stdout"])
    if only_reported:
        return would_change(name, summary)
    return changed(name, summary, changes) if changes else as_wanted(name, summary)


def _summary(text: str) -> str:
    """Return rsync's last lines as a bulleted text: bytes sent and received, sizes."""
    last = text.split("\n\n")[-1].replace("  ", "\n").splitlines()
    return "- " + "\n- ".join(line for line in last if line)


def _changes(text: str) -> dict[str, str]:
    """Return {"copied", "deleted"} of the lines between the header and the summary, or {} for none."""
    lines = text.split("\n\n")[0].splitlines()[1:]
    deleted = sorted(line.split(" ", 1)[-1] for line in lines if line.startswith("deleting "))
    copied = sorted(line for line in lines if not line.startswith("deleting "))
    if not copied and not deleted:
        return {}
    return {"copied": "\n".join(copied) or "N/A", "deleted": "\n".join(deleted) or "N/A"}
