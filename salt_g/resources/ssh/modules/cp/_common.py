"""Environment, names and paths in the arguments of `cp` functions."""

from __future__ import annotations

from typing import Any

from salt_g.api import current, opts, services
from salt_g.errors import CommandExecutionError, RenderError
from salt_g.formats.salturl import is_salt_url, parse


def chosen(saltenv: str | None, url: str = "") -> str:
    """Return the environment of a call: from the URL, the argument, or the settings."""
    named = parse(url).saltenv if is_salt_url(url) else None
    return str(named or saltenv or opts.get("saltenv") or current().saltenv or "base")


def rendered_names(names: tuple[str, str], template: str | None, saltenv: str) -> tuple[str, str]:
    """Return source and destination, rendered by the engine `template` if one is given."""
    if not template:
        return names
    try:
        path, dest = (_rendered(name, template, saltenv) for name in names)
    except RenderError as exc:
        raise CommandExecutionError(f"Failed to render file path with error: {exc}") from exc
    return path, dest


def local_path(url: str) -> str:
    """Return the path on the host of `file://` and plain paths, '' for other URLs."""
    if url.startswith("file://"):
        return url.removeprefix("file://")
    return "" if "://" in url else url


def _rendered(text: str, template: str, saltenv: str) -> Any:
    return services().render.render_template(text, engine=template, saltenv=saltenv, context={})
