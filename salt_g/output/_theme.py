"""Settings for the format and colours of state results, read once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.formats import ansi


class Theme(NamedTuple):
    """Settings of one output, and values derived from them."""

    opts: Mapping[str, Any]
    colors: Mapping[str, str]
    strips: bool
    form: str
    tabular: bool | str
    shows_times: bool
    shows_percent: bool
    shows_unchanged: bool
    compresses: bool
    terse_results: tuple[str, ...]
    hidden_results: tuple[str, ...]

    @property
    def end(self) -> str:
        """Escape sequence that ends a colour."""
        return self.colors[ansi.END]

    def color(self, name: str) -> str:
        """Return the escape sequence that begins a colour."""
        return self.colors[name]

    def painted(self, color: str, text: str) -> str:
        """Return text in a colour."""
        return f"{self.colors[color]}{text}{self.end}"

    def clean(self, text: str) -> str:
        """Return text without escape sequences, unless the settings enable them."""
        return ansi.without_escapes(text) if self.strips else text

    def form_of(self, result: bool | None, is_changed: bool) -> str:
        """Return the format of a state: `full`, `terse` or `hidden`."""
        if self.form.startswith("filter"):
            return self._filtered(str(result))
        is_terse = (
            self.form.startswith("terse")
            or (self.form.startswith("mixed") and result is not False)
            or (self.form.startswith("changes") and result and not is_changed)
        )
        return "terse" if is_terse else "full"

    def _filtered(self, result: str) -> str:
        if result in self.terse_results:
            return "terse"
        return "hidden" if result in self.hidden_results else "full"


def theme_of(opts: Mapping[str, Any]) -> Theme:
    """Return the theme from the settings; `exclude=` and `terse=` of the command line take precedence."""
    words = _keyword_arguments(opts.get("arg") or [])
    only_changed = opts.get("state_output_diff", False)
    return Theme(
        opts=opts,
        colors=ansi.palette(opts.get("color"), opts.get("color_theme")),
        strips=opts.get("strip_colors", True),
        form=str(opts.get("state_output", "full")).lower(),
        tabular=opts.get("state_tabular", False),
        shows_times=bool(opts.get("state_output_profile")),
        shows_percent=bool(opts.get("state_output_pct", False)),
        shows_unchanged=bool(opts.get("state_verbose", False)) and not only_changed,
        compresses=bool(opts.get("state_compress_ids", False)),
        terse_results=_names(words.get("terse", opts.get("state_output_terse", []))),
        hidden_results=_names(words.get("exclude", opts.get("state_output_exclude", []))),
    )


def _keyword_arguments(args: list[Any]) -> dict[str, Any]:
    marked = [arg for arg in args if isinstance(arg, dict) and "__kwarg__" in arg]
    return marked[-1] if marked else {}


def _names(results: Any) -> tuple[str, ...]:
    return tuple(results.split(",") if isinstance(results, str) else map(str, results or ()))
