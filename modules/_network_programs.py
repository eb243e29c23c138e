"""Run programs that use the network, and say which URL was not reached and how long that took.

Why its own file: each of them words it otherwise, most leave out the time, some the URL. The sentence stands
below what the program says, so it is in errors, comments and logs wherever that is shown.
Units: seconds.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.modules._programs import run
from salt_g.shapes import Completed

#: How programs say that a server was not reached or fell silent (curl, apt, pip, npm, ruby, gpg, ssh).
_UNREACHED = re.compile(
    r"could ?n[o']t (?:connect|resolve)|failed to (?:connect|establish)|unable to connect|timed? ?out|timeout"
    r"|connection (?:refused|reset|closed)|no route to host|network is unreachable|name resolution"
    r"|name or service not known|operation too slow|no keyserver available|server returned nothing"
    r"|empty reply|ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH",
    re.IGNORECASE,
)
_URL = re.compile(r"(?:https?|ftp|git|ssh|hkps?)://[^\s'\"<>)\],]+")
_PASSWORD = re.compile(r"://[^/\s@]*@")


def run_online(
    argv: Sequence[str], *, url: str = "", patience: Mapping[str, str] | None = None, **options: Any
) -> Completed:
    """Run a program as `_programs.run` does; a failed connection is told in its stderr.

    `url` is whom it asks, where its own words may not say so; `patience` are variables that bound how long
    it waits, where neither its environment nor that of the call has them.
    """
    if patience:
        options["env"] = {**_unset(patience), **(options.get("env") or {})}
    started = time.monotonic()
    finished = run(argv, **options)
    waited = time.monotonic() - started
    said = f"{finished['stderr']}\n{finished['stdout']}"
    if finished["retcode"] == 0 or not _UNREACHED.search(said):
        return finished
    sentence = not_reached(url or _named(said), waited)
    stream = "stdout" if options.get("redirect_stderr") else "stderr"
    return {**finished, stream: f"{finished[stream]}\n{sentence}".lstrip()}  # type: ignore[misc]


def not_reached(url: str, waited: float) -> str:
    """Return the sentence; a password in the URL is left out."""
    return f"{_PASSWORD.sub('://', url) or 'the server'} was not reached, waited {waited:.1f} s"


def _named(said: str) -> str:
    """Return the URL of the line that says that something was not reached, else any."""
    lines = [line for line in said.splitlines() if _UNREACHED.search(line)]
    found = _URL.search("\n".join([*lines, said]))
    return found.group().rstrip(".:") if found else ""


def _unset(patience: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in patience.items() if name not in os.environ}
