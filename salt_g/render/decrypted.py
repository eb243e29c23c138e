"""Registration of decrypted texts, and of the values in decrypted documents, as secrets (`pillar_secrets`).

A file can be encrypted as a whole. Its values, and parts of them, are then used separately, so each must be
hidden too.
"""

from __future__ import annotations

import re
from typing import Any

from salt_g.formats.yaml_load import load
from salt_g.process import secret_hiding
from salt_g.shapes import Opts

#: Maximum length of a document whose values are hidden one by one (characters).
MAX_DOCUMENT = 1 << 20
#: Pattern of a possible password or token within a value; a match without both a digit and a letter is an
#: ordinary word.
_WORD = re.compile(r"""[^\s'"=;,|&<>(){}\[\]]{8,}""")
#: Pattern of a line with a name and its value, in text that is not YAML, such as a template or an environment
#: file.
_ASSIGNED = re.compile(r"""^[\s-]*[\w.-]+\s*[:=]\s*['"]?(.*?)['"]?\s*$""", re.MULTILINE)


def note_decrypted(value: Any, opts: Opts) -> None:
    """Hide a decrypted value from now on, if `pillar_secrets` is set."""
    if not opts.get("pillar_secrets"):
        return
    secret_hiding.note(value)
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    if isinstance(text, str) and len(text) <= MAX_DOCUMENT:
        secret_hiding.note(values_in(text))


def values_in(text: str) -> list[str]:
    """Return the values of a document, and possible passwords within values, that can be hidden."""
    from salt_g.process.known_secrets import can_be_hidden, leaves_of  # Imported lazily: for secrets.

    try:
        data = load(text)
    except Exception:  # a template, or no YAML at all
        data = None
    if isinstance(data, (dict, list)):
        found = leaves_of(data)
    elif "\n" in text.strip():
        found = _ASSIGNED.findall(text)
    else:
        return []
    words = [word for value in found for word in _WORD.findall(value) if _may_be_password(word)]
    return [value for value in dict.fromkeys([*found, *words]) if can_be_hidden(value)]


def _may_be_password(word: str) -> bool:
    is_mixed = any(map(str.isdigit, word)) and any(map(str.isalpha, word))
    return is_mixed and not word.startswith(("/", "salt://"))
