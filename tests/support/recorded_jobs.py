"""Ids of the jobs whose runs are recorded in tests of undo."""

from __future__ import annotations


def jid(number: int | str) -> str:
    """Return a job's id."""
    return f"2026{int(number):016}"
