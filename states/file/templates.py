"""Text for the editing states, from their arguments or from rendered sources."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from salt_g import safe_files
from salt_g.api import call, services
from salt_g.states.file.checks import saltenv
from salt_g.states.file.contents import ContentRefused


def rendered_sources(
    source: str | None,
    source_hash: Any,
    sources: list[str] | None,
    source_hashes: list[Any] | None,
    *,
    template: str,
    defaults: Mapping[str, Any] | None,
    context: Mapping[str, Any] | None,
) -> list[str]:
    """Return the rendered text of `source`, or of each of `sources`; [] if neither is given.

    Raises ContentRefused for mutually exclusive arguments and for an unavailable source.
    """
    if source and sources:
        raise ContentRefused("source and sources are mutually exclusive")
    if source_hash and source_hashes:
        raise ContentRefused("source_hash and source_hashes are mutually exclusive")
    wanted = [(source, source_hash)] if source else itertools.zip_longest(sources or [], source_hashes or [])
    variables = {**(defaults or {}), **(context or {})}
    return [_rendered(url, template, variables) for url, _ in wanted if url]


def _rendered(url: str, template: str, variables: Mapping[str, Any]) -> str:
    path = services().files.cache_file(url, saltenv())
    if not path:
        raise ContentRefused(f"Failed to load template file {url}")
    with open(path, encoding="utf-8", opener=safe_files.opener) as file:
        text = file.read()
    answer = call(
        "file.apply_template_on_contents", text, template=template, context=variables, defaults=None,
        saltenv=saltenv(),
    )  # fmt: skip
    if not isinstance(answer, str):
        raise ContentRefused(answer["comment"])
    if not answer:
        raise ContentRefused(f"Failed to read rendered template file {path} ({url})")
    return answer
