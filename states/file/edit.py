"""Edits of files: line, replace, blockreplace.

These states add checks and comments; the execution functions of the same names do the work.
Source: conformance cases `file/line`, `file/replace`, `file/blockreplace`.
"""

from __future__ import annotations

import logging
import os
from typing import Any

from salt_g.api import call, current, opts
from salt_g.errors import SaltGError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change
from salt_g.states.file.accumulated import texts_for_state
from salt_g.states.file.checks import file_problem
from salt_g.states.file.contents import ContentRefused
from salt_g.states.file.managed import managed
from salt_g.states.file.templates import rendered_sources

log = logging.getLogger(__name__)

_NO_CHANGES = "No changes needed to be made"


def line(
    name: str, content: str | None = None, match: str | None = None, mode: str | None = None,
    location: str | None = None, before: str | None = None, after: str | None = None,
    show_changes: bool = True, backup: bool = False, quiet: bool = False, indent: bool = True,
    create: bool = False, user: str | int | None = None, group: str | int | None = None,
    file_mode: Any = None,
) -> StateReturn:  # fmt: skip
    """Edit one line of a file: `mode` is `ensure`, `insert`, `replace` or `delete`, see `file.line`.

    `create` creates an empty file first; `user`, `group` and `file_mode` are also set.

    Example::

        /etc/nsswitch.conf:
          file.line:
            - content: 'networks: files dns'
            - mode: ensure
            - after: 'hosts:.*'
    """
    name = os.path.expanduser(name)
    if not name:
        return failed(name, "Must provide name to file.line")
    managed(name, create=create, user=user, group=group, mode=file_mode, replace=False)
    if problem := file_problem(name, "line"):
        return failed(name, problem)
    if mode is None:
        return failed(name, "Mode was not defined. How to process the file?")
    if mode.lower() != "delete" and content is None:
        return failed(name, "Content can only be empty if mode is ['delete']")
    difference = call(
        "file.line", name, content, match=match, mode=mode.lower(), location=location, before=before,
        after=after, show_changes=show_changes, backup=backup, quiet=quiet, indent=indent,
    )  # fmt: skip
    return _state_return(name, difference, "Changes would be made")


def replace(
    name: str, pattern: str, repl: str, count: int = 0, flags: Any = 8, bufsize: int | str = 1,
    append_if_not_found: bool = False, prepend_if_not_found: bool = False,
    not_found_content: str | None = None, backup: str | bool = ".bak", show_changes: bool = True,
    ignore_if_missing: bool = False, backslash_literal: bool = False, encoding: str | None = None,
) -> StateReturn:  # fmt: skip
    """Replace the matches of a regular expression in a file; the arguments are those of `file.replace`.

    Example::

        /etc/default/app:
          file.replace:
            - pattern: '^PORT=.*'
            - repl: PORT=8080
            - append_if_not_found: True
    """
    name = os.path.expanduser(name)
    if problem := file_problem(name, "replace"):
        if ignore_if_missing and os.path.isabs(name):
            return as_wanted(name, _NO_CHANGES)
        return failed(name, problem)
    difference = call(
        "file.replace", name, pattern, repl, count=count, flags=flags, bufsize=bufsize,
        append_if_not_found=append_if_not_found, prepend_if_not_found=prepend_if_not_found,
        not_found_content=not_found_content, backup=backup, dry_run=opts["test"], show_changes=show_changes,
        ignore_if_missing=ignore_if_missing, backslash_literal=backslash_literal, encoding=encoding,
    )  # fmt: skip
    return _state_return(name, difference, "Changes would have been made")


def blockreplace(
    name: str, marker_start: str = "#-- start managed zone --", marker_end: str = "#-- end managed zone --",
    source: str | None = None, source_hash: Any = None, template: str = "jinja",
    sources: list[str] | None = None, source_hashes: list[Any] | None = None,
    defaults: dict[str, Any] | None = None, context: dict[str, Any] | None = None, content: str = "",
    append_if_not_found: bool = False, prepend_if_not_found: bool = False, backup: str | bool = ".bak",
    show_changes: bool = True, append_newline: bool | None = None, insert_before_match: str | None = None,
    insert_after_match: str | None = None,
) -> StateReturn:  # fmt: skip
    """Manage a block between two marker lines of a file; the arguments are those of `file.blockreplace`.

    The block consists of `content`, texts collected by `file.accumulated`, and the rendered `source` or
    `sources`.

    Example::

        /etc/hosts:
          file.blockreplace:
            - marker_start: '# BEGIN'
            - marker_end: '# END'
            - content: 192.0.2.1 example
            - append_if_not_found: True
    """
    name = os.path.expanduser(name)
    if problem := file_problem(name, "blockreplace"):
        return failed(name, problem)
    try:
        texts = rendered_sources(
            source, source_hash, sources, source_hashes, template=template, defaults=defaults, context=context
        )  # fmt: skip
    except (ContentRefused, SaltGError) as exc:
        return failed(name, str(exc))
    collected = texts_for_state(name, current().low.get("__id__", ""))
    content = "\n".join(str(text) for text in [*([content] if content else []), *collected]) + "".join(texts)
    try:
        difference = call(
            "file.blockreplace", name, marker_start, marker_end, content=content,
            append_if_not_found=append_if_not_found, prepend_if_not_found=prepend_if_not_found,
            insert_before_match=insert_before_match, insert_after_match=insert_after_match, backup=backup,
            dry_run=opts["test"], show_changes=show_changes, append_newline=append_newline,
        )  # fmt: skip
    except (SaltGError, OSError, ValueError) as exc:
        log.error("%s: cannot manage block: %s", name, exc)
        return failed(name, f"Encountered error managing block: {exc}. See the log for details.")
    return _state_return(name, difference, "Changes would be made")


def _state_return(name: str, difference: str | bool, would: str) -> StateReturn:
    if not difference:
        return as_wanted(name, _NO_CHANGES)
    if opts["test"]:
        return would_change(name, would, {"diff": difference})
    return changed(name, "Changes were made", {"diff": difference})
