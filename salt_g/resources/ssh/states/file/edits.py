"""States that edit text files of the host: lines, blocks, comments, matches of a pattern.

Each state reads the file, edits a copy of its text and writes it back if something differs. `replace`, `line`
and `blockreplace` edit it with a minion's own functions (`_editing.py`).
Source: stock docs of these states, including their comments and changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from salt_g.api import call, current, opts
from salt_g.errors import SaltGError
from salt_g.resources.ssh import _editing, _files, _sources
from salt_g.resources.ssh._backups import place_beside
from salt_g.resources.ssh._changes import difference
from salt_g.resources.ssh.states.file._outcome import Refused, absolute, result
from salt_g.resources.ssh.states.file.accumulated import texts_for_state
from salt_g.shapes import Arguments, StateReturn, TemplateVariables


def replace(name: str, pattern: str, repl: str, **options: Any) -> StateReturn:
    """Ensure that matches of a regular expression in a file of the host are replaced.

    Example::

        /etc/ssh/sshd_config:
          file.replace:
            - pattern: '^#?PermitRootLogin .*'
            - repl: 'PermitRootLogin no'
    """
    return _by_function(name, "replace", "No changes needed to be made", pattern, repl, **_known(options))


def line(name: str, content: str | None = None, **options: Any) -> StateReturn:
    """Ensure that a line is in a file of the host, or absent; see a minion's `file.line` for the options.

    Example::

        /etc/app.conf:
          file.line:
            - content: x = 1
            - mode: replace
            - match: ^x
    """
    return _by_function(name, "line", "No changes needed to be made", content, **_known(options))


def blockreplace(
    name: str,
    marker_start: str = "#-- start managed zone --",
    marker_end: str = "#-- end managed zone --",
    content: str = "",
    source: str | None = None,
    template: str = "jinja",
    context: Any = None,
    defaults: Any = None,
    **options: Any,
) -> StateReturn:
    """Ensure that a file of the host has a block of text between two markers.

    Example::

        /etc/hosts:
          file.blockreplace:
            - content: 192.0.2.1 gate
            - append_if_not_found: True
    """
    try:
        texts = [content] if content else []
        texts += map(str, texts_for_state(name, current().low.get("__id__", "")))
        if source:
            variables = {**(defaults or {}), **(context or {})}
            texts.append(_text_of(source, template, variables))
    except (Refused, SaltGError) as exc:
        return result(name, False, str(exc))
    markers = {"marker_start": marker_start, "marker_end": marker_end}
    given = {**_known(options), **markers, "content": "\n".join(texts)}
    return _by_function(name, "blockreplace", "No changes needed to be made", **given)


def comment(
    name: str, regex: str, char: str = "#", ignore_missing: bool = False, backup: Any = ".bak", **options: Any
) -> StateReturn:
    """Ensure that matching lines are commented out in a file of the host.

    Example::

        /etc/fstab:
          file.comment:
            - regex: ^//192
    """

    def edit(text: str) -> str:
        return _line_by_line(
            text,
            lambda row: char + row if not row.lstrip().startswith(char) and _matches(regex, row) else row,
        )

    def is_known(text: str) -> bool:
        commented = f"{re.escape(char)}\\s*{regex.removeprefix('^')}"
        return any(_matches(regex, row) or re.search(commented, row) for row in text.splitlines())

    return _by_text(name, "comment", edit, is_known=None if ignore_missing else is_known, regex=regex,
                    done="Commented lines successfully", already="Pattern already commented",
                    copy_to=place_beside(name, backup))  # fmt: skip


def uncomment(name: str, regex: str, char: str = "#", backup: Any = ".bak", **options: Any) -> StateReturn:
    """Ensure that matching lines are not commented out in a file of the host.

    Example::

        /etc/adduser.conf:
          file.uncomment:
            - regex: EXTRA_GROUPS
    """
    sign = re.compile(f"^(\\s*){re.escape(char)}[ \\t]*")

    def bare(row: str) -> str:
        return sign.sub(r"\1", row, count=1)

    def edit(text: str) -> str:
        return _line_by_line(
            text, lambda row: bare(row) if sign.match(row) and _matches(regex, bare(row)) else row
        )

    def is_known(text: str) -> bool:
        return any(_matches(regex, bare(row)) for row in text.splitlines())

    return _by_text(name, "uncomment", edit, is_known=is_known, regex=regex,
                    done="Uncommented lines successfully", already="Pattern already uncommented",
                    copy_to=place_beside(name, backup))  # fmt: skip


def append(
    name: str,
    text: Any = None,
    makedirs: bool = False,
    source: str | None = None,
    template: str = "jinja",
    context: Any = None,
    defaults: Any = None,
    **options: Any,
) -> StateReturn:
    """Ensure that a file of the host contains texts; missing ones are appended.

    Example::

        /etc/motd:
          file.append:
            - text: Trust no one unless you have eaten much salt with him.
    """
    added = (text, source, template, {**(defaults or {}), **(context or {})})
    return _added(
        name, "append", added, makedirs, lambda old, lines: _ended(old) + _joined(lines), "Appended"
    )


def prepend(
    name: str,
    text: Any = None,
    makedirs: bool = False,
    source: str | None = None,
    template: str = "jinja",
    context: Any = None,
    defaults: Any = None,
    **options: Any,
) -> StateReturn:
    """Ensure that a file of the host contains texts; missing ones are prepended.

    Example::

        /etc/motd:
          file.prepend:
            - text: Welcome.
    """
    added = (text, source, template, {**(defaults or {}), **(context or {})})
    return _added(name, "prepend", added, makedirs, lambda old, lines: _joined(lines) + old, "Prepended")


def _by_function(name: str, function: str, unchanged: str, *args: Any, **options: Any) -> StateReturn:
    """Edit a file with a minion's `file` function that returns the diff."""
    try:
        absolute(name, function)
        changes = call(f"file.{function}", name, *args, **options)
    except (Refused, SaltGError) as exc:
        return result(name, False, str(exc))
    if not changes:
        return result(name, True, unchanged)
    shown = {"diff": changes if isinstance(changes, str) else "Changes were made"}
    if opts["test"]:
        said = "Changes would have been made" if function == "replace" else "Changes would be made"
        return result(name, None, said, shown)
    return result(name, True, "Changes were made", shown)


