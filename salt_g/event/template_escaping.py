"""Let templates use an event's values without letting these become template, YAML or structure.

Why its own file: a reactor file prints what a minion said (`tgt: {{ data['id'] }}`) into text that is read as
YAML. A value that could be more there than one scalar prints as a plain word in its place, which
is exchanged for the value when the text has been read.
Shapes: data in, the same data out; only texts differ, and they compare as before.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Any

#: Text that is one scalar wherever it is printed: words, numbers, ids, paths, addresses.
_PLAIN = re.compile(r"[\w./@+=~][\w./@+=~:-]*(?<!:)( [\w./@+=~][\w./@+=~:-]*(?<!:))*")


class _Printed(str):
    """A text that prints as a word that stands for it."""

    word: str

    def __str__(self) -> str:
        return self.word

    def __format__(self, spec: str) -> str:
        return self.word


class TemplateEscaping:
    """The texts of one event that were given a word."""

    def __init__(self) -> None:
        self._prefix = f"event{secrets.token_hex(8)}x"
        self._texts: list[str] = []
        self._words = re.compile(rf"{self._prefix}(\d+)x")

    def hide(self, value: Any) -> Any:
        """Return a value for templates."""
        if isinstance(value, str):
            return value if _PLAIN.fullmatch(value) or not value else self._printed(value)
        if isinstance(value, Mapping):
            return {self.hide(key): self.hide(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.hide(item) for item in value]
        return value

    def show(self, value: Any) -> Any:
        """Return rendered data with the texts in place of their words."""
        if isinstance(value, str):
            # A renderer in Python hands the texts through as they are.
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
