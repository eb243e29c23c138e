"""The `jinja` renderer: template text to text.

Errors: RenderError with stock's message and the lines around the fault.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Container, Mapping, Sequence
from typing import Any

from salt_g import api
from salt_g.errors import RenderError
from salt_g.render.jinja.options import template_options
from salt_g.render.jinja.variables import sls_variables
from salt_g.render.request import RenderRequest
from salt_g.render.template_functions import TemplateFunctions
from salt_g.shapes import SourceLine, TemplateVariables

#: Tags whose text can be processed before it is printed, or that import such tags from other files.
_MACROS = re.compile(r"\b(macro|import|include|extends|filter)\b")


def render(text: Any, request: RenderRequest) -> str:
    """Return the rendered SLS template; `-s` is the only argument."""
    if request.argline not in ("", "-s"):
        raise RenderError(f"Unknown renderer option: {request.argline}")
    return _render(text, request, sls_names(request))


def render_with_sources(text: str, request: RenderRequest) -> tuple[str, Sequence[SourceLine]]:
    """Return the rendered SLS template and the source line of each output line, () for plain text.

    If other templates, macros or filters are used, the template is rendered again to check that marks in
    their text do not change the output.
    """
    variables = sls_names(request)
    body, options = template_options(text, request.opts, is_sls=True)
    if not options and _is_plain(body):
        return body, ()
    from salt_g.render.jinja.source_lines import HANDED, MarkedOutput, render_marked

    # The `#jinja2:` line was removed from the beginning.
    first_line = 1 + text.count("\n") - body.count("\n")

    def rendered(marked: Container[str]) -> MarkedOutput:
        return render_marked(body, options, request, variables, first_line, marked=marked)

    if not _MACROS.search(body):
        found = rendered(HANDED)
    else:
        found = without = rendered(())
        for marked in (HANDED, ("macro",)):
            # A template that examines its text may fail on the marks.
            with contextlib.suppress(Exception):
                tried = rendered(marked)
                if tried.text() == without.text():
                    found = tried
                    break
    return found.text(), found.lines()


def render_template(text: str, request: RenderRequest) -> str:
    """Return the rendered template of a managed file."""
    return _render(text, request, template_names(request))


def sls_names(request: RenderRequest) -> TemplateVariables:
    """Return the variables of an SLS template."""
    variables = {**_of_the_call(request), "sls": request.sls, "proxy": {}, **request.variables}
    return _with_paths(variables, request)


def template_names(request: RenderRequest) -> TemplateVariables:
    """Return the variables of a managed file's template."""
    variables = {**_of_the_call(request), **request.variables}
    return _with_paths(variables, request) if "sls" in request.variables else variables


def _with_paths(variables: TemplateVariables, request: RenderRequest) -> TemplateVariables:
    """Return the variables with the template's path variables added, unless the caller set these."""
    return {**sls_variables(request.path, str(variables["sls"])), **variables}


def _of_the_call(request: RenderRequest) -> TemplateVariables:
    context = api.current()
    return {
        "salt": TemplateFunctions(context.offered(), context.reads),
        "grains": context.unread("grains"),
        "pillar": context.unread("pillar"),
        "opts": request.opts,
        "saltenv": request.saltenv,
    }


def _render(text: str, request: RenderRequest, variables: Mapping[str, Any]) -> str:
    text, options = template_options(text, request.opts, is_sls=bool(variables.get("sls")))
    if not options and _is_plain(text):
        return text
    # Imported lazily: Jinja takes 40 ms to import, and many SLS files do not need it.
    from salt_g.render.jinja import code_cache
    from salt_g.render.jinja.environment import Environment, compiled
    from salt_g.render.jinja.failures import explain

    newline = "\n" if text.endswith("\n") else ""
    environment = Environment.of_rendering(options, variables, request)
    try:
        directory = code_cache.directory_for(request.opts, request.path)
        template = environment.from_code(compiled(options, text, None, None, directory))
        return template.render(variables) + newline
    except Exception as exc:  # templates call plugins
        raise explain(exc, text, variables, request.path) from exc


def _is_plain(text: str) -> bool:
    """Return whether a text contains no Jinja syntax and renders to itself.

    Jinja would convert CR to LF, hence the last condition.
    """
    return not ("{{" in text or "{%" in text or "{#" in text or "\r" in text)
