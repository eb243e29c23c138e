"""Outputter: YAML. The file is not named `yaml.py`, which would look like the package of that name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.formats import yaml_dump


def output(data: Any, opts: Mapping[str, Any], *, retcode: int = 0) -> str:
    """Return `data` as YAML in block style; a negative `output_indent` selects flow style."""
    indent = opts.get("output_indent")
    if not isinstance(indent, int):
        return yaml_dump.dump(data, sort_ordered=True, default_flow_style=False)
    return yaml_dump.dump(data, sort_ordered=True, default_flow_style=indent < 0, indent=max(indent, 0))
