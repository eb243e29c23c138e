"""Options of the Jinja environment: `jinja_env`, `jinja_sls_env` and a file's own `#jinja2:` line.

Shapes: options are a sorted tuple of (name, value), usable as a cache key.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.shapes import Opts

log = logging.getLogger(__name__)

Options = tuple[tuple[str, Any], ...]

_HEADER = "#jinja2:"
#: Names of Jinja's options that are allowed.
_KNOWN = frozenset(
    f"{part}_{end}_string" for part in ("block", "variable", "comment") for end in ("start", "end")
) | {
    "line_statement_prefix",
    "line_comment_prefix",
    "trim_blocks",
    "lstrip_blocks",
    "newline_sequence",
    "keep_trailing_newline",
}
#: Deprecated settings and the options that replace them.
_DEPRECATED = {"jinja_trim_blocks": "trim_blocks", "jinja_lstrip_blocks": "lstrip_blocks"}


def template_options(text: str, opts: Opts, *, is_sls: bool) -> tuple[str, Options]:
    """Return the text without its `#jinja2:` line, and the options for it.

    One option, `allow_undefined`, is Salt's own.
    """
    name = "jinja_sls_env" if is_sls else "jinja_env"
    options = dict(_recognised(_mapping(opts.get(name)).items(), name))
    options.update({option: True for setting, option in _DEPRECATED.items() if opts.get(setting)})
    if _HEADER in text:
        text, own = _take_header(text)
        options.update(_recognised(own.items(), "jinja_fileopts"))
    if opts.get("allow_undefined"):
        options["allow_undefined"] = True
    return text, tuple(sorted(options.items()))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _recognised(items: Iterable[tuple[str, Any]], source: str) -> Iterable[tuple[str, Any]]:
    for key, value in items:
        if key.lower() in _KNOWN:
            yield key.lower(), value
        else:
            log.warning("Jinja2 environment %s is not recognized (%s)", key, source)


def _take_header(text: str) -> tuple[str, Mapping[str, Any]]:
    """Return the text without its header line, and the header's options ({} if there is no valid header)."""
    lines = text.splitlines(keepends=True)
    at = 1 if lines[0].startswith("#!") and not lines[0].startswith("#!/") else 0
    if at >= len(lines) or not lines[at].startswith(_HEADER):
        return text, {}
    said = lines[at][len(_HEADER) :].strip()
    options = _read_header(said) if said else None
    if options is None:
        return text, {}
    return "".join(lines[:at] + lines[at + 1 :]), options


def _read_header(said: str) -> Mapping[str, Any] | None:
    try:
        options = json.loads(said)
    except ValueError:
        options = None
    if not isinstance(options, dict):
        log.warning("Ignoring '#jinja2:' header that is not a JSON object: %s", said)
        return None
    return options
