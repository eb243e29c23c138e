"""One-time jobs of at(1)."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, functions, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, failed, outcome, would_change


def __virtual__() -> bool | tuple[bool, str]:
    return True if "at.at" in functions else (False, "at module could not be loaded")


def present(
    name: str,
    timespec: str,
    tag: str | None = None,
    user: str | None = None,
    job: str | None = None,
    unique_tag: bool = False,
) -> StateReturn:
    """Add a job to the queue, each time the state runs unless `unique_tag` is set.

    name
        The command, unless `job` is given.
    timespec
        The time, in a format of at(1).
    tag
        A label for the job.
    user
        The user to run the job as.
    unique_tag
        Add nothing if there is a job with this tag.

    Example::

        salt-g state.single at.present '/bin/rm /tmp/old' timespec='now + 1 day' tag=tidy
    """
    command = job or name
    if opts["test"]:
        return would_change(name, f"job {command} added and will run on {timespec}")
    if unique_tag and not tag:
        return failed(name, "no tag provided and unique_tag is set to True")
    if unique_tag and call("at.jobcheck", tag=tag)["jobs"]:
        return as_wanted(name, f"atleast one job with tag {tag} exists.")
    if user and not call("user.info", user):
        return failed(name, f"user {user} does not exists")
    who = {"runas": user} if user else {}
    returned = call("at.at", timespec, command, tag=tag, **who)
    if "error" in returned:
        return failed(name, returned["error"])
    as_user = f"as {user} " if user else ""
    comment = f"job {command} added and will run {as_user}on {timespec}"
    return outcome(name, True, comment, dict(returned["jobs"][0]) if returned["jobs"] else {})


def absent(name: str, jobid: Any = None, **kwargs: Any) -> StateReturn:
    """Remove jobs: the one numbered `jobid`, those that match conditions (see `at.jobcheck`), or all.

    Example::

        salt-g state.single at.absent tidy tag=tidy
    """
    if "limit" in kwargs:
        return failed(name, f"limit parameter not supported {name}")
    if opts["test"]:
        return would_change(name, "removed ? job(s)")
    if jobid:
        return _without_job(name, jobid)
    if kwargs:
        numbers = [str(job["job"]) for job in call("at.jobcheck", **kwargs)["jobs"]]
        removed = call("at.atrm", *numbers)["jobs"]["removed"]
    else:
        removed = call("at.atrm", "all")["jobs"]["removed"]
    return outcome(name, True, f"removed {len(removed)} job(s)", {"removed": removed} if removed else {})


def watch(
    name: str,
    timespec: str,
    tag: str | None = None,
    user: str | None = None,
    job: str | None = None,
    unique_tag: bool = False,
) -> StateReturn:
    """Add a job to the queue when a watched state has changed.

    The arguments are those of `at.present`.

    Example::

        salt-g state.single at.watch '/usr/sbin/reboot' timespec='now + 1 hour'
    """
    return as_wanted(name)


def mod_watch(name: str, **kwargs: Any) -> StateReturn:
    """Add the job of `at.watch` to the queue.

    Example::

        salt-g state.single at.mod_watch '/usr/sbin/reboot' sfun=watch timespec='now + 1 hour'
    """
    if kwargs["sfun"] != "watch":
        return failed(name, "")
    given = {key: value for key, value in kwargs.items() if key != "sfun" and not key.startswith("__")}
    return present(name, **given)


def _without_job(name: str, jobid: Any) -> StateReturn:
    if not call("at.atq", jobid)["jobs"]:
        return as_wanted(name, f"job with id {jobid} not present")
    removed = call("at.atrm", jobid)["jobs"]["removed"]
    if str(jobid) not in removed:
        return failed(name, f"failed to remove job with id {jobid}")
    return outcome(name, True, f"job with id {jobid} was removed", {"removed": removed})
