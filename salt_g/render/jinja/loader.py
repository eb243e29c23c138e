"""Loader of templates by name, for `import`, `from`, `include` and `extends`: files of the saltenv.

A name is relative to the file roots; one that begins with `./` or `../` is relative to the importing file's
directory (`tpldir`) and may not leave the roots.
"""

from __future__ import annotations

import logging
import os
import posixpath
from collections.abc import Callable, MutableMapping
from types import CodeType
from typing import TYPE_CHECKING, Any

from jinja2 import BaseLoader, Template, TemplateNotFound

from salt_g import api

if TYPE_CHECKING:
    from salt_g.services.protocols import FileAccess


log = logging.getLogger(__name__)


class SaltLoader(BaseLoader):
    """Loader of templates through the file client; `load_code` returns the compiled code of a text."""

    def __init__(
        self, files: FileAccess, saltenv: str, path: str, *, load_code: Callable[..., CodeType]
    ) -> None:
        self._files = files
        self._saltenv = saltenv
        #: Directory in which templates are looked up without a saltenv: that of the rendered file.
        self._directory = os.path.dirname(path)
        self._load_code = load_code

    def load(self, environment: Any, name: str, globals: MutableMapping[str, Any] | None = None) -> Template:
        """Return the template of this name; raise TemplateNotFound if there is none."""
        is_relative = name.split("/", 1)[0] in (".", "..")
        wanted = _absolute(name, environment.globals.get("tpldir")) if is_relative else name
        path = self._find(wanted)
        _set_import_variables(environment.globals, wanted, name if is_relative else None)
        if not path:
            raise TemplateNotFound(name)
        code = self._load_code(environment.options, _read(path, name), name, path)
        # No template passes globals of its own; `make_globals` would add layers that take long to read.
        template: Template = environment.template_class.from_code(
            environment, code, environment.globals, lambda: True
        )
        return template

    def _find(self, wanted: str) -> str:
        if not self._saltenv:
            path = os.path.join(self._directory, wanted)
            return path if os.path.isfile(path) else ""
        if os.path.isabs(wanted):
            return wanted if os.path.isfile(wanted) else ""
        return self._files.cache_file(f"salt://{wanted}", self._saltenv)


def _absolute(name: str, tpldir: str | None) -> str:
    """Return the path from the file roots for a relative name; raise TemplateNotFound if it leaves them."""
    if tpldir is None:
        log.warning('Relative path "%s" cannot be resolved without an environment', name)
        raise TemplateNotFound(name)
    path = posixpath.normpath(f"{tpldir}/{name}")
    if path.split("/", 1)[0] == "..":
        log.warning('Discarded template path "%s": attempts to ascend outside of salt://', name)
        raise TemplateNotFound(name)
    return path


def _set_import_variables(
    variables: MutableMapping[str, Any], wanted: str, relative_name: str | None
) -> None:
    """Set the path variables of the imported file (and later ones); a relative import keeps the directory."""
    tpldir = posixpath.dirname(wanted)
    if relative_name is not None:
        tpldir = variables.get("tpldir", tpldir)
    variables["tplfile"] = relative_name or wanted
    variables["tpldir"] = tpldir or "."
    variables["tpldot"] = tpldir.replace("/", ".")


def _read(path: str, name: str) -> str:
    try:
        with open(path, "rb", buffering=0) as file:
            content = file.readall()
    except OSError as exc:
        raise TemplateNotFound(name) from exc
    if api.is_running() and (reads := api.current().reads) is not None:
        reads.content(path, content)
    return content.decode("utf-8")
