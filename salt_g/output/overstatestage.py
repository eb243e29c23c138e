"""Outputter: stages of a run on several minions, each with its name and content."""

from __future__ import annotations

import pprint
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.formats import ansi


def output(data: Any, opts: Mapping[str, Any], *, retcode: int = 0) -> str:
    """Return a list of {stage: {key: value}} as lines, each with a trailing newline."""
    colors = ansi.palette(opts.get("color"), opts.get("color_theme"))
    return "".join(line for stages in data for line in _lines(stages, colors["LIGHT_BLUE"], colors[ansi.END]))


def _lines(stages: Mapping[str, Mapping[str, Any]], color: str, end: str) -> Iterator[str]:
    for name, stage in stages.items():
        yield f"{color}{name}: {end}\n"
        for key in sorted(stage):
            yield f"    {color}{key}: {pprint.pformat(stage[key])}{end}\n"
