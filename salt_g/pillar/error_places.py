"""Places of errors in pillar SLS: file and line as their author knows them.

The line in an error of YAML is one of the rendered text, so its source needs another rendering. A broken file
is rendered for each minion, hence what was found is kept, by file, its time of change and the line.
Shapes: a place is `/srv/pillar/db.sls:14`, for a macro's line `lib.jinja:3, used at /srv/pillar/db.sls:14`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from salt_g.data.bounded_cache import remember
from salt_g.render.error_lines import fault_of

if TYPE_CHECKING:
    from salt_g.services.protocols import Rendering

log = logging.getLogger(__name__)

#: Number of kept places.
MAX_PLACES = 256
_places: dict[tuple[str, int, int], str] = {}


def place_of(
    exc: BaseException, rendering: Rendering, path: str, sls: str, saltenv: str, variables: Mapping[str, Any]
) -> str:
    """Return the place of an error in the SLS at `path`, the path alone if its line is unknown."""
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


def _changed(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0
