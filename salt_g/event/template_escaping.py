"""Escaping of an event's values in templates, so that no value can act as template code or YAML.

A reactor file prints a minion's data (`tgt: {{ data['id'] }}`) into text that is parsed as YAML. A value
that might become more than one scalar there is printed as a plain placeholder, which is replaced by the
value after parsing.
Shapes: data keeps its structure; only texts are replaced, and they compare as before.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Any

#: Text that is one scalar wherever it is printed: words, numbers, ids, paths, addresses.
_PLAIN = re.compile(r"[\w./@+=~][\w./@+=~:-]*(?<!:)( [\w./@+=~][\w./@+=~:-]*(?<!:))*")


class _Printed(str):
    """A text that prints as its placeholder."""

    word: str

    def __str__(self) -> str:
        return self.word

    def __format__(self, spec: str) -> str:
        return self.word


class TemplateEscaping:
    """Placeholders for the texts of one event."""

    def __init__(self) -> None:
        self._prefix = f"event{secrets.token_hex(8)}x"
        self._texts: list[str] = []
        self._words = re.compile(rf"{self._prefix}(\d+)x")

    def hide(self, value: Any) -> Any:
        """Return a copy of a value for use in templates; its risky texts print as placeholders."""
        if isinstance(value, str):
            return value if _PLAIN.fullmatch(value) or not value else self._printed(value)
        if isinstance(value, Mapping):
            return {self.hide(key): self.hide(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.hide(item) for item in value]
        return value

    def show(self, value: Any) -> Any:
        """Return rendered data with the texts restored."""
        if isinstance(value, str):
            # A renderer in Python passes the texts through unchanged.
            text = value[:] if isinstance(value, _Printed) else value
            return self._words.sub(lambda found: self._texts[int(found[1])], text)
        if isinstance(value, Mapping):
            return {self.show(key): self.show(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.show(item) for item in value]
        return value

    def _printed(self, text: str) -> str:
        printed = _Printed(text)
        printed.word = f"{self._prefix}{len(self._texts)}x"
        self._texts.append(text)
        return printed
