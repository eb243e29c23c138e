"""Status line at the bottom of a terminal, redrawn while other output scrolls above it.

No library is needed.
"""

from __future__ import annotations

import os
import sys

#: Assumed width of a terminal that does not report one (columns).
_WIDTH = 80
_TO_LINE_END = "\x1b[K"


class LiveLine:
    """Status line on standard error."""

    def __init__(self) -> None:
        self._is_drawn = False

    def show(self, text: str) -> None:
        """Draw the line, truncated to the width of the terminal."""
        sys.stderr.write(f"\r{cut(text, _width() - 1)}{_TO_LINE_END}")
        sys.stderr.flush()
        self._is_drawn = True

    def clear(self) -> None:
        """Remove the line for other output, or at the end."""
        if self._is_drawn:
            sys.stderr.write(f"\r{_TO_LINE_END}")
            sys.stderr.flush()
            self._is_drawn = False


def cut(text: str, width: int) -> str:
    """Return the text, truncated to at most `width` characters."""
    return text if len(text) <= width else f"{text[: max(0, width - 1)]}…"


def _width() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _WIDTH
    except (OSError, ValueError):
        return _WIDTH
