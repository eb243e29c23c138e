"""Files copied to a path chosen by the user."""

from __future__ import annotations

import logging
import os
from typing import Any

from salt_g import safe_files
from salt_g.api import advise_missing, functions, grains, opts, own_arguments, pillar, services
from salt_g.errors import CommandExecutionError, RenderError
from salt_g.formats import salturl
from salt_g.formats.urls import without_password
from salt_g.modules.cp.saltenv import chosen
from salt_g.process.disk import write_whole

log = logging.getLogger(__name__)


def get_file(
    path: str,
    dest: str,
    saltenv: str | None = None,
    makedirs: bool = False,
    template: str | None = None,
    gzip: int | None = None,
    **kwargs: Any,
) -> str | bool:
    """Copy a `salt://` file to `dest` (a file or a directory) and return the path written.

    Returns '' if there is no such file, False if the directory of `dest` is missing and `makedirs` is not
    set. With `template` (an engine such as `jinja`), the names `path` and `dest` are rendered first, not the
    content; `pillar` and `pillarenv` then select another pillar. `gzip` is the compression level (1 to 9) of
    the transfer.

    Example::

        salt-g cp.get_file salt://path/to/file /minion/dest
    """
    saltenv = chosen(saltenv)
    path, dest = _rendered_names(path, dest, saltenv, template, kwargs)
    files = services().files
    if not files.hash_file(path, saltenv):
        _advise(path, saltenv)
        return ""
    return files.get_file(path, dest, makedirs=makedirs, saltenv=saltenv, gzip=gzip) or False


def get_dir(
    path: str,
    dest: str,
    saltenv: str | None = None,
    template: str | None = None,
    gzip: int | None = None,
    **kwargs: Any,
) -> list[str]:
    """Copy a directory of the file server into the directory `dest` and return the paths written, sorted.

    `template` and `gzip` are those of `cp.get_file`.

    Example::

        salt-g cp.get_dir salt://path/to/dir/ /minion/dest
    """
    saltenv = chosen(saltenv)
    path, dest = _rendered_names(path, dest, saltenv, template, kwargs)
    parts = salturl.parse(path)
    saltenv = parts.saltenv or saltenv
    files = services().files
    top = parts.path.rstrip("/")
    parent = top.rpartition("/")[0]
    made = []
    for name in _beneath(files.list_files(saltenv, top), top):
        target = f"{dest}/{name[len(parent) :].lstrip('/')}"
        made.append(files.get_file(salturl.create(name), target, makedirs=True, saltenv=saltenv, gzip=gzip))
    for name in _beneath(files.list_empty_dirs(saltenv, top), top):
        target = f"{dest}/{name[len(parent) :].lstrip('/')}"
        safe_files.make_directories(target)
        made.append(target)
    return sorted(made)


def get_url(
    path: str,
    dest: str | None = "",
    saltenv: str | None = None,
    makedirs: bool = False,
    source_hash: str | None = None,
) -> str | bool:
    """Fetch a URL to `dest` ('': the cache) and return the path, or with `dest=None` the content as text.

    Returns False if the file server has no such file, or if the directory of `dest` is missing and `makedirs`
    is not set; a failed download raises FileServerError. A local file is not copied: its path is returned.

    Example::

        salt-g cp.get_url https://www.example.com/file /tmp/file
    """
    saltenv = chosen(saltenv)
    found: str | bool = services().files.get_url(
        path, dest or "", makedirs=makedirs, saltenv=saltenv, source_hash=source_hash
    )
    if not found:
        log.error("Unable to fetch file %s from saltenv %s.", without_password(path), saltenv)
        return False
    return _text_of(str(found)) if dest is None else found


def get_file_str(path: str, saltenv: str | None = None) -> str | bool:
    """Return the content of a file (a URL or an absolute path), or False if there is no such file.

    Example::

        salt-g cp.get_file_str salt://my/file
    """
    cached = services().files.cache_file(path, chosen(saltenv))
    if not cached:
        _advise(path, chosen(saltenv))
        return False
    try:
        return _text_of(cached)
    except OSError:
        return False


def get_template(
    path: str,
    dest: str,
    template: str = "jinja",
    saltenv: str | None = None,
    makedirs: bool = False,
    **kwargs: Any,
) -> str:
    """Render a template and write the text to `dest`; return the path written.

    Returns '' if there is no such template, or if the directory of `dest` is missing and `makedirs` is not
    set. Further keywords, and the items of `context`, are template variables. If `dest` is '' or None, the
    text is written to the cache. Raises RenderError if the template cannot be rendered.

    Example::

        salt-g cp.get_template salt://path/to/template /minion/dest
    """
    saltenv = chosen(saltenv)
    cached = services().files.cache_file(path, saltenv)
    if not cached:
        _advise(path, saltenv)
        return ""
    text = services().render.render_template(
        _text_of(cached), engine=template, saltenv=saltenv, **_variables(kwargs)
    )
    if not dest:
        # Rendered text must not replace the cached source.
        name = salturl.parse(path).path.partition("://")[2] or salturl.parse(path).path.lstrip("/")
        dest, makedirs = os.path.join(opts["cachedir"], "extrn_files", saltenv, name), True
    if makedirs:
        safe_files.make_directories(os.path.dirname(dest))
    if not os.path.isdir(os.path.dirname(dest)):
        return ""
    write_whole(dest, text)
    return dest


def _advise(path: str, saltenv: str) -> None:
    if salturl.is_salt_url(path):
        advise_missing(path, saltenv)


def _rendered_names(
    path: str, dest: str, saltenv: str, template: str | None, options: dict[str, Any]
) -> tuple[str, str]:
    """Return `path` and `dest` rendered; the options `pillar` and `pillarenv` select another pillar."""
    if not template:
        return path, dest
    variables: dict[str, Any] = {}
    if "pillar" in options or "pillarenv" in options:
        variables["pillar"] = services().pillars.compile(
            pillarenv=options.get("pillarenv"), override=options.get("pillar")
        )
    names = []
    for text in (path, dest):
        try:
            names.append(
                services().render.render_template(
                    text, engine=template, saltenv=saltenv, **_variables(variables)
                )
            )
        except RenderError as exc:
            raise CommandExecutionError(f"Failed to render file path with error: {exc}") from exc
    return names[0], names[1]


def _variables(more: dict[str, Any]) -> dict[str, Any]:
    """Return the template variables: the standard ones and those of the caller."""
    usual = {"salt": functions, "pillar": pillar, "grains": grains, "opts": opts}
    return {**usual, **own_arguments(more)}


def _beneath(names: list[str], top: str) -> list[str]:
    return [name for name in names if not top or name.startswith(f"{top}/")]


def _text_of(path: str) -> str:
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()
