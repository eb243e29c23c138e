"""Verdicts on the returns of a rollout: whether a job, a check or an undo has failed on a minion, and why.

Shapes: a verdict is a short text, '' for a success.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.client.return_collector import Return
from salt_g.client.rollout_rules import Check
from salt_g.loader.job_arguments import split_arguments
from salt_g.process.secret_hiding import hide
from salt_g.report.rollout_lines import CHECK

#: Longest reason (characters).
_WIDTH = 160


def why_failed(one: Return) -> str:
    """Return why a job has failed on a minion, '' if it has not."""
    if not one.retcode:
        return ""
    value = one.data["return"]
    states = _failed_states(value)
    if states:
        return f"{len(states)} state{'s' * (len(states) > 1)} failed: {_short(', '.join(states))}"
    text = _text(value)
    return f"retcode {one.retcode}: {text}" if text else f"retcode {one.retcode}"


def why_check_failed(check: Check, one: Return) -> str:
    """Return why a check has failed (a retcode, False, an error, an unexpected status), '' if it has not."""
    value = one.data["return"]
    why = why_failed(one) or _why_bad(check, value)
    return f"{CHECK}{check.name}: {why}" if why else ""


def why_not_undone(one: Return) -> str:
    """Return why a minion did not revert everything, '' if it did."""
    value = one.data["return"]
    if isinstance(value, Mapping) and value.get("result") is False:
        return _text(value.get("comment")) or "not everything was reverted"
    return why_failed(one)


def _why_bad(check: Check, value: Any) -> str:
    if value is False:
        return "it returned False"
    if not isinstance(value, Mapping):
        return ""
    if value.get("result") is False or value.get("success") is False:
        return _text(value.get("comment")) or "its result is False"
    expected = _expected(check, value)
    if expected:
        return expected
    return _text(value["error"]) if value.get("error") else ""


def _expected(check: Check, value: Mapping[Any, Any]) -> str:
    """Return how the status of a query differs from the one that its check expects, '' if it does not."""
    status = split_arguments(check.arg)[1].get("status") if check.fun == "http.query" else None
    if status is None or isinstance(status, bool) or str(value.get("status")) == str(status):
        return ""
    error = f" ({_text(value['error'])})" if value.get("error") else ""
    return f"status {value.get('status')}, not {status}{error}"


def _failed_states(value: Any) -> list[str]:
    """Return the ids of the states that failed in the return of a state run."""
    if not isinstance(value, Mapping):
        return []
    rows = [row for row in value.values() if isinstance(row, Mapping)]
    return [str(row.get("__id__")) for row in rows if row.get("result") is False and "__id__" in row]


def _text(value: Any) -> str:
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        value = value[0]
    return _short(value) if isinstance(value, str) else ""


def _short(text: str) -> str:
    shown = " ".join(str(hide(text)).split())
    return shown if len(shown) <= _WIDTH else shown[: _WIDTH - 1] + "…"
