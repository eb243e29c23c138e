"""Parsing and rendering of crontabs, and the identity of their jobs.

Shapes: a tab is {"pre": lines above the marker, "crons": [job], "special": [job], "env": [{name, value}]};
a job has cmd, identifier, comment, commented and the five times, or `spec` (`@daily`).
Source: crontab(5); the marker lines are stock's, so that stock and salt-g can read each other's crontabs.
"""

from __future__ import annotations

from typing import Any

Tab = dict[str, list[Any]]
Job = dict[str, Any]

#: Lines above this one are not managed by Salt.
TAG = "# Lines below here are managed by Salt, do not edit"
#: Prefix of the identifier in the comment above a job.
IDENTIFIER = "SALT_CRON_IDENTIFIER"
#: Prefix of a disabled job.
DISABLED = "#DISABLED#"
#: The five time fields of a job, in order.
TIMES = ("minute", "hour", "daymonth", "month", "dayweek")


def parse(text: str) -> Tab:
    """Return the jobs and variables of a crontab's text."""
    tab: Tab = {"pre": [], "crons": [], "special": [], "env": []}
    above, _, ours = text.partition(f"{TAG}\n") if TAG in text else (text, "", "")
    tab["pre"] = above.splitlines()
    about: Job = {"identifier": None, "comment": None}
    for line in ours.splitlines():
        commented = line.startswith(DISABLED)
        bare = line.removeprefix(DISABLED)
        if bare.startswith("#"):
            _read_comment(bare, about)
        elif bare.startswith("@"):
            spec, _, cmd = bare.partition(" ")
            if cmd:
                tab["special"].append(_job({"spec": spec}, cmd.strip(), about, commented))
                about = {"identifier": None, "comment": None}
        elif "=" in bare.split(" ", 1)[0][1:]:
            name, _, value = bare.partition("=")
            tab["env"].append({"name": name, "value": value})
        elif bare.count(" ") > 4:
            *words, cmd = bare.split(" ", len(TIMES))
            tab["crons"].append(_job(dict(zip(TIMES, words, strict=True)), cmd, about, commented))
            about = {"identifier": None, "comment": None}
    return tab


def render(tab: Tab) -> str:
    """Return the text of a crontab."""
    lines = [*tab["pre"], TAG]
    lines += [f"{env['name']}={env['value'] or _EMPTY}" for env in tab["env"]]
    for job in [*tab["crons"], *tab["special"]]:
        lines += _comment_lines(job)
        when = job["spec"] if "spec" in job else " ".join(str(job[time]) for time in TIMES)
        lines.append(f"{DISABLED if job['commented'] else ''}{when} {job['cmd']}")
    return "".join(f"{line}\n" for line in lines)


def is_meant(job: Job, cmd: str, identifier: Any = None) -> bool:
    """Return whether a job has this identifier or, if the job has none, this command."""
    has, wanted = job["identifier"] or None, str(identifier) if identifier else None
    if has is None:
        return bool(job["cmd"] == cmd)
    return str(has) == wanted


def needs_change(old: Any, new: Any) -> bool:
    """Return whether a value has to change: None keeps it, `random` accepts any fixed time."""
    return old == "*" if new == "random" else new is not None and old != new


_EMPTY = '""'


def _job(when: Job, cmd: str, about: Job, commented: bool) -> Job:
    return {
        **when,
        "identifier": about["identifier"],
        "cmd": cmd,
        "comment": about["comment"],
        "commented": commented,
    }


def _read_comment(line: str, about: Job) -> None:
    """Add one comment line to the attributes of the job below it."""
    text, found, identifier = line.lstrip("# ").partition(IDENTIFIER)
    if found:
        text = text.rstrip()
        about["identifier"] = identifier[1:] or about["identifier"]
    about["comment"] = text if about["comment"] is None else f"{about['comment']}\n{text}"


def _comment_lines(job: Job) -> list[str]:
    if job["comment"] is None and job["identifier"] is None:
        return []
    text = f" {job['comment']}".rstrip().replace("\n", "\n# ") if job["comment"] else ""
    identifier = f" {IDENTIFIER}:{job['identifier']}" if job["identifier"] else ""
    return f"#{text}{identifier}".split("\n")
