"""Text of one state of a run: the full block or the terse line.

`highstate.py` decides which states are shown.
Source: stock's `highstate`, also for the order of lines and the widths.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from salt_g.output._theme import Theme
from salt_g.shapes import LowTag, StateReturn

#: Width of wrapped warnings (columns), and indentation of continuation lines of comments.
_WARNING_WIDTH = 80
_COMMENT_INDENT = " " * 14
_RESULT_COLORS = {False: "RED", None: "LIGHT_YELLOW"}


class Chunk(NamedTuple):
    """State that ran; `names` is the number of states merged into it, `changed` how many of them changed."""

    tag: str
    state: StateReturn
    changed: int
    changes_text: str
    names: int = 1

    @property
    def is_changed(self) -> bool:
        """Whether the state changed anything."""
        return self.changed > 0

    @property
    def result(self) -> bool | None:
        """Result of the state: True, False, or None if it would change."""
        result: bool | None = self.state["result"]
        return result

    @property
    def duration(self) -> float | None:
        """Duration in ms; None if unknown."""
        try:
            return float(str(self.state.get("duration", 0)).partition(" ms")[0])
        except ValueError:
            return None

    @property
    def host_color(self) -> str:
        """Colour that this state requires for the host's name, "" if it requires none."""
        return _RESULT_COLORS.get(self.result, "")

    @property
    def color(self) -> str:
        """Colour of this state."""
        return self.host_color or ("CYAN" if self.is_changed else "GREEN")

    def is_hidden(self, theme: Theme) -> bool:
        """Return whether to omit this state."""
        return bool(self.result) and not self.is_changed and not theme.shows_unchanged

    def parts(self, theme: Theme) -> tuple[str, str, str, str]:
        """Return module, id, name and function; the `*_id` formats show the id as name."""
        tag = LowTag.parse(self.tag)
        return tag.state, tag.id, tag.id if theme.form.endswith("_id") else tag.name, tag.fun


def show_full(chunk: Chunk, theme: Theme) -> list[str]:
    """Return the block of a state, with one item for each field."""
    module, state_id, name, function = chunk.parts(theme)
    fields: list[tuple[str, Any]] = [("      ID", state_id), ("Function", f"{module}.{function}")]
    if name != state_id:
        fields.append(("    Name", name))
    fields += [("  Result", chunk.result), (" Comment", _comment(chunk.state))]
    if theme.shows_times and "start_time" in chunk.state:
        duration = chunk.state.get("duration", "")
        fields += [
            (" Started", chunk.state["start_time"]),
            ("Duration", duration if duration == "" else f"{duration} ms"),
        ]
    lines = [theme.painted(chunk.color, "----------")]
    lines += ["    " + theme.painted(chunk.color, f"{label}: {value}") for label, value in fields]
    lines.append(theme.painted(chunk.color, f"     Changes:   {chunk.changes_text}"))
    if "warnings" in chunk.state:
        warnings = _wrapped("\n".join(chunk.state["warnings"]))
        lines.append("   " + theme.painted("LIGHT_RED", f" Warnings: {warnings}"))
    lines += [
        theme.painted(chunk.color, line) for line in (*_evidence(chunk.state), *_explained(chunk.state))
    ]
    return lines


def _evidence(state: StateReturn) -> list[str]:
    """Return the line with a module's evidence about a failure, if there is any."""
    found = state.get("evidence")
    return [_indented("Evidence", found.splitlines())] if isinstance(found, str) and found else []


def _explained(state: StateReturn) -> list[str]:
    """Return the line with the verdict on a state: what decided it, then the state's other requisites."""
    reason = state.get("explanation")
    if not isinstance(reason, dict):
        return []
    because = [str(line) for line in reason.get("because") or ()]
    others = [str(line) for line in reason.get("requisites") or () if line not in because]
    return [_indented(" Verdict", [str(reason.get("verdict")), *because, *others])]


def _indented(label: str, texts: Iterable[str]) -> str:
    return f"    {label}: " + f"\n{_COMMENT_INDENT}".join(texts)


def show_terse(chunk: Chunk, theme: Theme) -> str:
    """Return the terse line of a state."""
    module, _, name, function = chunk.parts(theme)
    form = theme.tabular if isinstance(theme.tabular, str) else _terse_form(chunk, theme)
    # The format fields are stock's, because users write their own formats (`state_tabular`).
    return form.format(
        theme.color(chunk.color), name, module, function, _verdict(chunk), theme.end, chunk.state
    )


def as_text(value: Any) -> str:
    """Return a name or message as text; decode bytes."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _terse_form(chunk: Chunk, theme: Theme) -> str:
    form = ""
    if "warnings" in chunk.state:
        # Braces in a warning are text, not format fields.
        warnings = "\n".join(chunk.state["warnings"]).replace("{", "{{").replace("}", "}}")
        form = theme.painted("LIGHT_RED", f"Warnings:\n{warnings}") + ("\n" if theme.tabular else "")
    shows_times = theme.shows_times and "start_time" in chunk.state
    if theme.tabular:
        times = "{6[start_time]!s} [{6[duration]!s:>7} ms] " if shows_times else ""
        return form + "{0}" + times + "{2:>10}.{3:<10} {4:7}   Name: {1}{5}"
    times = " - Started: {6[start_time]!s} - Duration: {6[duration]!s} ms" if shows_times else ""
    return form + " {0} Name: {1} - Function: {2}.{3} - Result: {4}" + times + "{5}"


def _verdict(chunk: Chunk) -> str:
    if chunk.result is False:
        return "Failed"
    if chunk.result is None:
        return "Differs"
    return "Changed" if chunk.state.get("changes") else "Clean"


def _comment(state: StateReturn) -> str:
    comment = str(state.get("comment", "")).strip().replace("\n", f"\n{_COMMENT_INDENT}")
    data = state.get("data")
    if "data" not in state:
        return comment
    if isinstance(data, list):
        return " ".join([comment, *map(str, data)])
    if isinstance(data, dict):
        return comment + "".join(f"\n\t\t{key}: {value}" for key, value in data.items())
    return f"{comment} {data}"


def _wrapped(text: str) -> str:
    import textwrap

    wrapped = textwrap.fill(
        text, _WARNING_WIDTH, initial_indent=_COMMENT_INDENT, subsequent_indent=_COMMENT_INDENT
    )
    return wrapped.lstrip()
