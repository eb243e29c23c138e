"""Registry of outputters by name, and rendering through them.

Each outputter is imported on first use, so that printing a line imports one outputter and nothing else.

An outputter is a file with `output(data, opts, *, retcode=0) -> str`. `retcode` is the exit code of the
function whose result is shown. Users' outputters are functions `output(data, **kwargs)`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

#: {outputter: module in this package}
_FILES = {
    "highstate": "highstate",
    "html": "html",
    "json": "json_text",
    "key": "key",
    "nested": "nested",
    "newline_values_only": "newline_values_only",
    "no_out": "quiet",
    "no_return": "no_return",
    "overstatestage": "overstatestage",
    "pprint": "pretty",
    # Commands display progress themselves.
    "progress": "quiet",
    "quiet": "quiet",
    "raw": "raw",
    "table": "table",
    "text": "txt",
    "txt": "txt",
    "yaml": "yaml_text",
}
#: Default outputter.
DEFAULT = "nested"
#: Former outputters; a request for one silently gets the default.
_FORGOTTEN = ("grains",)


def names() -> list[str]:
    """Return the names of the built-in outputters."""
    return list(_FILES)


def outputter_for(asked: str | None, native: str | None = None) -> str:
    """Return the name of the outputter to use.

    `asked` is the user's choice, `native` the outputter of the function. Choosing `highstate` is the same as
    no choice, because state results use it anyway, and it cannot show other data.
    """
    return asked if asked and asked != "highstate" else native or DEFAULT


def render(
    name: str | None,
    data: Any,
    opts: Mapping[str, Any],
    *,
    retcode: int = 0,
    plugins: Mapping[str, Callable[..., str]] | None = None,
) -> str:
    """Return `data` as text, without trailing whitespace.

    `plugins` are users' outputters by name (`mine.output`), used for names that are not built in. For
    an unknown name, log an error and use `nested`.
    """
    name = name or DEFAULT
    if name not in _FILES:
        text = _by_plugin(name, data, retcode, plugins or {})
        if text is not None:
            return text.rstrip()
        name = DEFAULT
    try:
        return _builtin(name)(data, opts, retcode=retcode).rstrip()
    except (AttributeError, LookupError, TypeError, ValueError):
        # The outputter does not support this data.
        return _builtin(DEFAULT)(data, opts, retcode=retcode).rstrip()


def _by_plugin(name: str, data: Any, retcode: int, plugins: Mapping[str, Callable[..., str]]) -> str | None:
    """Return the text of a user's outputter; if it is missing or fails, log that and return None."""
    # Imported lazily: printing a result must not load logging.
    import logging

    log = logging.getLogger(__name__)
    if f"{name}.output" not in plugins:
        if name not in _FORGOTTEN:
            import difflib  # Imported lazily: needed only for an unknown name.

            near = difflib.get_close_matches(name, _FILES, n=1)
            hint = f" (did you mean {near[0]}?)" if near else ""
            log.error("Invalid outputter %s specified, fall back to nested%s", name, hint)
        return None
    try:
        return str(plugins[f"{name}.output"](data, _retcode=retcode))
    except Exception:
        log.exception("outputter %s failed, falling back to nested", name)
        return None


def _builtin(name: str) -> Callable[..., str]:
    output: Callable[..., str] = importlib.import_module(f"salt_g.output.{_FILES[name]}").output
    return output
