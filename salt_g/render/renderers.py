"""Look-up of renderers by name.

Built-in renderers are imported on first use (Jinja takes 45 ms); user renderers come from the loader and have
stock's signature.
"""

from __future__ import annotations

import importlib
import io
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from salt_g import api
from salt_g.errors import NoCallContext
from salt_g.render.request import RenderRequest
from salt_g.shapes import TemplateVariables

#: Function from text (or data of the previous step) to text or data.
Renderer = Callable[[Any, RenderRequest], Any]

#: Package of the built-in renderers; each module has a function `render`.
_OURS = {
    "jinja": "salt_g.render.jinja.renderer",
    "yaml": "salt_g.render.yaml",
    "json": "salt_g.render.json",
    "py": "salt_g.render.py",
    "pyobjects": "salt_g.render.pyobjects",
    "toml": "salt_g.render.toml",
    "gpg": "salt_g.render.gpg",
    "yamlex": "salt_g.render.yamlex",
    "stateconf": "salt_g.render.stateconf",
    "msgpack": "salt_g.render.msgpack",
    "mako": "salt_g.render.mako",
    "nacl": "salt_g.render.nacl",
}


def names() -> list[str]:
    """Return the sorted names of the built-in renderers."""
    return sorted(_OURS)


def find(name: str) -> Renderer | None:
    """Return the renderer of this name, preferring a user's renderer, or None if missing."""
    return _users_renderer(name) or _our_renderer(name)


def _our_renderer(name: str) -> Renderer | None:
    if name not in _OURS:
        return None
    renderer: Renderer = importlib.import_module(_OURS[name]).render
    return renderer


def _users_renderer(name: str) -> Renderer | None:
    try:
        function = api.current().table("renderers").get(f"{name}.render")
    except NoCallContext:
        return None
    if function is None:
        return None

    def render(data: Any, request: RenderRequest) -> Any:
        return _call_stock_style(function, data, request)

    return render


def _call_stock_style(function: Callable[..., Any], data: Any, request: RenderRequest) -> Any:
    """Call a renderer as stock does: text as a file, the rest as keywords; the result may be a file."""
    keywords: TemplateVariables = {
        "renderers": importlib.import_module("salt.loader").render(api.opts),
        "tmplpath": request.path or ":string:",
        **request.variables,
    }
    if request.argline:
        keywords["argline"] = request.argline
    source = io.StringIO(data) if isinstance(data, str) else _ordered(data)
    result = function(source, request.saltenv, request.sls, **keywords)
    return result.read() if hasattr(result, "read") else result


def _ordered(data: Any) -> Any:
    """Return the data of the previous renderer with OrderedDict mappings, as in stock."""
    if isinstance(data, dict):
        return OrderedDict((key, _ordered(value)) for key, value in data.items())
    return [_ordered(value) for value in data] if type(data) is list else data
