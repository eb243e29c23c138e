"""Show the lines of a text around the one that is to blame.

Why its own file: template errors, YAML errors in templates and render errors share the
layout. Source: conformance cases `render/*-error`.
"""

from __future__ import annotations

from salt_g.errors import RenderError

#: What stands behind the line to blame.
MARKER = "    <======================"
#: Lines shown before and after it.
AROUND = 5


def excerpt(text: str, line: int) -> str:
    """Return five lines either side of `line` (from 1), framed; all of a text that has no such line."""
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
    """Return a render error that ends in the lines around `line` of `text`, when both are known."""
    if trace:
        message += f"\n{trace}\n"
    if not line or not text:
        return RenderError(message, path=path)
    context = excerpt(text, line)
    return RenderError(f"{message}; line {line}\n\n{context}", path=path, line=line, context=context)
