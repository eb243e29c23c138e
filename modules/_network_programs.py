"""Programs that use the network, with the URL and the waiting time added to their connection errors.

Most programs leave out the time, some the URL. A sentence with both is appended to the program's stderr, so
it appears in errors, comments and logs.

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

#: Messages of an unreachable or silent server (curl, apt, pip, npm, ruby, gpg, ssh).
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
    """Run a program as `_programs.run` does; add a sentence about a failed connection to its stderr.

    `url` is the server, for programs that may not print it; `patience` are environment variables that limit
    the waiting time, used unless the environment of salt-g or of the call sets them.
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
    """Return the sentence about a failed connection, without a password in the URL."""
    return f"{_PASSWORD.sub('://', url) or 'the server'} was not reached, waited {waited:.1f} s"


def _named(said: str) -> str:
    """Return the URL in the line that reports the failure, else the first URL, else ''."""
    lines = [line for line in said.splitlines() if _UNREACHED.search(line)]
    found = _URL.search("\n".join([*lines, said]))
    return found.group().rstrip(".:") if found else ""


def _unset(patience: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in patience.items() if name not in os.environ}
