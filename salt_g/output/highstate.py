"""Outputter: results of a state run as text for users: the states of each host, then a summary.

This file unwraps data and splits it by host; `_chunk.py` formats one state, `_summary.py` the counts,
`_compress.py` merges the names of an id.

Shapes: {host: {low tag: state return}}; a host can also have a list of compile errors, or the text or
number that a function returned.
Source: stock's `highstate`; conformance cases `entry/text-*`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from salt_g.output import nested
from salt_g.output._chunk import Chunk, as_text, show_full, show_terse
from salt_g.output._compress import compress_ids, count_of
from salt_g.output._summary import Counts, summary
from salt_g.output._theme import Theme, theme_of
from salt_g.shapes import Running, StateReturn

#: States whose changes are the results of another run.
_INNER_RUNS = ("state.orch", "state.orchestrate", "state.sls")
_UNORDERED = (
    "The State execution failed to record the order in which all states were executed. "
    "The state return missing data is:"
)


def output(data: Any, opts: Mapping[str, Any], *, retcode: int = 0) -> str:
    """Return the results of a run as text: scalars by `str`, other data that is not a mapping by `nested`."""
    data = _unwrapped(data)
    if isinstance(data, (int, str)) or data is None:
        return str(data)
    if not isinstance(data, dict):
        return nested.output(data, opts, retcode=retcode)
    return _show_hosts(data, theme_of(opts), depth=1)


def _show_hosts(data: dict[str, Any], theme: Theme, *, depth: int) -> str:
    masters = [host for host in data if str(host).endswith("_master")]
    if len(masters) == 1:
        # An orchestration's return code is next to its only host.
        data = {host: result for host, result in data.items() if host != "retcode"}
    if theme.compresses:
        data = compress_ids(data)
    return "\n".join(_show_host(host, result, theme, depth=depth)[0] for host, result in data.items())


def _unwrapped(data: Any) -> Any:
    """Return the results without the envelopes of jobs and orchestrations."""
    for envelope in ("return", "data"):
        if isinstance(data, dict) and envelope in data:
            data = data[envelope]
    if isinstance(data, dict) and len(data) == 1:
        (only,) = data.values()
        if isinstance(only, dict) and "jid" in only and "fun" in only:
            inner = only.get("return", {})
            return inner.get("data", data) if isinstance(inner, dict) else data
    return data


def _show_host(host: Any, result: Any, theme: Theme, *, depth: int = 1) -> tuple[str, bool]:
    """Return the text of one host, and whether it has changes."""
    if isinstance(result, dict):
        color, lines, changed = _show_states(host, result, theme, depth)
    elif isinstance(result, list):
        color, lines, changed = theme.color("LIGHT_RED"), _show_errors(result, theme), False
    elif isinstance(result, (int, str)):
        # The return value of a function counts as a change.
        texts = result.splitlines() if isinstance(result, str) else [str(result)]
        lines = [theme.painted("GREEN", f"    {text}") for text in texts]
        color, changed = theme.color("CYAN"), True
    else:
        color, lines, changed = theme.color("GREEN"), [], False
    title = f"{color}{theme.clean(as_text(host))}:{theme.end}"
    return "\n".join([title, *lines]), changed


def _show_errors(errors: list[Any], theme: Theme) -> list[str]:
    lines = [f"    {theme.painted('LIGHT_RED', 'Data failed to compile:')}"]
    rule = "----------\n    "
    return lines + [theme.painted("LIGHT_RED", f"{rule}{theme.clean(as_text(error))}") for error in errors]


def _show_states(host: Any, result: Running, theme: Theme, depth: int) -> tuple[str, list[str], bool]:
    lines = _show_unordered(result)
    counts = Counts()
    color = theme.color("GREEN")
    states = {tag: state for tag, state in result.items() if isinstance(state, dict) and "result" in state}
    for tag in sorted(states, key=lambda tag: states[tag].get("__run_num__", 0)):
        chunk = _chunk(tag, states[tag], theme, depth)
        counts.add(chunk)
        if chunk.is_hidden(theme):
            continue
        color = theme.color(chunk.host_color) if chunk.host_color else color
        form = theme.form_of(chunk.result, chunk.is_changed)
        if form == "terse":
            lines.append(show_terse(chunk, theme))
        elif form == "full":
            lines += show_full(chunk, theme)
            counts.warned += "warnings" in chunk.state
    lines += summary(as_text(host), counts, theme)
    return color, lines, counts.changed > 0


def _show_unordered(result: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    for tag, state in result.items():
        if isinstance(state, dict) and state and tag != "changes" and "__run_num__" not in state:
            import pprint

            lines = [_UNORDERED, pprint.pformat(state), *lines]
    return lines


def _chunk(tag: str, state: StateReturn, theme: Theme, depth: int) -> Chunk:
    names = count_of(tag) if theme.compresses else 1
    changes: Any = state.get("changes")
    if state.get("name") in _INNER_RUNS:
        inner = _inner_run(changes, theme, depth + 1)
        text = re.sub("^", " " * 14 * depth, f"\n{inner}", flags=re.MULTILINE)
        return Chunk(tag, state, changed=1, changes_text=text, names=names)
    is_changed, text = _changes(changes, theme)
    by_name = changes.get("compressed changes", {}) if is_changed and names > 1 else {}
    changed = len(by_name) or int(is_changed)
    return Chunk(tag, state, changed=changed, changes_text=text, names=names)


def _inner_run(changes: Any, theme: Theme, depth: int) -> str:
    """Return the text of a run that was started by a state of this run."""
    data = _unwrapped(changes)
    return _show_hosts(data, theme, depth=depth) if isinstance(data, dict) else str(data)


def _changes(changes: Any, theme: Theme) -> tuple[bool, str]:
    """Return whether there are changes, and their text."""
    if not changes:
        return False, ""
    if not isinstance(changes, dict):
        return True, f"Invalid Changes data: {changes}"
    if changes.get("ret") is not None and changes.get("out") == "highstate":
        return _inner_hosts(changes["ret"], theme)
    return True, "\n" + nested.output(changes, theme.opts, indent=14).rstrip()


def _inner_hosts(hosts: Mapping[str, Any], theme: Theme) -> tuple[bool, str]:
    shown = [_show_host(host, result, theme) for host, result in hosts.items()]
    text = "".join("\n" + "\n".join(" " * 14 + line for line in text.splitlines()) for text, _ in shown)
    return any(changed for _, changed in shown), text
