"""Excerpts of a text around a faulty line, in the layout shared by all render errors.

Source: conformance cases `render/*-error`.
"""

from __future__ import annotations

from salt_g.errors import RenderError

#: Marker at the end of the faulty line.
MARKER = "    <======================"
#: Number of lines shown before and after the faulty line.
AROUND = 5


def excerpt(text: str, line: int) -> str:
    """Return `line` (from 1) with five lines on either side, framed; the whole text if it is shorter."""
    lines = text.splitlines()
    if line > len(lines):
        return text
    first, last = max(0, line - AROUND - 1), min(len(lines), line + AROUND)
    shown = lines[first:last]
    shown[line - first - 1] += MARKER
    if first > 0:
        shown.insert(0, "[...]")
    if last < len(lines):
        shown.append("[...]")
    return "---\n{}\n---".format("\n".join(shown))


def located_error(
    message: str, *, line: int = 0, text: str = "", trace: str = "", path: str = ""
) -> RenderError:
    """Return a render error that ends with the lines around `line` of `text`, if both are known."""
    if trace:
        message += f"\n{trace}\n"
    if not line or not text:
        return RenderError(message, path=path)
    context = excerpt(text, line)
    return RenderError(f"{message}; line {line}\n\n{context}", path=path, line=line, context=context)
