"""Find an outputter by name and let it make text.

Why its own file: a command that prints one word should import one outputter and nothing
else, so names are looked up here and the file is imported when it is asked for.

An outputter is a file with `output(data, opts, *, retcode=0) -> str`. `retcode` is that of the
function whose result is shown. Users' outputters are functions `output(data, **kwargs)`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

#: {name: file below this package}
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
    "quiet": "quiet",
    "raw": "raw",
    "table": "table",
    "text": "txt",
    "txt": "txt",
    "yaml": "yaml_text",
}
#: What shows data that nobody gave a form.
DEFAULT = "nested"
#: Was an outputter once; commands that still ask for it get the default without a word.
_FORGOTTEN = ("grains",)


def names() -> list[str]:
    """Return the names of the outputters that are part of salt-g."""
    return list(_FILES)


def outputter_for(asked: str | None, native: str | None = None) -> str:
    """Return the outputter to use.

    `asked` is what the user named, `native` what the function says of its result. Asking for
    `highstate` is the same as not asking: results of states have it anyway, and other
    data would not survive it.
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
    """Return `data` as text, without blanks and newlines at its end.

    `plugins` are users' outputters by name (`mine.output`), asked for names that are not
    ours. An unknown name is logged and shown as `nested`.
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
        # Data that is not of the outputter's kind.
        return _builtin(DEFAULT)(data, opts, retcode=retcode).rstrip()


def _by_plugin(name: str, data: Any, retcode: int, plugins: Mapping[str, Callable[..., str]]) -> str | None:
    """Return the text of a user's outputter, None (and a line in the log) when there is none to be had."""
    # Late: printing must not cost the import of logging.
    import logging

    log = logging.getLogger(__name__)
    if f"{name}.output" not in plugins:
        if name not in _FORGOTTEN:
            log.error("Invalid outputter %s specified, fall back to nested", name)
        return None
    try:
        return str(plugins[f"{name}.output"](data, _retcode=retcode))
    except Exception:
        log.exception("outputter %s failed, fall back to nested", name)
        return None


def _builtin(name: str) -> Callable[..., str]:
    output: Callable[..., str] = importlib.import_module(f"salt_g.output.{_FILES[name]}").output
    return output
