"""Sanitization of text from minions and other users for display in a terminal."""

from __future__ import annotations


def printable(line: str) -> str:
    """Replace control characters, with which the author of a line could hide or forge output."""
    return "".join(char if char.isprintable() or char == "\t" else "\ufffd" for char in line)
