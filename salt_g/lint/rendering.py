"""Rendering of SLS files without running their code.

Files of renderers that execute Python (`#!py`, `#!pyobjects`, `#!mako`) or decrypt are only parsed, as far as
possible, and count as opaque, which means that their declarations are unknown.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, NamedTuple

from jinja2.exceptions import TemplateNotFound

from salt_g.errors import RenderError
from salt_g.lint.uses import Uses
from salt_g.render.error_lines import Fault, fault_of
from salt_g.render.pipe import parse_pipe, requested_pipe
from salt_g.shapes import RenderedSls

if TYPE_CHECKING:
    from salt_g.services.protocols import Rendering

#: Printed Jinja expression, with its white space control (`-` or `+`).
_PRINTED = re.compile(r"\{\{(?P<before>[-+]?).*?(?P<after>-?)\}\}", re.DOTALL)
#: Renderers whose text is a Python module.
_PYTHON = frozenset(("py", "pydsl", "pyobjects"))
#: Renderers that are run here; users' renderers are code of the tree and are not run.
_HARMLESS = frozenset(("jinja", "yaml", "yamlex", "json", "json5", "hjson", "toml", "msgpack", "stateconf"))


class RenderFailure(NamedTuple):
    """Error of a rendering: its text, and where the file failed.

    `is_missing`: an imported template does not exist. `opened` is the line of the rendered text with a quote
    or bracket that seems not to be closed.
    """

    text: str
    fault: Fault
    is_missing: bool = False
    opened: int = 0


class _Rendered(NamedTuple):
    """Result of rendering a file: data or error, reasons for unknown values, names that were read."""

    data: Any
    error: Exception | None
    unknown: list[str]
    used: set[str]


class LintRendering:
    """Rendering service of one compile; implements `services.protocols.Rendering`.

    `opaque` are the SLS whose declarations are unknown; `failures` the errors by SLS.
    """

    def __init__(
        self,
        inner: Rendering,
        default: str,
        unknown: list[str],
        users: Iterable[str] = (),
        uses: Uses | None = None,
    ) -> None:
        """Prepare to render with `inner` all templates that run no code; `users` names users' renderers.

        `unknown` collects why values were unknown, and `uses` what was read, even if a cached rendering is
        used.
        """
        self.opaque: set[str] = set()
        self.failures: dict[str, RenderFailure] = {}
        self._inner = inner
        self._default = default
        self._unknown = unknown
        self._uses = uses or Uses()
        self._known = {*inner.names(), *_PYTHON, *users}
        self._rendered: dict[tuple[str, str, str], _Rendered] = {}

    def render_sls(
        self, path: str, /, *, sls: str, saltenv: str, tmplpath: str = "", pipe: str = "", **variables: Any
    ) -> Any:
        """Render the SLS file at `path` to data unless a rendering is cached; return {} for an opaque SLS."""
        key = (path, sls, saltenv)
        kept = self._rendered.get(key)
        if kept is None:
            before, data, error = len(self._unknown), None, None
            with self._uses.collecting() as used:
                self._uses.note(path)
                try:
                    data = self._render(
                        path, sls=sls, saltenv=saltenv, tmplpath=tmplpath, pipe=pipe, **variables
                    )
                except Exception as exc:  # A plugin can raise anything; `kept.error` is raised below.
                    self.failures[sls] = _failure(exc, path)
                    error = exc
            kept = self._rendered[key] = _Rendered(data, error, self._unknown[before:], used)
        else:
            self._unknown.extend(kept.unknown)
            self._uses.note(*kept.used)
        if kept.error is not None:
            raise kept.error
        return copy.deepcopy(kept.data)

    def rendered(self) -> Iterator[tuple[str, Any]]:
        """Yield path and data of each file that was rendered without an error."""
        for (path, _, _), kept in self._rendered.items():
            if kept.error is None:
                yield path, kept.data

    def source_of(self, sls: str) -> tuple[str, str]:
        """Return the path and environment of a rendered SLS, or ('', '') if it was not rendered."""
        return next(((path, saltenv) for path, name, saltenv in self._rendered if name == sls), ("", ""))

    def is_sound_with_plain_values(self, sls: str) -> bool:
        """Return whether a failed SLS can be rendered with a plain word in place of each printed value."""
        path, saltenv = self.source_of(sls)
        try:
            with open(path, encoding="utf-8") as file:
                data: Any = _with_plain_values(file.read())
            for step in self._steps(path, ""):
                data = self.render_step(step, data, saltenv=saltenv, sls=sls, tmplpath=path)
        except Exception:  # A plugin can raise anything.
            return False
        return True

    def forget(self, changed: AbstractSet[str]) -> None:
        """Discard the renderings that used any of these names (`uses.py`)."""
        for path, sls, saltenv in [key for key, kept in self._rendered.items() if kept.used & changed]:
            del self._rendered[path, sls, saltenv]
            self.opaque.discard(sls)
            self.failures.pop(sls, None)

    def _render(self, path: str, *, sls: str, pipe: str, **options: Any) -> Any:
        steps = self._steps(path, pipe)
        if all(step in _HARMLESS for step in steps):
            return self._inner.render_sls(path, sls=sls, pipe=pipe, **options)
        if unknown := [step for step in steps if step not in self._known]:
            raise RenderError(f"there is no renderer {unknown[0]}", path=path, line=1)
        self.opaque.add(sls)
        if steps[0] in _PYTHON:
            _check_python(path)
        return {}

    def locate_sls(self, path: str, *, sls: str, saltenv: str, **variables: Any) -> RenderedSls:
        """Render the SLS file at `path` again, for line numbers."""
        return self._inner.locate_sls(path, sls=sls, saltenv=saltenv, **variables)

    def render_text(self, text: str, /, **options: Any) -> Any:
        """Render a text from the tree, for functions such as `jinja.load_map`."""
        return self._inner.render_text(text, **options)

    def render_template(self, text: str, *, engine: str, **options: Any) -> str:
        """Render a Jinja template; raise RenderError for another engine."""
        if engine != "jinja":
            raise RenderError(f"templates of {engine} are not rendered by lint")
        return self._inner.render_template(text, engine=engine, **options)

    def render_step(self, name: str, data: Any, /, **options: Any) -> Any:
        """Run one renderer on data; raise RenderError for a renderer that runs code."""
        if name not in _HARMLESS:
            raise RenderError(f"the renderer {name} is not run by lint")
        return self._inner.render_step(name, data, **options)

    def names(self) -> list[str]:
        """Return the sorted names of the built-in renderers."""
        return self._inner.names()

    def _steps(self, path: str, pipe: str) -> list[str]:
        with open(path, encoding="utf-8", errors="replace") as file:
            first_line = file.readline()
        return [step.name for step in parse_pipe(requested_pipe(first_line, pipe or self._default))]


def _with_plain_values(text: str) -> str:
    """Return a template that prints a word in place of each value.

    An expression that is alone in its lines may print a whole structure, and is left unchanged.
    """

    def plain(printed: re.Match[str]) -> str:
        before = text[text.rfind("\n", 0, printed.start()) + 1 : printed.start()]
        after = text[printed.end() :].partition("\n")[0]
        is_alone = not before.strip() and not after.strip()
        return printed[0] if is_alone else f"{{{{{printed['before']} 'x' {printed['after']}}}}}"

    return _PRINTED.sub(plain, text)


def _failure(error: Exception, path: str) -> RenderFailure:
    cause = error.__cause__
    is_missing, opened = isinstance(cause, TemplateNotFound), getattr(cause, "opened", 0)
    return RenderFailure(str(error), fault_of(error, path), is_missing, opened)


def _check_python(path: str) -> None:
    """Raise RenderError with the line if a file is not valid Python."""
    with open(path, "rb") as file:
        text = file.read()
    try:
        ast.parse(text)
    except SyntaxError as exc:
        raise RenderError(f"Python: {exc.msg}", path=path, line=exc.lineno or 0) from exc
    except ValueError as exc:
        raise RenderError(f"Python: {exc}", path=path) from exc
