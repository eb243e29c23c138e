"""States of lines that a file must contain: append, prepend.

Source: stock docs of `file.append`, `file.prepend`; conformance case `file/append-prepend`.
"""

from __future__ import annotations

import os
import re
import shlex
from typing import Any

from salt_g.api import call, opts
from salt_g.data.text_diff import diff_lines, is_text
from salt_g.data.text_encoding import encoding_of
from salt_g.errors import SaltGError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change
from salt_g.states.file.checks import file_problem
from salt_g.states.file.contents import ContentRefused, text_list
from salt_g.states.file.templates import rendered_sources
from salt_g.states.file.touch import touch

Sources = list[str] | None


def append(
    name: str, text: Any = None, makedirs: bool = False, source: str | None = None, source_hash: Any = None,
    template: str = "jinja", sources: Sources = None, source_hashes: list[Any] | None = None,
    defaults: dict[str, Any] | None = None, context: dict[str, Any] | None = None,
    ignore_whitespace: bool = True, show_changes: bool = True,
) -> StateReturn:  # fmt: skip
    """Ensure that a file contains texts; missing ones are appended.

    `text` is a text or a list of them; `source` or `sources` are files that `template` renders. With
    `ignore_whitespace` a text counts as present when only its white space differs. A missing file is created;
    `makedirs` creates its directory.

    Example::

        /etc/motd:
          file.append:
            - text: Trust no one unless you have eaten much salt with him.
    """
    name = os.path.expanduser(name)
    try:
        if stop := _made_ready(name, makedirs, "append"):
            return stop
        texts = rendered_sources(
            source, source_hash, sources, source_hashes, template=template, defaults=defaults, context=context
        ) or text_list(text)  # fmt: skip
        wanted = [
            line for each in texts if not _holds(name, each, ignore_whitespace) for line in each.splitlines()
        ]
    except (ContentRefused, SaltGError) as exc:
        return failed(name, str(exc))
    old = _read(name).splitlines()
    if not wanted:
        return as_wanted(name, f"File {name} is in correct state")
    # Stock joins the diff with newlines although its header lines already end in one.
    changes = _changes(name, "\n".join(diff_lines(old, old + wanted)), show_changes)
    if opts["test"]:
        return would_change(name, f"File {name} is set to be updated", changes)
    call("file.append", name, args=wanted)
    return changed(name, f"Appended {len(wanted)} lines", changes)


def prepend(
    name: str, text: Any = None, makedirs: bool = False, source: str | None = None, source_hash: Any = None,
    template: str = "jinja", sources: Sources = None, source_hashes: list[Any] | None = None,
    defaults: dict[str, Any] | None = None, context: dict[str, Any] | None = None,
    header: bool | None = None, show_changes: bool = True,
) -> StateReturn:  # fmt: skip
    """Ensure that a file contains texts; missing ones are prepended.

    The arguments are those of `file.append` without `ignore_whitespace`, which always applies; with `header`
    the file must begin with exactly these texts.

    Example::

        /etc/motd:
          file.prepend:
            - text: Managed, do not edit.
            - header: True
    """
    name = os.path.expanduser(name)
    try:
        if stop := _made_ready(name, makedirs, "prepend"):
            return stop
        texts = rendered_sources(
            source, source_hash, sources, source_hashes, template=template, defaults=defaults, context=context
        ) or text_list(text)  # fmt: skip
        wanted = [
            line for each in texts if header or not _holds(name, each, True) for line in each.splitlines()
        ]
    except (ContentRefused, SaltGError) as exc:
        return failed(name, str(exc))
    old = _read(name)
    if header and old.splitlines()[: len(wanted)] == wanted and not opts["test"]:
        wanted = []
    new = [f"{line}\n" for line in wanted] + old.splitlines(True)
    if not wanted:
        return as_wanted(name, f"File {name} is in correct state")
    changes = _changes(name, "".join(diff_lines(old.splitlines(True), new)), show_changes)
    if opts["test"]:
        return would_change(name, f"File {name} is set to be updated", changes)
    call("file.prepend", name, *wanted)
    return changed(name, f"Prepended {len(wanted)} lines", changes)


def _made_ready(name: str, makedirs: bool, function: str) -> StateReturn | None:
    """Create the file if missing; return a result if that ends the state."""
    if makedirs and not opts["test"] and not os.path.isdir(os.path.dirname(name)):
        call("file.makedirs", path=name)
    problem = file_problem(name, function)
    if not problem:
        return None
    touched = touch(name, makedirs=makedirs)
    if opts["test"]:
        return touched
    return failed(name, problem) if file_problem(name, function) else None


def _holds(name: str, text: str, ignore_whitespace: bool) -> bool:
    pattern = _loose(text) if ignore_whitespace else text
    return bool(call("file.search", name, pattern, multiline=True))


def _loose(text: str) -> str:
    """Return a regular expression for whole lines that allows any white space between words."""
    space = r"(?:[\s]+)?"
    lines = (space + space.join(map(re.escape, _words(line))) + space for line in text.splitlines())
    return f"(?m)^{''.join(lines)}$"


def _words(line: str) -> list[str]:
    """Split a line at white space outside of quotes; keep the quotes."""
    lexer = shlex.shlex(line)
    lexer.whitespace_split = True
    lexer.commenters = ""
    if "'\\\"" in line:
        lexer.quotes = ""
    elif "'" in line:
        lexer.quotes = '"'
    elif '"' in line:
        lexer.quotes = "'"
    return list(lexer)


def _read(name: str) -> str:
    with open(name, "rb") as file:
        content = file.read()
    return content.decode(encoding_of(content))


def _changes(name: str, text: str, show: bool) -> dict[str, Any]:
    if not is_text(name):
        return {"diff": "Replace binary file"}
    return {"diff": text if show else "<show_changes=False>"}
