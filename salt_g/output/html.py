"""One page of HTML that needs nothing else: a report of a job, or any data as text.

Why its own file: what people attach to a ticket. Every value is escaped, nothing is loaded from anywhere and
nothing runs: the page says so itself (Content-Security-Policy), so what a minion returned stays text.
Shapes: of `salt_g/job_report.py`; other data is shown as `nested` prints it.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from salt_g.job_report import is_report
from salt_g.output import nested

_COLORS = {
    "failed": "#b3261e",
    "silent": "#6b4e9b",
    "would change": "#8a6100",
    "changed": "#00687a",
    "ok": "#2e6b34",
}
_STYLE = """\
:root { color-scheme: light dark }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem }
code, pre { font: 13px/1.4 ui-monospace, monospace } pre { overflow-x: auto; margin: .3rem 0 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem }
dd { margin: 0; overflow-wrap: anywhere }
details { border-left: 3px solid #8884; padding-left: .7rem; margin: .25rem 0 }
summary { cursor: pointer; overflow-wrap: anywhere }
.verdict { color: #fff; border-radius: 3px; padding: 0 .4em; font-size: .85em; white-space: nowrap }
.add { color: #2e8b3d } .del { color: #c9362c } .hunk { color: #3377bb } .quiet { opacity: .65 }
svg { width: 100%; height: auto; margin: .3rem 0 } svg text { font: 11px sans-serif; fill: currentColor }
"""
#: Height of a row of the timeline, and its width, in units of the picture.
_ROW, _WIDTH, _NAMES = 16, 1000, 180
#: Most states of one minion that a timeline draws; all are listed below it.
_DRAWN = 200


def output(data: Any, opts: Mapping[str, Any], *, retcode: int = 0) -> str:
    """Return a page about `data`."""
    if is_report(data):
        title = f"Job {data['jid']}: {_word(data['fun'])}"
        return _page(title, [*_head(data), *_overview(data["minions"]), *_minions(data)])
    plain = nested.output(data, {**opts, "color": False, "force_color": False}, retcode=retcode)
    return _page("salt-g", [f"<pre>{_escaped(plain)}</pre>"])


def _page(title: str, body: Sequence[str]) -> str:
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta http-equiv="Content-Security-Policy"'
            " content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{_escaped(title)}</title>",
            f"<style>\n{_STYLE}{_verdict_styles()}</style></head><body>",
            f"<h1>{_escaped(title)}</h1>",
            *body,
            "</body></html>",
        ]
    )


def _verdict_styles() -> str:
    return "".join(
        f".{_class(verdict)} {{ background: {color}; fill: {color} }}\n" for verdict, color in _COLORS.items()
    )


def _head(data: Mapping[str, Any]) -> Iterator[str]:
    yield "<dl>"
    for name, value in (
        ("Began", f"{data['began']} UTC"),
        ("Function", _word(data["fun"])),
        ("Arguments", " ".join(map(_word, data["arg"]))),
        ("Target", f"{_word(data['tgt'])} ({data['tgt_type']})"),
        ("User", data["user"]),
    ):
        yield f"<dt>{name}</dt><dd>{_escaped(value)}</dd>"
    counts = " ".join(f"{_verdict(verdict)} {number}" for verdict, number in data["counts"].items())
    yield f"<dt>Minions</dt><dd>{counts}</dd></dl>"


def _overview(minions: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the timeline of all minions: a row each, a bar for each state."""
    rows = {id: minion["states"][:_DRAWN] for id, minion in minions.items() if minion.get("states")}
    timed = [state for states in rows.values() for state in states if state["started"] is not None]
    if not timed:
        return
    whole = max(state["started"] + state["duration"] for state in timed) or 1.0
    height = _ROW * (len(rows) + 1)
    yield "<h2>Timeline</h2>"
    yield f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="when states ran">'
    for row, (id, states) in enumerate(rows.items()):
        yield f'<text x="0" y="{row * _ROW + 12}">{_escaped(_cut(id, 28))}</text>'
        for state in states:
            if state["started"] is not None:
                yield _bar(state, row, whole)
    yield f'<text x="{_NAMES}" y="{height - 4}">0</text>'
    yield f'<text x="{_WIDTH}" y="{height - 4}" text-anchor="end">{whole / 1000:.2f} s</text></svg>'


def _bar(state: Mapping[str, Any], row: int, whole: float) -> str:
    scale = (_WIDTH - _NAMES) / whole
    x, width = _NAMES + state["started"] * scale, max(1.5, state["duration"] * scale)
    told = f"{state['state']} {state['name']}: {state['verdict']}, {state['duration']:.0f} ms"
    return (
        f'<rect class="{_class(state["verdict"])}" x="{min(x, _WIDTH - 1.5):.1f}" y="{row * _ROW + 3}"'
        f' width="{width:.1f}" height="{_ROW - 5}"><title>{_escaped(told)}</title></rect>'
    )


def _minions(data: Mapping[str, Any]) -> Iterator[str]:
    for id, minion in data["minions"].items():
        yield f"<h2>{_verdict(minion['verdict'])} {_escaped(id)}</h2>"
        if minion["verdict"] == "silent":
            yield "<p>It has not returned.</p>"
        elif "states" in minion:
            yield from (part for state in minion["states"] for part in _state(state))
        else:
            yield f"<pre>{_escaped(_value(minion.get('return')))}</pre>"


def _state(state: Mapping[str, Any]) -> Iterator[str]:
    # What went as it should without changing anything is folded away.
    is_open = " open" if state["verdict"] != "ok" else ""
    yield (
        f"<details{is_open}><summary>{_verdict(state['verdict'])} <code>{_escaped(state['state'])}</code>"
        f" {_escaped(_word(state['name']))} <span class=quiet>{_escaped(_place(state))}"
        f" {state['duration']:.0f} ms</span></summary>"
    )
    if state["comment"]:
        yield f"<pre>{_escaped(_value(state['comment']))}</pre>"
    yield from _changes(state["changes"])
    yield "</details>"


def _place(state: Mapping[str, Any]) -> str:
    parts = [str(state["sls"])] if state["sls"] else []
    return ", ".join(parts + ([str(state["id"])] if state["id"] != state["name"] else []))


def _changes(changes: Any) -> Iterator[str]:
    if isinstance(changes, dict) and isinstance(changes.get("diff"), str):
        yield f"<pre>{''.join(map(_diff_line, changes['diff'].splitlines()))}</pre>"
        changes = {name: value for name, value in changes.items() if name != "diff"}
    if changes:
        yield f"<pre>{_escaped(_value(changes))}</pre>"


def _diff_line(line: str) -> str:
    kind = {"+": "add", "-": "del", "@": "hunk"}.get(line[:1])
    return f'<span class="{kind}">{_escaped(line)}</span>\n' if kind else f"{_escaped(line)}\n"


def _verdict(verdict: str) -> str:
    return f'<span class="verdict {_class(verdict)}">{_escaped(verdict)}</span>'


def _class(verdict: str) -> str:
    return f"v-{verdict.replace(' ', '-')}" if verdict in _COLORS else "v-failed"


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=repr)


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=2, default=repr, ensure_ascii=False)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _escaped(value: Any) -> str:
    """Return a value as text of a page; characters that no page may have are shown as �."""
    text = "".join(
        character if character in "\t\n" or (character >= " " and not "\x7f" <= character <= "\x9f") else "�"
        for character in str(value)
    )
    return html.escape(text.encode("utf-8", "replace").decode("utf-8"))
