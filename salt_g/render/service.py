"""Rendering of SLS files, texts and managed files' templates, for plugins and the state engine.

Combines the inputs of a rendering (settings, files, the running call), for pipes and single template engines
alike.
"""

from __future__ import annotations

import importlib
import logging
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from salt_g import api
from salt_g.errors import RenderError
from salt_g.formats.ordered import Ordered
from salt_g.render import renderers
from salt_g.render.pipe import PipeStep, parse_pipe, requested_pipe, run_pipe
from salt_g.render.request import RenderRequest
from salt_g.shapes import Opts, RenderedSls

if TYPE_CHECKING:
    from salt_g.services.protocols import FileAccess
    from salt_g.services.read_notes import ReadNotes

log = logging.getLogger(__name__)
_T = TypeVar("_T")

#: Renderers whose results share no objects with the mappings that templates read.
_TEXT_ONLY = frozenset(("jinja", "mako", "yaml", "yamlex", "json", "toml", "gpg", "nacl", "msgpack"))
#: Renderers whose result depends only on their text and on what templates read.
_DETERMINED = frozenset(("jinja", "yaml", "json"))
_NAME = operator.attrgetter("name")
#: Types of variables that affect a template only through their text.
_PLAIN = frozenset((str, int, float, bool, type(None), list, tuple, dict, Ordered))
#: Maximum number of remembered keys of SLS (`_key`), and the keys by a 64-bit hash of everything that decides
#: them.
_REMEMBERED = 20_000
_keys: dict[int, str | None] = {}
#: Package of the engines for managed files; each module has a function `render_template`.
_ENGINES = {
    "jinja": "salt_g.render.jinja.renderer",
    "mako": "salt_g.render.mako",
    "py": "salt_g.render.py",
}


class RenderService:
    """Rendering with grains, pillar and functions of the running call.

    It implements `services.protocols.Rendering`.
    """

    def __init__(self, opts: Opts, files: FileAccess) -> None:
        self._opts = opts
        self._files = files
        self._default = str(opts.get("renderer") or "jinja|yaml")

    def render_sls(
        self, path: str, /, *, sls: str, saltenv: str, tmplpath: str = "", pipe: str = "", **variables: Any
    ) -> Any:
        """Return the data of the SLS file at `path`, {} for an empty file; errors of renderers propagate.

        `pipe` replaces the setting `renderer` for a file without a `#!` line; `tmplpath` replaces `path` in
        the path variables; `variables` are added to those of templates.
        """
        text = _read(path, api.current().reads)
        if not text.strip():
            return {}
        request = self._request(saltenv, sls, tmplpath or path, variables)
        first_line, default = text.partition("\n")[0], pipe or self._default
        data = self._run(text, first_line, default, request)
        log.debug("rendered %s (%s) with %s: %s", sls, saltenv, requested_pipe(first_line, default), path)
        return data

    def render_text(
        self, text: str, /, *, pipe: str = "", saltenv: str = "base", sls: str = "", **variables: Any
    ) -> Any:
        """Render `text` through `pipe`, unless its first line names another pipe."""
        words = text.split(maxsplit=1)
        if not words:
            return {}
        request = self._request(saltenv, sls, "", variables)
        return self._run(text, words[0], pipe or self._default, request)

    def render_template(
        self,
        text: str,
        *,
        engine: str,
        saltenv: str = "base",
        context: Mapping[str, Any] | None = None,
        path: str = "",
        **variables: Any,
    ) -> str:
        """Return a managed file's text with these variables; raise RenderError if that fails.

        `path` is the template's file, which the `py` engine loads.
        """
        if engine not in _ENGINES:
            raise RenderError(f"Specified template format {engine} is not supported")
        request = self._request(saltenv, "", path, {**variables, **(context or {})})
        sls = str(api.current().low.get("__sls__") or "")
        render = partial(importlib.import_module(_ENGINES[engine]).render_template, text, request)
        is_recorded = engine == "jinja" and api.current().reads is not None
        rendered: str = _rendered(sls, _key(text, request) if is_recorded else None, render)
        log.debug("rendered a template (%s) with %s: %s", saltenv, engine, path or "text")
        return rendered

    def locate_sls(self, path: str, *, sls: str, saltenv: str, **variables: Any) -> RenderedSls:
        """Return the data of an SLS file, the input of the last renderer and the lines of its IDs.

        This renders again, for the location in an error message only.
        """
        from salt_g.render.located import render_located

        text = _read(path)
        request = self._request(saltenv, sls, path, variables)
        steps = self._steps(text.partition("\n")[0], self._default)
        return _rendered("", None, partial(render_located, text, steps, request))

    def render_step(
        self,
        name: str,
        data: Any,
        /,
        *,
        saltenv: str = "base",
        sls: str = "",
        tmplpath: str = "",
        **variables: Any,
    ) -> Any:
        """Run one renderer on text or data; its arguments are `argline` in `variables`.

        Errors: LookupError for a renderer that does not exist, and those of the renderer.
        """
        renderer = renderers.find(name)
        if renderer is None:
            raise LookupError(f"the renderer {name!r} does not exist")
        argline = str(variables.pop("argline", ""))
        request = self._request(saltenv, sls, tmplpath, variables).with_argline(argline)
        return _rendered(sls, None, partial(renderer, data, request))

    def names(self) -> list[str]:
        """Return the sorted names of the built-in renderers."""
        return renderers.names()

    def _run(self, text: str, first_line: str, default: str, request: RenderRequest) -> Any:
        steps = self._steps(first_line, default)
        render = partial(run_pipe, steps, text, request)
        reads = api.current().reads
        key = None if reads is None else _known_key(text, default, steps, request)
        return _rendered(request.sls, key, render, steps)

    def _steps(self, first_line: str, default: str) -> Any:
        return parse_pipe(
            requested_pipe(first_line, default),
            blacklist=self._opts.get("renderer_blacklist") or (),
            whitelist=self._opts.get("renderer_whitelist") or (),
        )

    def _request(self, saltenv: str, sls: str, path: str, variables: Mapping[str, Any]) -> RenderRequest:
        # Take the settings of the running call, because they include its test mode and environments.
        return RenderRequest(
            api.current().opts, self._files, saltenv=saltenv, sls=sls, path=path, variables=variables
        )


