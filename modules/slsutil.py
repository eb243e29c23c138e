"""SLS data: rendering, merging, serialization, and lookup of files in the file roots."""

from __future__ import annotations

import posixpath
import textwrap
from collections.abc import Callable
from typing import Any

from salt_g.api import current, own_arguments, services
from salt_g.errors import CommandExecutionError, InvocationError, YamlError
from salt_g.formats import serializers
from salt_g.modules._merging import merge_by, update_in_place

#: Default text of a banner.
_TITLE = "THIS FILE IS MANAGED BY SALT - DO NOT EDIT"
_TEXT = (
    "The contents of this file are managed by Salt. Any changes to this file may be overwritten"
    " automatically and without warning."
)


def renderer(
    path: str | None = None,
    string: str | None = None,
    default_renderer: str = "jinja|yaml",
    saltenv: str = "base",
    **kwargs: Any,
) -> Any:
    """Return the rendered data of a file (any URL or path) or a string.

    `default_renderer` is the pipe for a text without a `#!` line; further arguments are
    variables of templates. Raises RenderError.

    Example::

        salt-g slsutil.renderer string='Inline template! {{ saltenv }}' default_renderer=jinja
    """
    if not path and not string:
        raise InvocationError("Must pass path or string.")
    if path and string:
        raise InvocationError("Must not pass both path and string.")
    variables = own_arguments(kwargs)
    sls = variables.pop("sls", "")
    if string:
        return services().render.render_text(
            string, pipe=default_renderer, saltenv=saltenv, sls=sls, **variables
        )
    # Not `cp.cache_file`: in a call for a resource it returns a path there, but rendering happens here.
    cached = services().files.cache_file(path or "", saltenv or "base")
    return services().render.render_sls(
        cached, sls=sls, saltenv=saltenv, tmplpath=cached, pipe=default_renderer, **variables
    )


def serialize(serializer: str, obj: Any, **options: Any) -> Any:
    """Return data as text in a format: `yaml`, `yamlex`, `json`, `configparser`, `msgpack`, `toml`.

    `serializer` can also name a user's own format (`_serializers`); `options` are those of the serializer.
    The result for `msgpack` is bytes.

    Example::

        salt-g slsutil.serialize json "{'foo': 'bar'}"
    """
    return _converted(
        serializer, serializers.writer(serializer) or _users(serializer, "serialize"), obj, options
    )


def deserialize(serializer: str, stream_or_string: Any, **options: Any) -> Any:
    """Return the data of a text in a format, see `slsutil.serialize`.

    Example::

        salt-g slsutil.deserialize json '{"foo": "bar"}'
    """
    return _converted(
        serializer,
        serializers.reader(serializer) or _users(serializer, "deserialize"),
        stream_or_string,
        options,
    )


def update(dest: Any, upd: Any, recursive_update: bool = True, merge_lists: bool = False) -> Any:
    """Update the mapping `dest` with the mapping `upd`, in place, and return it.

    Nested mappings are updated too unless `recursive_update` is False; `merge_lists` joins lists.

    Example::

        salt-g slsutil.update "{'foo': 'Foo'}" "{'bar': 'Bar'}"
    """
    return update_in_place(dest, upd, recursive=recursive_update, merge_lists=merge_lists)


def merge(
    obj_a: Any, obj_b: Any, strategy: str = "smart", renderer: str = "yaml", merge_lists: bool = False
) -> Any:
    """Return both mappings merged; `strategy` is `smart`, `recurse`, `aggregate`, `overwrite` or `list`.

    Values of `obj_b` take precedence. `recurse` also merges nested mappings, `aggregate` and `overwrite`
    replace them, `list` pairs the values of shared keys. `smart` is `aggregate` for the renderer yamlex, else
    `recurse`.

    Example::

        salt-g slsutil.merge "{'foo': 'Foo'}" "{'bar': 'Bar'}"
    """
    if strategy == "smart":
        is_yamlex = renderer.split("|")[-1] == "yamlex" or renderer.startswith("yamlex_")
        strategy = "aggregate" if is_yamlex else "recurse"
    return merge_by(strategy, obj_a, obj_b, merge_lists=merge_lists)