def _by_text(
    name: str, function: str, edit: Callable[[str], str], *, is_known: Callable[[str], bool] | None,
    regex: str, done: str, already: str, copy_to: str,
) -> StateReturn:  # fmt: skip
    try:
        absolute(name, function)
        seen = _editing.existing(name)
        old = (seen.content or b"").decode("utf-8", "surrogateescape")
        new = edit(old)
        if new == old:
            if is_known is not None and not is_known(old):
                raise Refused(f"{regex}: Pattern not found")
            return result(name, True, already)
        if opts["test"]:
            return result(name, None, f"File {name} is set to be updated", {name: "updated"})
        content = new.encode("utf-8", "surrogateescape")
        _editing.put(name, seen, content, copy_to=copy_to)
    except (Refused, SaltGError) as exc:
        return result(name, False, str(exc))
    return result(name, True, done, {"diff": difference(seen.content, content)})


def _added(
    name: str, function: str, added: tuple[Any, str | None, str, dict[str, Any]], makedirs: bool,
    combine: Callable[[str, list[str]], str], said: str,
) -> StateReturn:  # fmt: skip
    try:
        absolute(name, function)
        text, source, template, variables = added
        wanted = [_text_of(source, template, variables)] if source else _texts(text)
        seen = _files.path_state(name, wanted=_files.CONTENT)
        if seen.exists and not seen.is_file:
            raise Refused(f"{name} is not a file")
        if not seen.exists and not (seen.has_parent or makedirs):
            raise Refused(f"The directory of {name} does not exist; makedirs: True creates it")
        old = (seen.content or b"").decode("utf-8", "surrogateescape")
        missing = [line for part in wanted if not _holds(old, part) for line in part.splitlines()]
        if not missing:
            return result(name, True, f"File {name} is in correct state")
        content = combine(old, missing).encode("utf-8", "surrogateescape")
        changes = {"diff": difference(seen.content or b"", content)}
        if opts["test"]:
            return result(name, None, f"File {name} is set to be updated", changes)
        owner = f"{seen.uid}:{seen.gid}" if seen.exists else ""
        mode = seen.mode if seen.exists else "0644"
        _files.write(name, content, mode=mode, owner=owner, makedirs=makedirs)
    except (Refused, SaltGError) as exc:
        return result(name, False, str(exc))
    return result(name, True, f"{said} {len(missing)} lines", changes)


def _holds(text: str, part: str) -> bool:
    """Return whether whole lines of a text equal `part`, whatever the amount of whitespace."""
    words = part.split()
    pattern = r"\s+".join(map(re.escape, words))
    return bool(words) and re.search(rf"(?m)^[ \t]*{pattern}[ \t]*$", text) is not None


def _texts(text: Any) -> list[str]:
    if text is None:
        raise Refused("No text found to append or prepend: text or source is needed")
    return [str(part) for part in text] if isinstance(text, list) else [str(text)]


def _text_of(source: str, template: str, variables: TemplateVariables) -> str:
    saltenv = current().saltenv or "base"
    content = _sources.cached_bytes(source, saltenv)
    if content is None:
        raise Refused(f"Failed to load template file {source}")
    return _sources.rendered(content.decode(), template, saltenv, variables)


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _line_by_line(text: str, edit: Callable[[str], str]) -> str:
    return "".join(
        edit(row.rstrip("\n")) + row[len(row.rstrip("\n")) :] for row in text.splitlines(keepends=True)
    )


def _matches(regex: str, row: str) -> bool:
    return re.search(regex, row) is not None


def _known(options: Arguments) -> Arguments:
    """Return the options without `create` and the internal ones that begin with `__`."""
    return {name: value for name, value in options.items() if name != "create" and name[:2] != "__"}
