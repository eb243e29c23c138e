"""Documentation pages executed as written: their files are written, their commands run.

Shapes: a file is a line "`path`:" followed by a fenced block; commands are lines that begin with `$ ` in a
`console` block, followed by their output. `…` in a line matches any text, on a line of its own any lines;
trailing blanks are ignored.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import shlex
import signal
import subprocess
from collections.abc import Sequence
from typing import NamedTuple

from tests.support.commands import PROGRAM
from tests.support.free_ports import free_ports
from tests.support.waiting import until

#: Pairs of a text of the page and the text that stands for it here.
Replaced = Sequence[tuple[str, str]]

DOCS = pathlib.Path(__file__).parents[2] / "docs"
_STEP = re.compile(r"(?:^`(\S+)`[^`\n]*:\n\n)?^```(\S+)\n(.*?)^```$", re.M | re.S)
_COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.M)
#: Read-only commands; their output may take a moment to appear.
_LOOKING = re.compile(r"cat |salt-g .*test.ping|grep |ls |salt-g key .*-L|salt-g run .*(manage|jobs)\.")


class File(NamedTuple):
    """File on the page."""

    path: str
    text: str


class Command(NamedTuple):
    """Command on the page and its output; '' where the page shows none."""

    words: str
    shown: str


def steps(page: str) -> list[File | Command]:
    """Return the files and commands of a page, in its order."""
    found: list[File | Command] = []
    for path, language, text in _STEP.findall((DOCS / page).read_text()):
        if path:
            found.append(File(path, text))
        elif language == "console":
            found += [Command(*command) for command in _COMMAND.findall(text)]
    return found


def walk(page: str, directory: pathlib.Path, *, ports: Sequence[str]) -> None:
    """Follow a page with free ports instead of its own; all of its processes must have ended."""
    try:
        follow(page, directory, tuple(zip(ports, map(str, free_ports(len(ports))), strict=True)))
        until(lambda: not _pid_files(directory), "the end of all that the page has started")
    finally:
        for path in _pid_files(directory):
            _end(path)


def follow(page: str, directory: pathlib.Path, replaced: Replaced = ()) -> None:
    """Execute a page below a directory; `replaced` are pairs of (text of the page, text here)."""
    for step in steps(page):
        texts = [_replaced(text, replaced) for text in step]
        if isinstance(step, File):
            path = directory / texts[0]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(texts[1])
        else:
            _check(directory, *texts)


def shell(directory: pathlib.Path, words: str) -> tuple[int, str]:
    """Run a shell line with `salt-g` as the command under test; return (code, output)."""
    line = re.sub(r"(^|[;&|(] *|\bif )salt-g ", rf"\1{shlex.quote(PROGRAM)} ", words)
    done = subprocess.run(
        line, shell=True, cwd=directory, stdin=subprocess.DEVNULL, timeout=120, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return done.returncode, done.stdout


def _check(directory: pathlib.Path, words: str, shown: str) -> None:
    code, printed = shell(directory, words)

    def is_shown_now() -> bool:
        nonlocal code, printed
        if not _is_shown(code, printed, shown):
            code, printed = shell(directory, words)
        return _is_shown(code, printed, shown)

    if _LOOKING.match(words):
        with contextlib.suppress(AssertionError):
            until(is_shown_now, words)
    assert _is_shown(code, printed, shown), f"$ {words}\n{printed}\nends with {code}; the page says:\n{shown}"


def _is_shown(code: int, printed: str, shown: str) -> bool:
    """Return whether a command succeeded with the output shown on the page."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line.rstrip()).replace("…", ".*?") + r" *\n"
        for line in _by_minion(shown).splitlines()
    )
    return code == 0 and (not shown or re.fullmatch(pattern, f"{_by_minion(printed).rstrip()}\n") is not None)


def _pid_files(directory: pathlib.Path) -> list[pathlib.Path]:
    return [*directory.glob("fleet/*/var/run/*.pid"), *directory.glob("**/web.pid")]


def _end(path: pathlib.Path) -> None:
    """Terminate the process of a pid file."""
    with contextlib.suppress(OSError, ValueError):
        pid = int(path.read_text())
        os.kill(pid, signal.SIGTERM)
        until(lambda: not os.path.exists(f"/proc/{pid}/exe"), f"the end of {path}")


def _by_minion(text: str) -> str:
    """Return a text with the returns of minions sorted by id, because their order of arrival varies."""
    return "".join(sorted(re.split(r"^(?=\S+:$)", text, flags=re.M)))


def _replaced(text: str, replaced: Replaced) -> str:
    for one, other in replaced:
        text = text.replace(one, other)
    return text
