"""Jobs that run once at a given time: at(1) and its queue.

Shapes: a job is {"job": number, "date", "time", "queue", "user", "tag"}; lists of jobs are under `jobs`. A
tag is a comment in the job's script.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from salt_g.api import grains
from salt_g.modules._programs import act, output
from salt_g.modules._required import hint
from salt_g.process.command import which

#: First line of a job's script; as in stock, so that both find each other's jobs.
_TAG = re.compile(r"^### SALT: (\w+)", re.M)
_TIME_FORMAT = "%a %b %d %H:%M:%S %Y"
#: {condition about date or time: (field of a job, start of the part in it, width of the part)}
_PARTS = {"year": ("date", 0, 4), "month": ("date", 1, 2), "day": ("date", 2, 2)}
_PARTS |= {"hour": ("time", 0, 2), "minute": ("time", 1, 2)}


def __virtual__() -> bool | tuple[bool, str]:
    if which("at") is None:
        return False, "The at module could not be loaded: at command not found." + hint("at")
    return True


def atq(tag: Any = None) -> dict[str, Any]:
    """Return {"jobs": [job, ...]} of the pending jobs, or only of those with a tag or number.

    Example::

        salt-g at.atq
    """
    listing = ["at", "-l"] if grains.get("os_family") == "RedHat" else ["atq"]
    jobs = [_job(line) for line in output(listing).splitlines() if "\t" in line]
    return {"jobs": [job for job in jobs if not tag or tag in (job["tag"], job["job"])]}


def atrm(*args: Any) -> dict[str, Any]:
    """Remove jobs by number, `all` of them, or `all` with a tag; return {"jobs": {"removed", "tag"}}.

    Example::

        salt-g at.atrm all deploy
    """
    if not args:
        return {"jobs": {"removed": [], "tag": None}}
    words = [str(arg) for arg in args]
    tag = words[1] if words[0] == "all" and len(words) > 1 else None
    there = [str(job["job"]) for job in atq(tag)["jobs"]]
    removed = there if words[0] == "all" else [number for number in there if number in words]
    if removed:
        act(["at", "-d", *removed])
    return {"jobs": {"removed": removed, "tag": tag}}


def at(*args: Any, **kwargs: Any) -> dict[str, Any]:
    """Schedule a command to run once at a time; return {"jobs": [job]}, or no jobs and `error` on failure.

    The first argument is the time, the rest is the command. `tag` marks the job, `runas` is
    the user to run the command as.

    Example::

        salt-g at.at 'now + 3 minutes' /bin/echo hello tag=mine
    """
    if len(args) < 2:
        return {"jobs": []}
    command = " ".join(map(str, args[1:]))
    script = f"### SALT: {kwargs['tag']}\n{command}\n" if "tag" in kwargs else f"{command}\n"
    who = {"runas": kwargs["runas"]} if kwargs.get("runas") else {}
    printed = output(["at", str(args[0])], stdin=script, redirect_stderr=True, **who)
    if printed.endswith("Garbled time"):
        return {"jobs": [], "error": "invalid timespec"}
    number = re.search(r"^job (\d+) at ", printed, re.M)
    return atq(int(number.group(1))) if number else {"jobs": [], "error": printed}


def atc(jobid: Any) -> Any:
    """Return the script of a job with its environment, or {"error": text} if there is no such job.

    Example::

        salt-g at.atc 12
    """
    printed = output(["at", "-c", str(jobid)])
    return printed or {"error": f"invalid job id '{jobid}'"}


def jobcheck(**kwargs: Any) -> dict[str, Any]:
    """Return the jobs that match all conditions: `runas`, `tag`, `hour`, `minute`, `day`, `month`, `year`.

    Example::

        salt-g at.jobcheck runas=jam day=13
    """
    asked = {name: value for name, value in kwargs.items() if not name.startswith("__")}
    if not asked:
        return {"error": "You have given a condition"}
    waiting = atq()["jobs"]
    found = [job for job in waiting if all(_fits(job, name, value) for name, value in asked.items())]
    if waiting and not found:
        return {"jobs": [], "note": "No match jobs or time format error"}
    return {"jobs": found}


def _job(line: str) -> dict[str, Any]:
    """Parse a line of the queue: number, tab, date in the format of ctime(3), queue, user."""
    number, _, rest = line.partition("\t")
    words = rest.split()
    when = datetime.strptime(" ".join(words[:5]), _TIME_FORMAT)
    found = _TAG.search(output(["at", "-c", number]))
    return {
        "job": int(number),
        "date": when.strftime("%Y-%m-%d"),
        "time": when.strftime("%H:%M:00"),
        "queue": words[5],
        "user": words[6],
        "tag": found.group(1) if found else "",
    }


def _fits(job: dict[str, Any], name: str, value: Any) -> bool:
    if not value or name not in (*_PARTS, "runas", "tag"):
        return True
    if name in ("runas", "tag"):
        return bool(job["user" if name == "runas" else "tag"] == value)
    field, place, width = _PARTS[name]
    number = int(value) + (2000 if name == "year" and int(value) < 100 else 0)
    return bool(re.split("[-:]", job[field])[place] == f"{number:0{width}d}")