def merge_all(
    lst: list[Any], strategy: str = "smart", renderer: str = "yaml", merge_lists: bool = False
) -> Any:
    """Return all mappings in a list merged; later ones take precedence.

    Example::

        salt-g slsutil.merge_all "[{'foo': 'Foo'}, {'foo': 'Bar'}]"
    """
    merged: Any = {}
    for item in lst:
        merged = merge(merged, item, strategy, renderer, merge_lists)
    return merged


def boolstr(value: Any, true: str = "true", false: str = "false") -> str:
    """Return one of two texts, depending on whether the value is true.

    Example::

        salt-g slsutil.boolstr True true=yes false=no
    """
    return true if value else false


def banner(
    width: int = 72,
    commentchar: str = "#",
    borderchar: str = "#",
    blockstart: str | None = None,
    blockend: str | None = None,
    title: str | None = None,
    text: str | None = None,
    newline: bool = False,
) -> str:
    """Return a comment block for managed files; `width` is in characters.

    `blockstart` and `blockend` are lines before and after the block; `newline` adds a newline at the end.

    Example::

        salt-g slsutil.banner title='Managed' text='Do not edit'
    """
    left, right = commentchar.rstrip() + " ", " " + commentchar.strip()
    room = width - len(left) - len(right)
    if room <= 0:
        raise CommandExecutionError("Width is too small to render banner")
    line = commentchar + borderchar[:1] * (width - len(left) - len(right) + 2) + commentchar.strip()
    spacer = commentchar + " " * (width - len(commentchar) * 2) + commentchar
    titles = [
        f"{left}{row.center(room)}{right}" for row in textwrap.wrap(_TITLE if title is None else title, room)
    ]
    texts = [f"{left}{row:<{room}}{right}" for row in textwrap.wrap(_TEXT if text is None else text, room)]
    rows = [blockstart, line, spacer, *titles, spacer, *texts, line, blockend]
    return "\n".join(row for row in rows if row is not None) + ("\n" if newline else "")


def file_exists(path: str, saltenv: str = "base") -> bool:
    """Return whether the file roots hold this file (a path from the root, not a URL).

    Example::

        salt-g slsutil.file_exists path/to/file
    """
    return path in services().files.list_files(saltenv)


def dir_exists(path: str, saltenv: str = "base") -> bool:
    """Return whether the file roots hold this directory (a path from the root, not a URL).

    Example::

        salt-g slsutil.dir_exists path/to/directory
    """
    return path in services().files.list_dirs(saltenv)


def path_exists(path: str, saltenv: str = "base") -> bool:
    """Return whether the file roots hold this file or directory.

    Example::

        salt-g slsutil.path_exists path/to/something
    """
    return file_exists(path, saltenv) or dir_exists(path, saltenv)


def findup(startpath: str, filenames: str | list[str], saltenv: str = "base") -> str:
    """Return the path of the first of these files found in a directory of the file roots or above it.

    Raises InvocationError for a missing start directory, CommandExecutionError if nothing is found.

    Example::

        salt-g slsutil.findup formulas/shared/nginx map.jinja
    """
    directory = posixpath.normpath(startpath) if startpath else ""
    if directory and not path_exists(directory, saltenv):
        raise InvocationError(f"Starting path not found in the state tree: {directory}")
    names = [filenames] if isinstance(filenames, str) else filenames
    if not isinstance(names, list):
        raise InvocationError("Filenames argument must be a string or list of strings")
    while True:
        for name in names:
            candidate = posixpath.normpath(posixpath.join(directory, name.lstrip("/")))
            if path_exists(candidate, saltenv):
                return candidate
        if not directory:
            raise CommandExecutionError("File pattern(s) not found in path ancestry")
        directory = posixpath.dirname(directory)


def _users(name: str, function: str) -> Callable[..., Any] | None:
    """Return a function of a user's serializer in `_serializers`, or None if there is none."""
    found: Callable[..., Any] | None = current().table("serializers").get(f"{name}.{function}")
    return found


def _converted(name: str, convert: Callable[..., Any] | None, given: Any, options: dict[str, Any]) -> Any:
    if convert is None:
        raise CommandExecutionError(f"Serializer '{name}' not found.")
    try:
        return convert(given, **own_arguments(options))
    except (ValueError, TypeError, YamlError) as exc:
        raise CommandExecutionError(str(exc)) from exc
