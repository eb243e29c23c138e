"""Content of a managed file from the state's own arguments, pillar or grains."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.api import call
from salt_g.states.file.params import ManagedParams

_MISSING = object()


class ContentRefused(Exception):
    """Unusable arguments; the text is the comment of the state."""


def wanted_contents(args: ManagedParams, saltenv: str) -> Any:
    """Return the wanted text (or bytes) of the file, or None if no contents are given.

    Raises ContentRefused, and RenderError for a broken template.
    """
    given = _given(args)
    if given is None:
        return None
    if not given and not args.allow_empty:
        raise ContentRefused(
            f"{_described(args)} value would result in empty contents. Set allow_empty to True to allow the "
            "managed file to be empty."
        )
    try:
        contents: Any = _as_text(given, args)
    except UnicodeDecodeError:
        if args.template:
            raise ContentRefused(
                "Contents specified by contents/contents_pillar/contents_grains appears to be binary data, "
                "and as will not be able to be treated as a Jinja template."
            ) from None
        contents = given
    return _rendered(contents, args, saltenv) if args.template else contents


def text_list(value: Any, encoding: str | None = None) -> list[str]:
    """Return a text, a list or any other value as a list of texts."""
    if isinstance(value, bytes):
        return [value.decode(encoding or "utf-8")]
    if isinstance(value, str):
        return [value]
    if isinstance(value, Iterable) and not isinstance(value, Mapping):
        return [str(item) for item in value]
    return [str(value)]


def _given(args: ManagedParams) -> Any:
    present = [
        value for value in (args.contents, args.contents_pillar, args.contents_grains) if value is not None
    ]
    if len(present) > 1:
        raise ContentRefused("Only one of 'contents', 'contents_pillar', and 'contents_grains' is permitted")
    if args.contents_pillar is not None:
        return _looked_up("pillar.get", "Pillar", args.contents_pillar, args.contents_delimiter, unmask=True)
    if args.contents_grains is not None:
        return _looked_up("grains.get", "Grain", args.contents_grains, args.contents_delimiter)
    return args.contents


def _looked_up(function: str, kind: str, keys: Any, delimiter: str, **options: Any) -> Any:
    found = []
    for key in keys if isinstance(keys, list) else [keys]:
        value = call(function, key, _MISSING, delimiter=delimiter, **options)
        if value is _MISSING:
            raise ContentRefused(f"{kind} {key} does not exist")
        found.append(value)
    return os.linesep.join(found) if isinstance(keys, list) else found[0]


def _as_text(given: Any, args: ManagedParams) -> str:
    parts = text_list(given, args.encoding)
    if not parts:
        raise ContentRefused(
            "Contents specified by contents/contents_pillar/contents_grains is not a string or list of "
            "strings, and is not binary data. SLS is likely malformed."
        )
    text = "".join(line.rstrip("\r\n") + os.linesep for part in parts for line in part.splitlines())
    return text if args.contents_newline else text.rstrip("\n").rstrip("\r")


def _rendered(contents: str, args: ManagedParams, saltenv: str) -> str:
    answer = call(
        "file.apply_template_on_contents", contents, template=args.template, context=args.context,
        defaults=args.defaults, saltenv=saltenv,
    )  # fmt: skip
    if not isinstance(answer, str):
        raise ContentRefused(answer.get("comment", "Error while applying template on contents"))
    return answer


def _described(args: ManagedParams) -> str:
    if args.contents_pillar:
        return f"contents_pillar {args.contents_pillar}"
    if args.contents_grains:
        return f"contents_grains {args.contents_grains}"
    return "'contents'"
