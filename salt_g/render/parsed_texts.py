"""Cache of parsed data by text, so that text rendered alike for many minions is not parsed each time.

The key is the parser's whole input, so what a template read to render it does not matter. A text is kept only
when it is seen the second time, because most texts are seen once. Callers receive copies of the kept data,
because a template, a later renderer or a merge can change it.
Units: characters of text; the parsed data takes about ten times as many bytes.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from salt_g.data.bounded_cache import remember
from salt_g.process.offload import unpatched

#: Maximum length of a kept text, and of all kept texts together (characters).
LONGEST = 256 * 1024
MOST_CHARACTERS = 2 * 1024 * 1024
#: Maximum number of kept texts, and of texts remembered as seen once.
MOST_TEXTS = 2048
SEEN_ONCE = 8192


class ParsedTexts:
    """Cache in front of a parser that always returns the same data for the same text."""

    def __init__(self, parse: Callable[[str], Any]) -> None:
        self._parse = parse
        self._kept: dict[str, Any] = {}
        self._characters = 0
        self._seen: dict[int, None] = {}
        # A native lock, because parallel states of a local call are native threads; no holder yields to the
        # hub.
        self._lock = unpatched("allocate_lock")()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, text: str) -> Any:
        """Return the data of a text, as a copy for the caller; raise the parser's errors each time."""
        with self._lock:
            if text in self._kept:
                data = self._kept[text] = self._kept.pop(text)
                return copy.deepcopy(data)
        data = self._parse(text)
        if len(text) <= LONGEST:
            with self._lock:
                if self._is_second_time(text):
                    self._keep(text, copy.deepcopy(data))
        return data

    def _is_second_time(self, text: str) -> bool:
        """Return whether a text was seen before, and record it.

        A collision of hashes only causes a text to be kept early.
        """
        mark = hash(text)
        if mark in self._seen:
            del self._seen[mark]
            return True
        remember(self._seen, mark, None, SEEN_ONCE)
        return False

    def _keep(self, text: str, data: Any) -> None:
        # The parser yields, so another greenlet may have kept the text meanwhile.
        if text in self._kept:
            return
        self._kept[text] = data
        self._characters += len(text)
        while len(self._kept) > MOST_TEXTS or self._characters > MOST_CHARACTERS:
            oldest = next(iter(self._kept))
            del self._kept[oldest]
            self._characters -= len(oldest)
