"""Calls of zypper: without prompts, waiting for its lock, with parsed XML output.

Units: seconds. Errors: CommandExecutionError with the message of zypper.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from salt_g.errors import CommandExecutionError
from salt_g.modules import _systemd
from salt_g.modules._programs import run
from salt_g.process.redaction import RedactedOutput
from salt_g.shapes import Completed

log = logging.getLogger(__name__)

#: Return codes of success: plain; updates available; restart needed.
GOOD = (0, 100, 101, 102, 103)
#: Return codes logged as a warning: no repositories; a repository skipped; a script failed.
_ODD = {
    6: "no repositories are defined",
    106: "a repository was left out because it failed to refresh",
    107: "the script of a package failed after it was unpacked",
}
_LOCKED = 7
#: Return code for nothing found, in a search or an installation.
_NOTHING = 104
#: Number and length of waits for another program that holds the lock.
_LOCK_RETRIES, _LOCK_WAIT = 60, 5


def zypper(
    *words: str,
    root: str | None = None,
    refresh: bool = False,
    scope: bool = False,
    read_only: bool = False,
    is_strict: bool = True,
    may_find_nothing: bool = False,
    xml: bool = False,
) -> Completed:
    """Run zypper; raises CommandExecutionError on failure if `is_strict`.

    With `may_find_nothing`, an unknown name is not a failure. `refresh` permits zypper to refresh
    repositories, `read_only` needs no lock, `scope` protects zypper from a restart of the minion's service.
    """
    argv = [*(_systemd.scope_prefix() if scope else []), "zypper", "--non-interactive"]
    argv += ["--xmlout"] if xml else []
    argv += [] if refresh or "--no-refresh" in words else ["--no-refresh"]
    argv += ["--root", root] if root else []
    env = {"ZYPP_READONLY_HACK": "1"} if read_only else {}
    finished = run([*argv, *words], env=env)
    for attempt in range(_LOCK_RETRIES):
        if finished["retcode"] != _LOCKED:
            break
        log.warning("zypper is locked, waiting: %s/%s", attempt + 1, _LOCK_RETRIES)
        time.sleep(_LOCK_WAIT)
        finished = run([*argv, *words], env=env)
    is_empty = may_find_nothing and finished["retcode"] == _NOTHING
    _judge(finished, is_strict and not is_empty)
    return finished


def elements(tag: str, *words: str, **options: Any) -> Iterator[ElementTree.Element]:
    """Yield the elements named `tag` in zypper's XML answer; `options` are those of `zypper`."""
    text = zypper(*words, xml=True, **options)["stdout"]
    yield from _tree(text).iter(tag)


def solvables(*words: str, **options: Any) -> list[dict[str, str]]:
    """Return the attributes of each package found by a search; [] if there are none."""
    return [dict(each.attrib) for each in elements("solvable", *words, may_find_nothing=True, **options)]


def messages(text: str, kind: str = "") -> list[str]:
    """Return the messages in an XML answer, of one kind (`error`) or of all."""
    found = (each for each in _tree(text).iter("message") if not kind or each.get("type") == kind)
    return [(each.text or "").strip() for each in found]


def _judge(finished: Completed, is_strict: bool) -> None:
    code = finished["retcode"]
    if code in _ODD:
        log.warning("zypper: %s", _ODD[code])
    elif code not in GOOD and is_strict:
        raise CommandExecutionError(f"Zypper command failure: {_problem(finished)}")


def _problem(finished: Completed) -> str:
    out, err = finished["stdout"].strip(), finished["stderr"].strip()
    message = "\n".join(messages(out, "error")) if out.startswith("<?xml") else f"{err}{out}"
    return message or err or "Check Zypper's logs."


def _tree(text: str) -> ElementTree.Element:
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError:
        log.debug("zypper's answer is not XML: %s", RedactedOutput(text))
        return ElementTree.Element("stream")
