"""Settings of the form `key separator value`, one per line.

Shapes: a diff here has `- old` and `+ new` lines without context.
Source: stock docs of `file.keyvalue`; conformance case `file/keyvalue`.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from salt_g import safe_files
from salt_g.api import opts
from salt_g.data.text_encoding import encoded, file_encoding
from salt_g.errors import CommandExecutionError
from salt_g.process.disk import rewrite
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, outcome


class _Params(NamedTuple):
    """Wanted settings and the rules to find them."""

    values: dict[str, Any]
    separator: str
    uncomment: str | None
    key_ignore_case: bool
    value_ignore_case: bool

    def key_in(self, line: str) -> str | None:
        """Return the wanted key that a line sets, ignoring comment characters; None if it sets none."""
        found, separator, _ = line.lstrip(self.uncomment).partition(self.separator)
        if separator != self.separator:
            return None
        return next((key for key in self.values if self._folded_key(key) == self._folded_key(found)), None)

    def begins_with_key(self, line: str) -> bool:
        """Return whether a line begins with a wanted key."""
        text = self._folded_key(line.lstrip(self.uncomment))
        return text.startswith(tuple(self._folded_key(key) for key in self.values))

    def is_value(self, line: str, value: Any) -> bool:
        """Return whether a line has this value."""
        found = line.lstrip(self.uncomment).partition(self.separator)[2].strip()
        wanted = str(value).strip()
        return found.lower() == wanted.lower() if self.value_ignore_case else found == wanted

    def _folded_key(self, key: str) -> str:
        return key.lower() if self.key_ignore_case else key


class _Edit:
    """Edited lines of a file and the changes made."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.diff: list[str] = []
        self.pruned: list[str] = []
        self.changes = 0


def keyvalue(
    name: str, key: str | None = None, value: Any = None, key_values: dict[str, Any] | None = None,
    separator: str = "=", append_if_not_found: bool = False, prepend_if_not_found: bool = False,
    search_only: bool = False, show_changes: bool = True, ignore_if_missing: bool = False, count: int = 1,
    uncomment: str | None = None, key_ignore_case: bool = False, value_ignore_case: bool = False,
    create_if_missing: bool = False, prune: bool = False,
) -> StateReturn:  # fmt: skip
    """Ensure settings in a file: `key` and `value`, or else `key_values` as a mapping.

    `count` lines of each key are set (-1: all), further ones are removed. `uncomment` lists the comment
    characters to remove when a key is set. Missing keys are added with `append_if_not_found` or
    `prepend_if_not_found`; `prune` removes all other lines. `search_only` has no effect, as in stock.

    Example::

        /etc/ssh/sshd_config:
          file.keyvalue:
            - key_values:
                PermitRootLogin: 'no'
            - separator: ' '
            - uncomment: '# '
            - append_if_not_found: True
    """
    name = os.path.expanduser(name)
    if not name:
        return failed(name, "Must provide name to file.keyvalue")
    if key is not None and value is not None:
        key_values = {str(key): value}
    if not isinstance(key_values, dict) or not key_values:
        reason = "is not a dictionary" if key_values else "is empty"
        return failed(name, f"file.keyvalue key and value not supplied and key_values {reason}")
    try:
        old = _read_lines(name, create_if_missing)
    except OSError:
        return outcome(name, bool(ignore_if_missing), f"unable to open {name}")
    append = append_if_not_found or (create_if_missing and not os.path.exists(name))
    args = _Params(key_values, separator, uncomment, key_ignore_case, value_ignore_case)
    edit = _edited(old, args, count, prune, append=append, prepend=prepend_if_not_found)
    if not edit.changes and not edit.pruned:
        return as_wanted(name)
    if opts["test"]:
        return _reported(name, edit, show_changes)
    return _stored(name, edit, show_changes)


def _edited(old: list[str], args: _Params, count: int, prune: bool, *, append: bool, prepend: bool) -> _Edit:
    edit = _Edit()
    left = dict.fromkeys(args.values, count)
    for line in old:
        if prune and not args.begins_with_key(line):
            edit.pruned.append(line)
            continue
        key = args.key_in(line)
        edit.lines.append(line if key is None else _set(line, key, args, left, edit))
    absent = [key for key in args.values if left[key] > 0]
    if append:
        _append(absent, args, edit)
    elif prepend:
        _prepend(absent, args, edit)
    for line in edit.pruned:
        edit.diff.insert(1, f"- {line}")
    return edit


def _set(line: str, key: str, args: _Params, left: dict[str, int], edit: _Edit) -> str:
    """Return the line with the wanted value, or '' if its key occurs often enough already."""
    value = args.values[key]
    bare = line.lstrip(args.uncomment)
    is_comment = len(bare) < len(line)
    # Comments become settings until enough are set; correct settings stay.
    stays = left[key] <= 0 if is_comment else left[key] != 0 and args.is_value(line, value)
    if not stays:
        edit.diff.append(f"- {line}")
        edit.changes += 1
        found, separator, _ = (bare if is_comment else line).partition(args.separator)
        line = f"{found}{separator}{value}{os.linesep}" if left[key] != 0 else ""
        edit.diff += [_shown(line, value)] if line else []
    if left[key] > 0:
        left[key] -= 1
    return line


def _shown(line: str, value: Any) -> str:
    if isinstance(value, str):
        return f"+ {line}"
    return f"+ {line.rstrip()} (from {type(value).__name__} type){os.linesep}"


def _append(absent: list[str], args: _Params, edit: _Edit) -> None:
    lines = [f"{key}{args.separator}{args.values[key]}{os.linesep}" for key in absent]
    if lines:
        shown = [f"+ {line}" for line in lines]
        edit.diff += [f"- <EOF>{os.linesep}", *shown, f"+ <EOF>{os.linesep}"]
        edit.lines += lines
        edit.changes += len(lines)


def _prepend(absent: list[str], args: _Params, edit: _Edit) -> None:
    for number, key in enumerate(absent):
        line = f"{key}{args.separator}{args.values[key]}{os.linesep}"
        if not number:
            edit.diff.insert(0, f"  <SOF>{os.linesep}")
        edit.diff.insert(1, f"+ {line}")
        edit.lines.insert(0, line)
        edit.changes += 1


def _reported(name: str, edit: _Edit, show_changes: bool) -> StateReturn:
    said = f"File {name} is set to be changed ({edit.changes} lines modified, {len(edit.pruned)} deleted)"
    if not show_changes:
        return outcome(name, None, said)
    predicted = "\nPredicted diff:\n\r\t\t" + "\r\t\t".join(edit.diff)
    return outcome(name, None, said + predicted, {"diff": "".join(edit.diff)})


def _stored(name: str, edit: _Edit, show_changes: bool) -> StateReturn:
    changes = {"diff": "".join(edit.diff)} if show_changes else {}
    try:
        encoding = file_encoding(name) if os.path.exists(name) else "utf-8"
        rewrite(safe_files.resolved(name), encoded("".join(edit.lines), encoding, name))
    except (safe_files.UntrustedPath, CommandExecutionError) as exc:
        return failed(name, str(exc))
    except OSError:
        return failed(name, f"{name} not writable", changes)
    return changed(name, f"Changed {edit.changes}, deleted {len(edit.pruned)} lines", changes)


def _read_lines(name: str, may_be_missing: bool) -> list[str]:
    try:
        with open(name, encoding=file_encoding(name)) as file:
            return file.readlines()
    except FileNotFoundError:
        if may_be_missing:
            return []
        raise