def _rendered(sls: str, key: str | None, render: Callable[[], _T], steps: Sequence[PipeStep] = ()) -> _T:
    """Return the result of a rendering by `render` in the call context seen by templates.

    What the templates read is recorded for `sls`. Together with grains and pillar, `key` determines what they
    read; it is None if that is uncertain.
    """
    context = api.current()
    reads = context.reads
    if reads is None:
        with api.use(context.replace(in_template=True)):
            return render()
    grains, pillar = context.held()
    if key is not None:
        key = f"{sls or reads.owner} {key}"
        known = reads.known(key, grains, pillar)
        if known is not None:
            with api.use(context.replace(in_template=True, reads=known)):
                result = render()
            if reads.is_as_known():
                return result
    with reads.rendering(sls, key, grains, pillar), api.use(context.observed(in_template=True)):
        observed: _T = _unobserved(render(), steps)
    return observed


def _known_key(text: str, default: str, steps: Sequence[PipeStep], request: RenderRequest) -> str | None:
    """Return the key of an SLS (`_key`), cached because a look-up takes a sixth of the time.

    `default` is the pipe of a text that names none.
    """
    if request.variables:
        return _key(text, request, steps)
    origin = hash((default, request.sls, request.path, request.saltenv, text))
    if origin not in _keys:
        if len(_keys) >= _REMEMBERED:
            _keys.clear()
        _keys[origin] = _key(text, request, steps)
    return _keys[origin]


def _key(text: str, request: RenderRequest, steps: Sequence[PipeStep] = ()) -> str | None:
    """Return a digest of everything, except grains and pillar, that determines what a template reads.

    Return None if that is uncertain, as with renderers outside `_DETERMINED`.
    """
    if not _DETERMINED.issuperset(map(_NAME, steps)):
        return None
    if not _PLAIN.issuperset(map(type, request.variables.values())):
        return None
    from salt_g.report.recording.run_data import digest_of  # Imported lazily: only for recorded runs.

    return digest_of(f"{request.sls}\0{request.path}\0{request.saltenv}\0{request.variables!r}\0{text}")


def _unobserved(data: Any, steps: Sequence[PipeStep]) -> Any:
    """Return data without mappings that record reads, which renderers of text never return."""
    if all(step.name in _TEXT_ONLY for step in steps):
        return data
    from salt_g.report.recording.read_paths import plain  # Imported lazily: only for recorded runs.

    return plain(data)


def _read(path: str, reads: ReadNotes | None = None) -> str:
    """Return the text of an SLS file, or '' if it does not exist; line ends become LF, as in stock."""
    try:
        with open(path, "rb", buffering=0) as file:
            content = file.readall()
    except (FileNotFoundError, IsADirectoryError):
        log.error("Template does not exist: %s", path)
        return ""
    if reads is not None:
        reads.content(path, content)
    text = content.decode("utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
