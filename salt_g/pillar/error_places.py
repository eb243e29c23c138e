"""Locations of errors in pillar SLS: the source file and its line.

The line in a YAML error is one of the rendered text, so finding its source needs another rendering. A broken
file is rendered for each minion, hence the locations are cached by file, modification time and line. An SLS
that does not exist is located where a top file or an include names it.
Shapes: a place is `/srv/pillar/db.sls:14` or, for a macro's line, `lib.jinja:3, used at
/srv/pillar/db.sls:14`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from salt_g.data.bounded_cache import remember
from salt_g.render.error_lines import fault_of

if TYPE_CHECKING:
    from salt_g.services.protocols import Rendering

log = logging.getLogger(__name__)

#: Maximum number of kept places.
MAX_PLACES = 256
_places: dict[tuple[str, int, int], str] = {}


def place_of(
    exc: BaseException, rendering: Rendering, path: str, sls: str, saltenv: str, variables: Mapping[str, Any]
) -> str:
    """Return the place of an error in the SLS at `path`, or only the path if the line is unknown."""
    fault = fault_of(exc, path)
    if not fault.line:
        return path
    if fault.path:
        used_at = f", used at {path}:{fault.used_at}" if fault.used_at else ""
        return f"{fault.path}:{fault.line}{used_at}"
    if not fault.is_rendered:
        return f"{path}:{fault.line}"
    key = (path, _changed(path), fault.line)
    if key not in _places:
        try:
            at = rendering.locate_sls(path, sls=sls, saltenv=saltenv, **variables).source_of(fault.line)
        except Exception as again:  # a template calls plugins, which may fail the second time only
            log.debug("%s: cannot determine the line of an error: %s", path, again)
            return path
        place = f"{at.name}:{at.line}, used at {path}:{at.used_at}" if at.name else f"{path}:{at.line}"
        remember(_places, key, place, MAX_PLACES)
    return _places[key]


def place_of_name(paths: Sequence[str], name: str) -> str:
    """Return the place of a name in the first of these files that contains it, '' if there are none.

    If no file contains the name, a template made it; then the last file is returned without a line.
    """
    from salt_g.formats.indented_blocks import line_with  # Imported lazily: only needed after a failure.

    for path in paths:
        # An include may be written relative to the including file.
        for word in (name, f".{name.rpartition('.')[2]}"):
            if line := line_with(_lines_of(path), word)[0]:
                return f"{path}:{line}"
    return paths[-1] if paths else ""


def _lines_of(path: str) -> list[str]:
    """Return the lines of a file without comments, or [] if it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return [line.partition("#")[0] for line in file.read().splitlines()]
    except OSError:
        return []


def _changed(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0
