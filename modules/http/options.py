"""Options of `http.query`, with stock's names and defaults."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Iterable, Mapping
from typing import Any

log = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True)
class Options:
    """The options of one query.

    `data` is a text, or a mapping that is sent as a form; `data_file` and `header_file` are URLs of files,
    rendered if `data_render` and `header_render` are set. `decode_type` is json, xml, yaml, plain, or auto
    for the type declared in the response.
    """

    method: str = "GET"
    params: Mapping[str, Any] | None = None
    data: Any = None
    data_file: str | None = None
    data_render: bool = False
    data_renderer: str | None = None
    header_dict: Mapping[str, Any] | None = None
    header_list: Iterable[str] | None = None
    header_file: str | None = None
    header_render: bool = False
    header_renderer: str | None = None
    template_dict: Mapping[str, Any] | None = None
    username: str | None = None
    password: str | None = None
    agent: str | None = None
    verify_ssl: bool | None = None
    ca_bundle: str | None = None
    cert: Any = None
    raise_error: bool = True
    status: bool = False
    headers: bool = False
    text: bool = False
    decode: bool = False
    decode_type: str = "auto"
    text_out: str | None = None
    headers_out: str | None = None
    decode_out: str | None = None
    test: bool = False
    test_url: str | None = None


def options_of(keywords: Mapping[str, Any]) -> Options:
    """Return the options among these keywords; unknown ones have no effect."""
    known = {field.name for field in dataclasses.fields(Options)}
    for name in sorted(keywords.keys() - known):
        if not name.startswith("__"):
            log.warning("http.query: the option %r has no effect", name)
    return Options(**{name: value for name, value in keywords.items() if name in known})
