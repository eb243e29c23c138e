"""Outputter: self-contained HTML page with the report of a job, or with any data as text.

Meant as an attachment to a ticket. Every value is escaped; nothing is loaded or executed, as enforced by the
page's Content-Security-Policy, so data of minions remains text.
Shapes: the report of `salt_g/report/job_report.py`; other data is shown as `nested` prints it.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from salt_g.output import nested
from salt_g.report.job_report import VERDICTS, is_report

_COLORS = {
    "failed": "#b3261e",
    "silent": "#6b4e9b",
    "would change": "#8a6100",
    "changed": "#00687a",
    "ok": "#2e6b34",
}
_STYLE = """\
:root { color-scheme: light dark; --line: #d8dee4; --soft: #f6f8fa; --quiet: #59636e;
  --add: #1a6b2c; --add-on: #e4f6e8; --del: #b3261e; --del-on: #fdeceb; --hunk: #0a5cad; --page: #fff }
@media (prefers-color-scheme: dark) { :root { --line: #3a4048; --soft: #1b1f24; --quiet: #9aa4af;
  --add: #7ddb92; --add-on: #12321b; --del: #ff9d95; --del-on: #45191a; --hunk: #82bdff; --page: #121212 } }
* { box-sizing: border-box }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem }
h1 { font-size: 1.4rem; overflow-wrap: anywhere } h2 { font-size: 1.1rem; margin: 1.8rem 0 .5rem }
code, pre { font: 13px/1.45 ui-monospace, monospace }
pre { background: var(--soft); border-radius: 5px; margin: .35rem 0; overflow-x: auto; padding: .4rem .6rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem }
dt, .quiet { color: var(--quiet) } dd { margin: 0; overflow-wrap: anywhere }
dd .verdict:not(:first-child) { margin-left: .7rem }
details { border-top: 1px solid var(--line); padding: .25rem 0 }
details.minion { border: 1px solid var(--line); border-radius: 7px; margin: .8rem 0; padding: 0 .8rem }
details.timeline { border: 0; margin-top: 1.5rem; padding: 0 }
summary h2 { display: inline-block; margin: 0 0 .5rem }
.minion > summary { font-size: 1.05rem; font-weight: 600; padding: .5rem 0 }
summary { cursor: pointer; overflow-wrap: anywhere } summary .quiet { font-size: .85em }
.verdict { color: #fff; border-radius: 4px; padding: .05em .45em; font-size: .8em; white-space: nowrap }
.diff { padding: .4rem 0 }
.diff span { display: block; padding: 0 .6rem; width: max-content; min-width: 100% }
.add { color: var(--add); background: var(--add-on) } .del { color: var(--del); background: var(--del-on) }
.hunk { color: var(--hunk) }
.row { display: grid; grid-template-columns: clamp(6rem, 24%, 14rem) 1fr; gap: .8rem; align-items: center }
.row > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: .87em }
.row svg { background: var(--soft); display: block; height: 1rem; width: 100%; border-radius: 3px }
.row rect { stroke: var(--page); stroke-width: .6; vector-effect: non-scaling-stroke }
.scale { display: flex; justify-content: space-between; color: var(--quiet); font-size: .8em }
@media (max-width: 36rem) { body { margin: 1rem auto } .minion > details { overflow: hidden } }
@media print { details:not([open]) > summary { list-style: none } body { max-width: none } }
"""
#: Width and height of a timeline row, in units of its SVG, which is stretched.
_WIDTH, _ROW = 1000, 10
#: Minimum width of a bar, so that the shortest state is visible.
_THINNEST = 6.0
_TROUBLE = ("failed", "silent")
#: Number of minions above which successful minions and the timeline are collapsed.
_UNFOLDED = 10
#: Maximum number of states per minion in the timeline; the list below the timeline has all of them.
_DRAWN = 200


def output(data: Any, opts: Mapping[str, Any], *, retcode: int = 0) -> str:
    """Return an HTML page of `data`."""
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
        ("Arguments", " ".join(map(_argument, data["arg"]))),
        ("Target", f"{_word(data['tgt'])} ({data['tgt_type']})"),
        ("User", data["user"]),
    ):
        yield f"<dt>{name}</dt><dd>{_escaped(value)}</dd>"
    counts = " ".join(f"{_verdict(verdict)} {number}" for verdict, number in data["counts"].items())
    yield f"<dt>Minions</dt><dd>{counts}</dd></dl>"


def _overview(minions: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the timeline of all minions: one row each, with a bar for each state."""
    rows = {id: minion["states"][:_DRAWN] for id, minion in minions.items() if minion.get("states")}
    timed = [state for states in rows.values() for state in states if state["started"] is not None]
    if not timed:
        return
    whole = max(state["started"] + state["duration"] for state in timed) or 1.0
    # For a large job, collapse the long timeline, so that failures are visible first.
    is_open = "" if len(rows) > _UNFOLDED else " open"
    yield f"<details class=timeline{is_open}><summary><h2>Timeline</h2></summary>"
    yield '<div role="img" aria-label="when states ran">'
    for id, states in rows.items():
        bars = "".join(_bar(state, whole) for state in states if state["started"] is not None)
        yield (
            f'<div class=row><span title="{_escaped(id)}">{_escaped(id)}</span>'
            f'<svg viewBox="0 0 {_WIDTH} {_ROW}" preserveAspectRatio="none">{bars}</svg></div>'
        )
    scale = f"<div class=scale><span>0</span><span>{whole / 1000:.2f} s</span></div>"
    yield f"<div class=row><span></span>{scale}</div></div></details>"


def _bar(state: Mapping[str, Any], whole: float) -> str:
    scale = _WIDTH / whole
    x, width = state["started"] * scale, max(_THINNEST, state["duration"] * scale)
    title = f"{state['state']} {state['name']}: {state['verdict']}, {state['duration']:.0f} ms"
    return (
        f'<rect class="{_class(state["verdict"])}" x="{min(x, _WIDTH - _THINNEST):.1f}" y="0"'
        f' width="{width:.1f}" height="{_ROW}"><title>{_escaped(title)}</title></rect>'
    )


def _minions(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the result of each minion, the worst first."""
    yield "<h2>Minions</h2>"
    minions = sorted(data["minions"].items(), key=lambda item: _rank(item[1]["verdict"]))
    for id, minion in minions:
        is_open = " open" if minion["verdict"] in _TROUBLE or len(minions) <= _UNFOLDED else ""
        yield f"<details class=minion{is_open}>"
        yield f"<summary>{_verdict(minion['verdict'])} {_escaped(id)}</summary>"
        if minion["verdict"] == "silent":
            yield "<p>It has not returned.</p>"
        elif "states" in minion:
            yield from (part for state in minion["states"] for part in _state(state))
        else:
            yield f"<pre>{_escaped(_value(minion.get('return')))}</pre>"
        yield "</details>"


def _rank(verdict: str) -> int:
    return VERDICTS.index(verdict) if verdict in VERDICTS else 0


def _state(state: Mapping[str, Any]) -> Iterator[str]:
    # Successful states without changes are collapsed.
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
        yield f"<pre class=diff>{''.join(map(_diff_line, changes['diff'].splitlines()))}</pre>"
        changes = {name: value for name, value in changes.items() if name != "diff"}
    if changes:
        yield f"<pre>{_escaped(_value(changes))}</pre>"


def _diff_line(line: str) -> str:
    kind = "hunk" if line.startswith(("+++", "---", "@@")) else {"+": "add", "-": "del"}.get(line[:1])
    named = f" class={kind}" if kind else ""
    # Block elements need no newline; a space gives an empty line its height.
    return f"<span{named}>{_escaped(line) or ' '}</span>"


def _verdict(verdict: str) -> str:
    return f'<span class="verdict {_class(verdict)}">{_escaped(verdict)}</span>'


def _class(verdict: str) -> str:
    return f"v-{verdict.replace(' ', '-')}" if verdict in _COLORS else "v-failed"


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=repr)


def _argument(value: Any) -> str:
    """Return an argument as written on the command line."""
    if isinstance(value, dict) and "__kwarg__" in value:
        named = (item for item in value.items() if item[0] != "__kwarg__")
        return " ".join(f"{name}={_word(one)}" for name, one in named)
    return _word(value)


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=2, default=repr, ensure_ascii=False)


def _escaped(value: Any) -> str:
    """Return a value as HTML text; characters not allowed in HTML become �."""
    text = "".join(
        character if character in "\t\n" or (character >= " " and not "\x7f" <= character <= "\x9f") else "�"
        for character in str(value)
    )
    return html.escape(text.encode("utf-8", "replace").decode("utf-8"))
