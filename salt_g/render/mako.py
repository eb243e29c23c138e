"""The `mako` renderer: Mako template text to text.

The library comes with the extra `salt-g[mako]`. Templates see the same names as Jinja templates
(`${grains['id']}`); an undefined name is an error. `<%include>`, `<%namespace>` and `<%inherit>` find files
next to the template, and `salt://` paths in its environment.
Errors: RenderError with the kind of error, its line and the lines around it.
"""

from __future__ import annotations

import os
import posixpath
import re
from typing import Any

from salt_g.api import Deferred
from salt_g.errors import RenderError
from salt_g.render.excerpt import located_error
from salt_g.render.jinja.renderer import sls_names, template_names
from salt_g.render.request import RenderRequest
from salt_g.shapes import TemplateVariables

_SCHEME = "salt://"


def render(text: Any, request: RenderRequest) -> str:
    """Return the rendered SLS template."""
    return _render(text, request, sls_names(request))


def render_template(text: str, request: RenderRequest) -> str:
    """Return the rendered template of a managed file."""
    return _render(text, request, template_names(request))


def _render(text: str, request: RenderRequest, names: TemplateVariables) -> str:
    try:
        from mako.exceptions import MakoException, RichTraceback
        from mako.template import Template
    except ImportError as exc:
        raise RenderError(
            "the renderer mako needs the library Mako; pip install 'salt-g[mako]'", path=request.path
        ) from exc
    try:
        template = Template(  # noqa: S702 - SLS and managed files are not HTML
            text,
            strict_undefined=True,
            uri=_uri(request),
            lookup=_lookup(request),
        )
        return str(template.render(**{name: _read(value) for name, value in names.items()}))
    except MakoException as exc:
        raise _located(f"{type(exc).__name__}: {exc}", text, getattr(exc, "lineno", 0), request) from exc
    except Exception as exc:  # templates call plugins
        records = RichTraceback(error=exc).records
        lines = [record[5] for record in records if record[4] is not None and record[5]]
        line = lines[-1] if lines else _line_of(exc, text)
        raise _located(f"{type(exc).__name__}: {exc}", text, line, request) from exc


def _read(value: Any) -> Any:
    """Return the value of a variable; gather it first if it is deferred."""
    return value.get() if isinstance(value, Deferred) else value


def _line_of(exc: Exception, text: str) -> int:
    """Return the first line with an undefined name, which Mako reports without a line; 0 if unknown."""
    name = getattr(exc, "name", None) or next(iter(re.findall(r"'(\w+)' is not defined", str(exc))), "")
    if not isinstance(exc, NameError) or not name:
        return 0
    word = re.compile(rf"\b{re.escape(name)}\b")
    return next((number for number, line in enumerate(text.splitlines(), 1) if word.search(line)), 0)


def _located(message: str, text: str, line: int, request: RenderRequest) -> RenderError:
    """Return the error of a template with the lines around `line` (from 1; 0: unknown)."""
    return located_error(f"Mako error: {message}", line=line, text=text, path=request.path)


def _uri(request: RenderRequest) -> str:
    """Return the template's path below the file roots, to which relative names in it refer."""
    sls = request.sls.replace(".", "/")
    is_directory = request.path.endswith(f"{sls}/init.sls")
    return f"{sls}/init.sls" if is_directory else f"{sls}.sls" if sls else os.path.basename(request.path)


def _lookup(request: RenderRequest) -> Any:
    """Return a lookup of further templates among the files of the environment."""
    from mako.exceptions import TopLevelLookupException
    from mako.lookup import TemplateCollection
    from mako.template import Template

    class Lookup(TemplateCollection):  # type: ignore[misc]  # the library has no types
        def adjust_uri(self, uri: str, filename: str) -> str:
            """Return the path below the file roots for a `uri` used in the template `filename`."""
            if uri.startswith(_SCHEME):
                return uri.removeprefix(_SCHEME)
            joined = posixpath.normpath(posixpath.join(posixpath.dirname(filename), uri.lstrip("/")))
            if joined.startswith(".."):
                raise TopLevelLookupException(f"{uri!r} in {filename!r} is outside of the file roots")
            return joined

        def get_template(self, uri: str, relativeto: str | None = None) -> Any:
            path = request.files.cache_file(f"{_SCHEME}{uri}", request.saltenv)
            if not path:
                raise TopLevelLookupException(f"no file salt://{uri} in the environment {request.saltenv}")
            with open(path, encoding="utf-8") as file:
                text = file.read()
            return Template(text, strict_undefined=True, uri=uri, lookup=self)  # noqa: S702

    return Lookup()
