"""States of jobs and variables in crontabs.

Source: stock's `cron` states.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from typing import Any

from salt_g import api
from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, outcome, would_change


def __virtual__() -> Any:
    """Return whether the execution module is available."""
    return True if api.has("cron.list_tab") else (False, "cron module could not be loaded")


def present(
    name: str,
    user: str = "root",
    minute: Any = "*",
    hour: Any = "*",
    daymonth: Any = "*",
    month: Any = "*",
    dayweek: Any = "*",
    comment: str | None = None,
    commented: bool = False,
    identifier: Any = False,
    special: str | None = None,
) -> StateReturn:
    """Ensure that a job is in a user's crontab.

    name
        The command.
    minute, hour, daymonth, month, dayweek
        As in crontab(5), or `random`, or a range `10:20` from which a number is chosen once.
    comment
        Text for the line above the job.
    commented
        Keep the job, but commented out.
    identifier
        Identifies the job if its command changes; defaults to the command.
    special
        A named time, such as `@daily`, instead of the five fields.

    Example::

        salt-g state.single cron.present /usr/bin/backup minute=0 hour=3
    """
    name = name.strip()
    options = {"cmd": name, "comment": comment, "commented": commented, "test": bool(opts.get("test"))}
    options["identifier"] = name if identifier is False else identifier
    if special is None:
        times = {"minute": minute, "hour": hour, "daymonth": daymonth, "month": month, "dayweek": dayweek}
        word = call("cron.set_job", user, **times, **options)
    else:
        word = call("cron.set_special", user, special, **options)
    return _set_return(f"Cron {name}", name, user, word)


def absent(
    name: str, user: str = "root", identifier: Any = False, special: str | None = None, **kwargs: Any
) -> StateReturn:
    """Ensure that a job is not in a user's crontab. For the arguments see `present`.

    Example::

        salt-g state.single cron.absent /usr/bin/backup
    """
    name = name.strip()
    options = {"identifier": name if identifier is False else identifier, "test": bool(opts.get("test"))}
    if special is None:
        word = call("cron.rm_job", user, name, **options)
    else:
        word = call("cron.rm_special", user, name, special=special, **options)
    return _removed_return(f"Cron {name}", name, user, word)


def env_present(name: str, value: str | None = None, user: str = "root") -> StateReturn:
    """Ensure that a variable is set in a user's crontab.

    Example::

        salt-g state.single cron.env_present MAILTO value=root
    """
    word = call("cron.set_env", user, name, value=value, test=bool(opts.get("test")))
    return _set_return(f"Cron env {name}", name, user, word)


def env_absent(name: str, user: str = "root") -> StateReturn:
    """Ensure that a variable is not set in a user's crontab.

    Example::

        salt-g state.single cron.env_absent MAILTO
    """
    name = name.strip()
    word = call("cron.rm_env", user, name, test=bool(opts.get("test")))
    return _removed_return(f"Cron env {name}", name, user, word)


def file(name: str, user: str = "root", replace: bool = True, **kwargs: Any) -> StateReturn:
    """Ensure that a user's crontab is a copy of a file.

    name
        URL of the file, as `source` of `file.managed`.
    replace
        Replace an existing crontab (default: True).

    The other arguments are those of `file.managed`: source_hash, template, context, defaults.

    Example::

        salt-g state.single cron.file salt://cron/root
    """
    account = call("user.info", user)
    if not account.get("groups"):
        return failed(name, f"Could not identify group for user {user}")
    now = call("cron.raw_cron", user)
    if now and not replace:
        return as_wanted(name, f"User {user} already has a crontab. No changes made")
    with _private_copy(now) as path:
        managed = api.current().table("states")["file.managed"]
        options = {"user": user, "group": account["groups"][0], "mode": "0600", **kwargs}
        made = managed(path, source=name, **options)
        if opts.get("test") or made["result"] is False:
            return outcome(name, made["result"], made["comment"], made["changes"])
        if "diff" not in made["changes"]:
            return as_wanted(name, f"Crontab for user {user} is in the correct state")
        done = call("cron.write_cron_file_verbose", user, path)
    if done["retcode"]:
        return failed(name, f"Unable to update user {user} crontab {path}. Error: {done['stderr']}")
    return changed(name, f"Crontab for user {user} was updated", made["changes"])


@contextlib.contextmanager
def _private_copy(text: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="salt-g-cron-") as directory:
        path = os.path.join(directory, "crontab")
        with open(path, "w", encoding="utf-8", opener=_private) as copy:
            copy.write(text if text.endswith("\n") else f"{text}\n")
        yield path


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _set_return(what: str, name: str, user: str, word: str) -> StateReturn:
    """Return the state return for a status word or error text, the result of `cron.set_job` and others."""
    if word == "present":
        return as_wanted(name, f"{what} already present")
    if word not in ("new", "updated"):
        verb = f"{what} for user {user} failed to commit with error \n{word}"
        return failed(name, verb)
    if opts.get("test"):
        return would_change(name, f"{what} is set to be {'added' if word == 'new' else 'updated'}")
    returned = f"{what} added to {user}'s crontab" if word == "new" else f"{what} updated"
    return changed(name, returned, {user: name})


def _removed_return(what: str, name: str, user: str, word: str) -> StateReturn:
    if word == "absent":
        return as_wanted(name, f"{what} is absent" if opts.get("test") else f"{what} already absent")
    if word != "removed":
        return failed(name, f"{what} for user {user} failed to commit with error {word}")
    if opts.get("test"):
        return would_change(name, f"{what} is set to be removed")
    return changed(name, f"{what} removed from {user}'s crontab", {user: name})
