"""Values of two runs, without differences that are always expected."""

from __future__ import annotations

import pathlib
import re
from typing import Any

#: Keys whose values differ between two runs of one program.
VOLATILE = {"start_time", "duration", "pid", "jid", "__jid__", "_stamp"}
#: What differs in texts between two runs of one program, or names code instead of behaviour.
VOLATILE_TEXTS = [
    (re.compile(r"Traceback \(most recent call last\):\n(?:[ \t]+.*\n?|\n(?=[ \t]))*"), "{TRACEBACK}\n"),
    (re.compile(r"(?:\{TRACEBACK\}\n(?:[^\n]*\n)+?\n(?:During|The above)[^\n]+:\n\n)+(?=\{TRACEBACK)"), ""),
    (re.compile(r"^[^\n]*: \w*Warning: [^\n]*\n(?:[ \t]+[^\n]*\n)?", re.MULTILINE), ""),
    (re.compile(r"'\w[\w.]*\.(?:AliasedLoader|TemplateFunctions) object'"), "{FUNCTIONS}"),
    (re.compile(r"(?<=\{TRACEBACK\}\n)(?:[a-z_]\w*\.)+(?=[A-Z])"), ""),
    (re.compile(r"0x[0-9a-f]{8,}"), "{ADDRESS}"),
    (re.compile(r"running as PID \d+ .*"), "running as PID {PID}"),
    (re.compile(r"\b20\d{6}T?\d{6,12}\b"), "{JID}"),
    (re.compile(r"^\[(?:TRACE|DEBUG|INFO|WARNING|ERROR|CRITICAL) *\].*\n?", re.MULTILINE), ""),
]
#: Requisites that failed are listed in the order of a set.
FAILED_REQUISITES = re.compile(r"(One or more requisite failed: )(.+)")


def steady(value: Any, root: str | pathlib.Path) -> Any:
    """Return a value without what differs between two runs of one program; `root` has a placeholder."""
    if isinstance(value, dict):
        return {steady(key, root): steady(item, root) for key, item in value.items() if key not in VOLATILE}
    if isinstance(value, list):
        return [steady(item, root) for item in value]
    return _steady_text(value, root) if isinstance(value, str) else value


def _steady_text(text: str, root: str | pathlib.Path) -> str:
    text = text.replace(str(root), "{ROOT}")
    for pattern, replacement in VOLATILE_TEXTS:
        text = pattern.sub(replacement, text)
    return FAILED_REQUISITES.sub(lambda found: found[1] + ", ".join(sorted(found[2].split(", "))), text)
