"""Settings of logrotate: global ones, and those of each log file.

Shapes: {setting: value, log file: {setting: value}, "include files": {file name: [settings and log files in
it]}}; a setting without a value is True, a script the list of its lines.
Source: logrotate(8).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

from salt_g.api import call
from salt_g.errors import InvocationError

__func_alias__ = {"set_": "set"}

_DEFAULT = "/etc/logrotate.conf"
_SCRIPTS = ("firstaction", "lastaction", "prerotate", "postrotate", "preremove")
#: `re.MULTILINE`, and `re.MULTILINE | re.DOTALL`, as `file.replace` takes them.
_LINES, _BLOCKS = 8, 24
_QUIET = {"backup": False, "show_changes": False}


def show_conf(conf_file: str = _DEFAULT) -> dict[str, Any]:
    """Return all settings of a file and of the files that it includes.

    Example::

        salt-g logrotate.show_conf
    """
    with open(conf_file, encoding="utf-8", errors="replace") as file:
        return _Parse(line.strip() for line in file).read()


def get(key: str, value: str | None = None, conf_file: str = _DEFAULT) -> Any:
    """Return a global setting or all settings of a log file (`key`), or only the log file's setting `value`.

    Returns False if there is none.

    Example::

        salt-g logrotate.get /var/log/wtmp rotate
    """
    found = show_conf(conf_file).get(key, False)
    return found.get(value, False) if value and found else found


def set_(key: str, value: Any, setting: Any = None, conf_file: str = _DEFAULT) -> Any:
    """Set the global setting `key` to `value`, or the setting `value` of the log file `key` to `setting`.

    A new value of False removes the setting. Returns whether that succeeded.

    Example::

        salt-g logrotate.set /var/log/wtmp rotate 2
    """
    conf = show_conf(conf_file)
    includes = conf.get("include files", {})
    included = [os.path.join(conf["include"], name) for name in includes if key in includes[name]]
    file = included[0] if included else conf_file
    known = conf.get(key, False)
    if setting is None:
        return _set_line(file, key, value, known)
    return _set_in_block(file, key, value, setting, known or {})


def _set_line(file: str, key: str, value: Any, known: Any) -> Any:
    if isinstance(known, dict):
        what = "includes a dict, and a specific setting inside the dict was not declared"
        raise InvocationError(f"Error: {key} {what}")
    if value == known:
        return True
    line = key if value is True else f"{key} {value}" if value else ""
    how = {"flags": _LINES, "prepend_if_not_found": True}
    return call(
        "file.replace", path=file, pattern=rf"^{re.escape(key)}(?=\s|$).*", repl=line, **how, **_QUIET
    )


def _set_in_block(file: str, key: str, name: Any, setting: Any, known: Any) -> Any:
    if not isinstance(known, dict):
        what = "A setting for a dict was declared, but the configuration line given is not a dict"
        raise InvocationError(f"Error: {what}")
    if setting == known.get(name, False):
        return True
    wanted = {**known, name: setting} if setting else {k: v for k, v in known.items() if k != name}
    block = _block(key, wanted)
    # A block ends with a line of its own: scripts inside may have braces.
    how = {"pattern": rf"^{re.escape(key)}(?=[\s{{]).*?^\s*}}", "flags": _BLOCKS, "not_found_content": block}
    literal = block.replace("\\", r"\\")
    return call("file.replace", path=file, repl=literal, append_if_not_found=True, **how, **_QUIET)


def _block(key: str, settings: dict[str, Any]) -> str:
    return "\n".join([f"{key} {{", *(line for item in settings.items() for line in _block_lines(*item)), "}"])


def _block_lines(name: str, value: Any) -> Iterator[str]:
    if name in _SCRIPTS and isinstance(value, list):
        yield from (f"    {name}", *(f"        {line}" for line in value), "    endscript")
    else:
        yield f"    {name} {'' if value is True else value}"


class _Parse:
    """Parser of one file, line by line."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._conf: dict[str, Any] = {}
        #: Names on lines of their own before the `{`.
        self._waiting: list[str] = []

    def read(self) -> dict[str, Any]:
        """Return all settings."""
        for line in self._lines:
            if line and not line.startswith("#"):
                self._line(line)
        return {**self._conf, **dict.fromkeys(self._waiting, True)}

    def _line(self, line: str) -> None:
        words = line.split()
        if "{" in line and "}" not in line:
            names = [*self._waiting, *(word.rstrip("{") for word in words if word != "{")]
            self._waiting = []
            block: dict[str, Any] = {}
            for inner in self._lines:
                if "}" in inner:
                    break
                self._setting(block, inner)
            self._conf.update(dict.fromkeys(names, block))
        elif len(words) == 1 and _is_log(words[0]):
            self._waiting.append(words[0])
        elif words[0] == "include" and len(words) > 1:
            self._conf["include"] = words[1]
            self._include(words[1])
        else:
            self._setting(self._conf, line)

    def _setting(self, into: dict[str, Any], line: str) -> None:
        if not line or line.startswith("#"):
            return
        name, *rest = line.split()
        if name in _SCRIPTS and not rest:
            into[name] = list(iter(lambda: next(self._lines, "endscript"), "endscript"))
        else:
            into[name] = _value(" ".join(rest)) if rest else True

    def _include(self, directory: str) -> None:
        files = self._conf.setdefault("include files", {})
        for name in os.listdir(directory):
            path = os.path.join(directory, name)
            found = show_conf(path) if os.path.isfile(path) else {}
            files[name] = [*files.get(name, []), *found]
            self._conf.update(found)


def _is_log(word: str) -> bool:
    return word.startswith(("/", "~", '"', "'")) or any(letter in word for letter in "*?[")


def _value(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        return text
