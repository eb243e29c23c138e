"""Jinja environment of one rendering, and the cache of compiled templates.

An environment is cheap and holds the variables of one rendering as globals, so that imported templates see
them. Compiling is expensive and does not depend on variables, so code is cached for the life of the process.
"""

from __future__ import annotations

import contextlib
import copy
import functools
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any

import jinja2
import jinja2.runtime
from jinja2.sandbox import SandboxedEnvironment

from salt_g.api import Deferred
from salt_g.render.jinja import code_cache, code_names, plugin_names
from salt_g.render.jinja.bounds import Bounds, check_operator
from salt_g.render.jinja.filters import FILTERS, JINJAS
from salt_g.render.jinja.loader import SaltLoader
from salt_g.render.jinja.options import Options
from salt_g.render.jinja.printing import finalize
from salt_g.render.jinja.tags import DataTags
from salt_g.render.jinja.template_builtins import GLOBALS, TESTS
from salt_g.render.jinja.undefined import TemplateUndefined
from salt_g.render.request import RenderRequest
from salt_g.shapes import Opts

_EXTENSIONS = ("jinja2.ext.do", "jinja2.ext.loopcontrols", DataTags)
#: Maximum number of cached templates.
_CACHE_SIZE = 2000
#: Maximum number of cached environments for compiling, and for copying; each set of options has one of each.
_COMPILERS = 16


class DeferringContext(jinja2.runtime.Context):
    """Variables of a template; deferred ones are computed when the template uses them."""

    def resolve_or_missing(self, key: str) -> Any:
        """Return the value of a variable, Jinja's `missing` if there is none."""
        value = super().resolve_or_missing(key)
        return value.get() if isinstance(value, Deferred) else value


class Environment(SandboxedEnvironment):
    """Sandbox with Salt's tags, filters, tests and globals."""

    context_class = DeferringContext
    intercepted_binops = frozenset(("*", "**"))

    def __init__(self, options: Options) -> None:
        settings = dict(options)
        undefined = jinja2.Undefined if settings.pop("allow_undefined", False) else TemplateUndefined
        # The template cache is a plain dict, because it lives for one rendering and Jinja's own cache has a
        # lock.
        super().__init__(
            extensions=_EXTENSIONS, undefined=undefined, finalize=finalize, cache_size=-1, **settings
        )
        self.options = options
        self.bounds = Bounds()
        # Jinja calls this attribute to join the parts of an output, also in macros and blocks.
        self.concat = self.bounds.join  # type: ignore[method-assign]
        self.filters.update(JINJAS | FILTERS | plugin_names.FILTERS)
        self.tests.update(TESTS | plugin_names.TESTS)
        self.globals.update(GLOBALS | plugin_names.GLOBALS, range=self.bounds.range)

    @classmethod
    def of_rendering(
        cls, options: Options, variables: Mapping[str, Any], request: RenderRequest | None = None
    ) -> Environment:
        """Return an environment with the variables and limits of one rendering.

        The environment is a copy of a prototype, because copying takes a tenth of the time of creating one.
        Jinja's `overlay` would also copy the extensions, which only the parser uses.
        """
        made = copy.copy(_prototype(options))
        made.cache, made.bounds = {}, Bounds()
        made.concat = made.bounds.join  # type: ignore[method-assign]
        # A prototype may be older than the plugin that defines these names.
        made.filters = made.filters | plugin_names.as_noted(plugin_names.FILTERS)
        made.tests = made.tests | plugin_names.as_noted(plugin_names.TESTS)
        made.globals = {
            **made.globals,
            **plugin_names.as_noted(plugin_names.GLOBALS),
            "range": made.bounds.range,
            **variables,
        }
        if request is not None:
            made.loader = SaltLoader(
                request.files, request.saltenv, request.path, load_code=cls._code_of_file(request.opts)
            )
        return made

    @staticmethod
    def _code_of_file(opts: Opts) -> Callable[[Options, str, str, str], CodeType]:
        """Return the function that returns the code of (options, text, name, path), for the loader."""
        return lambda options, text, name, path: compiled(
            options, text, name, path, code_cache.directory_for(opts, path)
        )

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Return the result of an operator; raise OverflowError when it would be too large."""
        if operator == "*" and type(left) is type(right) is int:
            return left * right
        check_operator(operator, left, right)
        return super().call_binop(context, operator, left, right)

    def from_code(self, code: CodeType) -> jinja2.Template:
        """Return the template of compiled code; `make_globals` would add a layer that nothing changes."""
        return self.template_class.from_code(self, code, self.globals)


@functools.lru_cache(maxsize=_CACHE_SIZE)
def compiled(
    options: Options, text: str, name: str | None, filename: str | None, directory: str = ""
) -> CodeType:
    """Return the code of a template's text, cached in `directory` if given; Jinja's errors propagate."""
    about = (options, name, filename)
    code = code_cache.load(directory, text, about) if directory else None
    if code is None:
        code = _compiled_anew(options, text, name, filename)
        if directory:
            code_cache.store(directory, text, about, code)
    return code


def _compiled_anew(options: Options, text: str, name: str | None, filename: str | None) -> CodeType:
    """Compile a text, or adapt the code of an identical text to this template name."""
    if name is not None and code_names.is_replaceable(name, text):
        # Compile a faulty text under its own name, so that the error shows that name.
        with contextlib.suppress(jinja2.TemplateError):
            return code_names.named(_nameless(options, text), name, filename)
    return _current_compiler(options).compile(text, name, filename)


@functools.lru_cache(maxsize=_CACHE_SIZE)
def _nameless(options: Options, text: str) -> CodeType:
    return _current_compiler(options).compile(text, code_names.NAMELESS, code_names.NAMELESS)


def _current_compiler(options: Options) -> Environment:
    """Return the environment for compiling, which refuses filters and tests that it does not know."""
    environment = _compiler(options)
    environment.filters.update(plugin_names.FILTERS)
    environment.tests.update(plugin_names.TESTS)
    return environment


@functools.lru_cache(maxsize=_COMPILERS)
def _prototype(options: Options) -> Environment:
    """Return the environment that is copied for each rendering."""
    return Environment(options)


@functools.lru_cache(maxsize=_COMPILERS)
def _compiler(options: Options) -> Environment:
    """Return an environment for compiling.

    Constant expressions are left for run time: Jinja's optimiser takes a sixth of the compile time, and
    templates contain hardly any.
    """
    environment = Environment(options)
    environment.optimized = False
    return environment
