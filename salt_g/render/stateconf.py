"""The `stateconf` renderer: SLS with namespaced IDs, implicit order, and start and goal states.

    #!stateconf -o yaml . jinja

IDs (and requisites) that begin with `.` are prefixed with the SLS name: `.a` in `web` is `web::a`. Options:
`-G` no goal state, `-o` every state requires the one before it, `-s` a start state, `-p` the data is already
high data. They are followed by the data renderer, a dot and the template renderer. The part before a line `#
--- end of state config ---` is rendered first; the arguments of its `stateconf.set` states become variables
of the whole text.
"""

from __future__ import annotations

import copy
import getopt
import re
from collections.abc import Mapping
from typing import Any

from salt_g.errors import RenderError
from salt_g.render.pipe import PipeStep
from salt_g.render.renderers import find
from salt_g.render.request import RenderRequest
from salt_g.render.stateconf_rewrite import (
    NOT_IDS,
    add_goal,
    add_start,
    configured,
    require_in_order,
    use_absolute_ids,
    use_absolute_names,
)

_END_OF_CONFIG = re.compile(r"#\s*-+\s*end of state config\s*-+")
_USAGE = (
    "Invalid use of stateconf renderer!\n"
    "Usage: #!stateconf [-GoSp] [<data_renderer> [options] . <template_renderer> [options]]"
)


def render(data: Any, request: RenderRequest) -> Any:
    """Return the high data of an SLS text (or of high data with `-p`); raise RenderError if invalid."""
    try:
        found, words = getopt.getopt(request.argline.split(), "Gosp")
    except getopt.GetoptError as exc:
        raise RenderError(f"{_USAGE}\n{exc}") from exc
    options = {option for option, _ in found}
    if "-p" in options:
        return _rewritten(data, options, request.sls)
    pipe = " ".join(words) or "yaml . jinja"
    variables: Mapping[str, Any] = {}
    end = _END_OF_CONFIG.search(data)
    if end is not None:
        config = _render_through(pipe, data[: end.start()], request, variables)
        high = _rewritten(config, options & {"-s"} | {"-G"}, request.sls)
        variables = configured(high, request.sls) if isinstance(high, dict) else {}
    return _rewritten(_render_through(pipe, data, request, variables), options, request.sls)


def _rewritten(high: Any, options: set[str], sls: str) -> Any:
    """Return a copy of high data with the stateconf options applied.

    A value that is not a mapping is left to the compiler, which reports it.
    """
    if not isinstance(high, dict):
        return high
    data = copy.deepcopy(high)
    for state_id, states in data.items():
        if isinstance(states, str) and state_id not in NOT_IDS:
            data[state_id] = {states: []}
    use_absolute_names(data, sls)
    if "-o" in options:
        require_in_order(data)
    if "-s" in options:
        add_start(data, sls)
    if "-G" not in options:
        add_goal(data)
    use_absolute_ids(data, sls)
    return data


def _render_through(pipe: str, text: str, request: RenderRequest, variables: Mapping[str, Any]) -> Any:
    """Render with the template renderer, then with the data renderer."""
    parts = [part.strip().replace("\\.", ".") for part in re.split(r"\s+(?<!\\)\.\s+", pipe, maxsplit=1)]
    if len(parts) != 2:
        raise RenderError(_USAGE)
    directory = request.sls.replace(".", "/").rpartition("/")[0] if "." in request.sls else request.sls
    context = {"sls_dir": directory or ".", **variables, **request.variables}
    data: Any = text
    for part in reversed(parts):
        name, _, argline = part.partition(" ")
        data = _run(PipeStep(name, argline), data, request._replace(variables=context))
    return data


def _run(step: PipeStep, data: Any, request: RenderRequest) -> Any:
    renderer = find(step.name)
    if renderer is None:
        raise RenderError(f"Renderer: '{step.name}' is not available!")
    return renderer(data, request.with_argline(step.argline))
