"""Diffs of file contents, as state changes report them."""

from __future__ import annotations

import io

from salt_g.api import opts
from salt_g.data.text_diff import PROBE_SIZE, diff, is_binary


def difference(old: bytes | None, new: bytes, *, show: bool = True) -> str:
    """Return a unified diff, or the text shown instead; `old` is None for a file too large to fetch."""
    if opts.get("obfuscate_templates"):
        return "<Obfuscated Template>"
    if not show:
        return "<show_changes=False>"
    if old is None:
        return "<no diff of large files>"
    binary = [is_binary(data[:PROBE_SIZE]) for data in (old, new)]
    if all(binary):
        return "Replace binary file"
    if any(binary):
        return "Replace binary file with text file" if binary[0] else "Replace text file with binary file"
    return diff(io.BytesIO(old).readlines(), io.BytesIO(new).readlines())
