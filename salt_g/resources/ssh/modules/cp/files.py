"""Copies of the master's files at a given path on the host."""

from __future__ import annotations

import logging
import posixpath
from collections.abc import Mapping
from typing import Any

from salt_g.api import services
from salt_g.errors import CommandExecutionError
from salt_g.formats.urls import without_password
from salt_g.resources.ssh import _cached_files, _files, _sources
from salt_g.resources.ssh.modules.cp._common import chosen, local_path, rendered_names

log = logging.getLogger(__name__)


def get_file(
    path: str, dest: str, saltenv: str | None = None, makedirs: bool = False, template: str | None = None,
    **kwargs: Any,
) -> str:  # fmt: skip
    """Copy a file of the master to the host; return its path, '' if the file does not exist.

    Without `dest`, the file is cached on the host. `template` is an engine that renders `path` and `dest`.

    Example::

        salt-g web-01 cp.get_file salt://motd /etc/motd
    """
    _warn_of_gzip("get_file", kwargs)
    path, dest = rendered_names((path, dest), template, chosen(saltenv))
    content = _sources.cached_bytes(path, chosen(saltenv, path))
    return "" if content is None else _placed(content, path, dest, saltenv, makedirs)


def get_url(
    path: str, dest: str | None = "", saltenv: str | None = None, makedirs: bool = False,
    source_hash: str | None = None, **kwargs: Any,
) -> str | bool:  # fmt: skip
    """Copy a file from a URL to the host; return its path, False if the file does not exist.

    Without `dest`, the file is cached on the host; with `dest=None`, its content is returned. `path` can be a
    path on the managing minion.

    Example::

        salt-g web-01 cp.get_url https://192.0.2.1/file /tmp/file
    """
    env = chosen(saltenv, path)
    if dest is None and not local_path(path):
        return get_file_str(path, saltenv)
    if not dest and local_path(path):
        log.error("%s: a path on the host needs no copy; cp.get_file_str returns its content", path)
        return False
    content = _sources.cached_bytes(path, env)
    if content is None:
        log.error("Unable to fetch file %s from saltenv %s.", without_password(path), env)
        return False
    if source_hash:
        _sources.check_hash(content, source_hash, path)
    return _placed(content, path, dest or "", saltenv, makedirs)


def get_template(
    path: str, dest: str, template: str = "jinja", saltenv: str | None = None, makedirs: bool = False,
    **kwargs: Any,
) -> str:  # fmt: skip
    """Render a template of the master to a path on the host; return the path, '' if there is no template.

    Without `dest` the rendered file is cached on the host.

    Example::

        salt-g web-01 cp.get_template salt://motd.jinja /etc/motd
    """
    env = chosen(saltenv, path)
    content = _sources.cached_bytes(path, env)
    if content is None:
        return ""
    given = {name: value for name, value in kwargs.items() if not name.startswith("__")}
    context = given.pop("context", None) or {}
    variables = {**given, **context}
    rendered = _sources.rendered(content.decode(), template, env, variables).encode()
    if not dest:
        return _cached_files.keep(rendered, _cached_files.rendered_path(path, env))
    return _placed(rendered, path, dest, saltenv, makedirs)


def get_dir(
    path: str, dest: str, saltenv: str | None = None, template: str | None = None, **kwargs: Any
) -> list[str]:
    """Copy a directory of the master into a directory of the host; return the written files.

    Without `dest` its files are cached on the host. `template` is an engine that renders `path` and `dest`.

    Example::

        salt-g web-01 cp.get_dir salt://site /srv
    """
    _warn_of_gzip("get_dir", kwargs)
    path, dest = rendered_names((path, dest), template, chosen(saltenv))
    env = chosen(saltenv, path)
    prefix = path.removeprefix("salt://").partition("?")[0].strip("/")
    parent = posixpath.dirname(prefix)
    made = []
    for name in services().files.list_files(env, f"{prefix}/"):
        below = posixpath.relpath(name, parent or ".")
        content = _sources.cached_bytes(f"salt://{name}", env)
        if content is not None:
            made.append(
                _placed(content, f"salt://{name}", f"{dest}/{below}" if dest else "", env, makedirs=True)
            )
    return made


def get_file_str(path: str, saltenv: str | None = None) -> str | bool:
    """Return the content of a file of the master or of a path on the host; False if there is no such file.

    Example::

        salt-g web-01 cp.get_file_str salt://motd
    """
    here = local_path(path)
    if here:
        content = _files.path_state(here, wanted=_files.CONTENT).content
    else:
        env = chosen(saltenv, path)
        content = _sources.cached_bytes(path, env)
        if content is None:
            log.error("Unable to fetch file %s from saltenv %s.", without_password(path), env)
    return False if content is None else content.decode("utf-8", "replace")


def _warn_of_gzip(name: str, given: Mapping[str, Any]) -> None:
    if given.get("gzip") is not None:
        log.warning("The gzip argument to cp.%s in salt-ssh is unsupported", name)


def _placed(content: bytes, url: str, dest: str, saltenv: str | None, makedirs: bool) -> str:
    """Write content to `dest`, or into the cache of the host; return the path."""
    if not dest:
        return _cached_files.keep(content, _cached_files.path_of(url, chosen(saltenv, url)))
    if not dest.startswith("/"):
        raise CommandExecutionError(f"{dest} is not an absolute path")
    seen = _files.path_state(dest)
    if seen.is_directory or dest.endswith("/"):
        dest = posixpath.join(dest, posixpath.basename(url.partition("?")[0]))
        seen = _files.path_state(dest)
    owner = f"{seen.uid}:{seen.gid}" if seen.exists else ""
    mode = seen.mode if seen.exists else "0644"
    _files.write(dest, content, mode=mode, owner=owner, makedirs=makedirs)
    return dest
