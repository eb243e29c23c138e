"""Arguments common to the functions of `archive`: lists of files, templates, programs."""

from __future__ import annotations

import glob
from typing import Any

from salt_g import safe_files
from salt_g.api import call, current, services
from salt_g.errors import CommandNotFound, RenderError
from salt_g.process import command

#: Maximum number of files in the result if `trim_output` is True.
TRIMMED = 100


def expand(sources: Any) -> list[str]:
    """Return paths from a list or comma-separated text, with globs expanded."""
    return [path for word in words(sources) for path in (glob.glob(word) if glob.has_magic(word) else [word])]


def words(value: Any) -> list[str]:
    """Return the items of a list, a comma-separated text, or a number; [] for None."""
    if value is None:
        return []
    parts = value if isinstance(value, (list, tuple)) else str(value).split(",")
    return [str(part).strip() for part in parts]


def trim(files: list[str], trim_output: bool | int) -> list[str]:
    """Return the first files of a result, and a line with the limit if files were left out."""
    count = TRIMMED if trim_output is True else int(trim_output)
    if not trim_output or len(files) <= count:
        return files
    return [*files[:count], f"List trimmed after {count} files."]


def rendered(template: str | None, *texts: Any) -> tuple[Any, ...]:
    """Return texts, rendered with a template engine if one is given."""
    if not template:
        return texts
    try:
        render, saltenv = services().render.render_template, current().saltenv
        return tuple(
            render(text, engine=template, saltenv=saltenv) if isinstance(text, str) else text
            for text in texts
        )
    except RenderError as exc:
        raise RenderError(f"Failed to render file path with error: {exc}") from exc


def check_places(runas: str | None, *paths: Any) -> None:
    """Raise UntrustedPath if a program run as root must not use a path; other users are not checked."""
    for path in paths:
        if path and runas in (None, "root"):
            safe_files.check_for_program(str(path))


def run(program: str, *arguments: Any, **options: Any) -> list[str]:
    """Run a program and return its output lines; raise CommandNotFound if it is not installed."""
    path = command.which(program)
    if path is None:
        raise CommandNotFound(f"'{program}' command not available; install it to work with such archives")
    argv = [program, *map(str, arguments)]
    return list(call("cmd.run", argv, python_shell=False, **options).splitlines())
