"""Presentation of settings: the docs page of all declarations, and the effective settings of a program.

In a separate file, because reading settings must be fast.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

from salt_g.config.check import kinds
from salt_g.config.ignored_settings import PARTIAL, reasons
from salt_g.config.registry import KNOWN, TOPICS
from salt_g.config.setting import UNSET, Setting
from salt_g.config.settings import DEFAULT, Settings

#: Password in a URL, with its surroundings; it may contain `/` and `@` that were not encoded.
_URL_PASSWORD = re.compile(r"(\w://[^/@:\s]*:)\S+(@)")
#: Secret as a parameter of a URL, whose name may be percent-encoded, or in a connection string. A `&` does
#: not end the match, because a secret may contain one.
_PARAMETER = re.compile(
    r"((?:(?:^|[?&;\s])(?:\w*passw(?:or)?d|\w*secret|pass|pwd|scram_\w+_key)|[?&]\w*%[0-9a-f]{2}[\w%]*)\s*=\s*)\S+",
    re.IGNORECASE,
)
#: Mask of secret values.
MASK = "**********"
_SECRET = re.compile(r"password|passwd|passphrase|secret|api_?key|(^|[._])(pass|token|priv)$", re.IGNORECASE)
_KIND_WORDS = {"NoneType": "null", "dict": "mapping", "str": "text", "bool": "true/false", "int": "int"}
_REASONS = reasons()
_INTRODUCTION = """\
# Settings

A minion reads `minion` and `minion.d/*.conf` of its config directory, a master `master` and
`master.d/*.conf`: `-c DIR`, else `SALT_G_CONFIG_DIR`, else `/etc/salt-g`, else `/etc/salt`. The
files are YAML, or JSON. Files in `*.d` merge among each other and then replace names of the main
file; `include:` names further files by glob. `salt-g config` shows the effective settings and
the origin of each.

Every setting of stock Salt 3008 is known, so that an existing config is checked as a whole. Settings that
salt-g ignores give the reason; setting one that requests a missing feature logs a warning. A setting without
a default is unset unless a file sets it. Names that are not listed below are kept for modules that read
them.

This page is generated from the declarations in
`salt_g/config/declared/` by `python -m salt_g.config.docs`.
"""


class SettingRow(NamedTuple):
    """Effective setting: name, value with secrets masked, and origin."""

    name: str
    value: Any
    origin: str


def describe(
    settings: Settings, names: Iterable[str] = (), *, only_changed: bool = False
) -> list[SettingRow]:
    """Return the effective settings: the given ones, or all, sorted; `only_changed` leaves out defaults."""
    wanted = list(names) or sorted(name for name in settings.opts if not name.startswith("__"))
    return [
        SettingRow(name, masked(name, settings.opts[name]), settings.origins[name])
        for name in wanted
        if name in settings.opts and not (only_changed and settings.origins[name] == DEFAULT)
    ]


def masked(name: str, value: Any) -> Any:
    """Return a printable value: secrets (by their names) and passwords in URLs are masked, at any depth."""
    if isinstance(value, dict):
        return {key: masked(str(key), item) for key, item in value.items()}
    if isinstance(value, list):
        return [masked(name, item) for item in value]
    if value and not isinstance(value, bool) and _SECRET.search(name):
        return MASK
    if not isinstance(value, str):
        return value
    return _PARAMETER.sub(rf"\1{MASK}", _URL_PASSWORD.sub(rf"\1{MASK}\2", value))


def page() -> str:
    """Return the docs page of all settings, in Markdown."""
    return "\n".join([_INTRODUCTION, *(line for topic in TOPICS for line in _topic_lines(topic))])


def _topic_lines(topic: ModuleType) -> Iterator[str]:
    name = topic.__name__.rpartition(".")[2]
    yield f"## {name.capitalize()}"
    yield f"\n{topic.__doc__}\n"
    yield "| setting | type | default | what it is |"
    yield "|---|---|---|---|"
    for setting in topic.SETTINGS:
        yield f"| `{setting.name}` | {_kind(setting)} | {_default(setting)} | {_text(setting)} |"
    yield ""


def _kind(setting: Setting) -> str:
    words = ", ".join(_KIND_WORDS.get(kind.__name__, kind.__name__) for kind in kinds(setting))
    return f"{words}; {setting.unit}" if setting.unit else words


def _default(setting: Setting) -> str:
    shown = {role: _literal(setting.default(role)) for role in setting.roles}
    if len(shown) == 2 and len(set(shown.values())) == 1:
        return next(iter(shown.values()))
    return "<br>".join(f"{role}: {text}".rstrip() if text else role for role, text in shown.items())


def _literal(value: Any) -> str:
    return "" if value is UNSET else _in_cell(f"`{json.dumps(value)}`")


def _text(setting: Setting) -> str:
    why = _REASONS.get(setting.name)
    if setting.name in PARTIAL:
        advice = PARTIAL[setting.name][1]
        return _in_cell(f"{setting.text} *A value other than the default has little or no effect: {advice}.*")
    return _in_cell(f"{setting.text} *No effect: {why}.*" if why else setting.text)


def _in_cell(text: str) -> str:
    return text.replace("|", "\\|")


def nearest(name: str) -> str | None:
    """Return the declared setting with the most similar name, or None if none is similar."""
    import difflib

    found = difflib.get_close_matches(name, KNOWN, 1)
    return found[0] if found else None


if __name__ == "__main__":
    import sys

    sys.stdout.write(page())
