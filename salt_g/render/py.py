"""The `py` renderer: a Python module whose `run()` returns the data.

The file is loaded from disk, so the output of earlier renderers is ignored.
Errors: RenderError with the traceback of `run()`. In an SLS, errors of the module's own lines propagate,
as in stock.
"""

from __future__ import annotations

import traceback
from types import ModuleType
from typing import Any

from salt_g import api
from salt_g.errors import RenderError
from salt_g.render.request import RenderRequest
from salt_g.render.template_functions import TemplateFunctions
from salt_g.shapes import TemplateVariables


def render(text: Any, request: RenderRequest) -> Any:
    """Return the result of `run()` in the file at `request.path`."""
    try:
        # Read as bytes, because the file may declare its encoding like any Python file.
        with open(request.path, "rb") as file:
            source = file.read()
    except OSError as exc:
        raise RenderError(f"Template {request.path} is not a file!", path=request.path) from exc
    return _run(_loaded(source, request), request)


def render_template(text: str, request: RenderRequest) -> str:
    """Return the text from `run()` of a managed file's template, which also sees `context`."""
    try:
        module = _loaded(text, request)
    except Exception as exc:  # the file is a user's plugin
        raise RenderError(traceback.format_exc(), path=request.path) from exc
    return str(_run(module, request, context=dict(request.variables)))


def _loaded(source: str | bytes, request: RenderRequest) -> ModuleType:
    path = request.path or ":string:"
    module = ModuleType(path.rpartition("/")[2].partition(".")[0])
    module.__file__ = path
    exec(compile(source, path, "exec"), vars(module))  # noqa: S102 - the renderer's purpose
    return module


def _run(module: ModuleType, request: RenderRequest, **names: Any) -> Any:
    vars(module).update(_names(request), **names)
    try:
        return module.run()
    except Exception as exc:  # the file is a user's plugin
        raise RenderError(traceback.format_exc(), path=request.path) from exc


def _names(request: RenderRequest) -> TemplateVariables:
    context = api.current()
    functions = TemplateFunctions(context.offered(), context.reads)
    return {
        "__salt__": functions,
        "salt": functions,
        "__grains__": context.grains,
        "grains": context.grains,
        "__opts__": request.opts,
        "opts": request.opts,
        "__pillar__": context.pillar,
        "pillar": context.pillar,
        "__env__": request.saltenv,
        "saltenv": request.saltenv,
        "__sls__": request.sls,
        "sls": request.sls,
        **request.variables,
    }
