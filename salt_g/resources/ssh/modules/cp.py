"""Files of the master for the host, fetched by the managing minion."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Any

from salt_g.api import current, opts, services
from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh import _files, _sources


def get_file(
    path: str, dest: str, saltenv: str | None = None, makedirs: bool = False, template: str | None = None,
    **kwargs: Any,
) -> str:  # fmt: skip
    """Copy a file of the master to the host; return its path, '' if the file does not exist.

    Example::

        salt-g web-01 cp.get_file salt://motd /etc/motd
    """
    return _put(path, dest, saltenv, makedirs, template, kwargs.get("context") or {})


def get_url(
    path: str, dest: str, saltenv: str | None = None, makedirs: bool = False,
    source_hash: str | None = None, **kwargs: Any,
) -> str:  # fmt: skip
    """Copy a file from a URL to the host; return its path, '' if the file does not exist.

    Example::

        salt-g web-01 cp.get_url https://192.0.2.1/file /tmp/file
    """
    return _put(path, dest, saltenv, makedirs, None, {}, source_hash)


def get_template(
    path: str, dest: str, template: str = "jinja", saltenv: str | None = None, makedirs: bool = False,
    **kwargs: Any,
) -> str:  # fmt: skip
    """Render a file of the master as a template and put it on the host.

    Example::

        salt-g web-01 cp.get_template salt://motd.jinja /etc/motd
    """
    variables = {name: value for name, value in kwargs.items() if not name.startswith("__")}
    return _put(path, dest, saltenv, makedirs, template, variables)


def get_dir(path: str, dest: str, saltenv: str | None = None, **kwargs: Any) -> list[str]:
    """Copy a directory of the master into a directory of the host; return the written files.

    Example::

        salt-g web-01 cp.get_dir salt://site /srv
    """
    env = _env(saltenv)
    prefix = path.removeprefix("salt://").strip("/")
    parent = posixpath.dirname(prefix)
    found = services().files.list_files(env, prefix)
    names = [name for name in found if name.startswith(f"{prefix}/")]
    return [
        _put(
            f"salt://{name}",
            posixpath.join(dest, posixpath.relpath(name, parent or ".")),
            env,
            True,
            None,
            {},
        )
        for name in names
    ]


def get_file_str(path: str, saltenv: str | None = None) -> str | bool:
    """Return the content of a file of the master, or False if it does not exist.

    Example::

        salt-g web-01 cp.get_file_str salt://motd
    """
    content = _sources.cached_bytes(path, _env(saltenv))
    return False if content is None else content.decode("utf-8", "replace")


def hash_file(path: str, saltenv: str | None = None) -> dict[str, str]:
    """Return the hash of a file of the master.

    Example::

        salt-g web-01 cp.hash_file salt://motd
    """
    return services().files.hash_file(path, _env(saltenv))


def list_master(saltenv: str | None = None, prefix: str = "") -> list[str]:
    """Return the paths of all files of the master.

    Example::

        salt-g web-01 cp.list_master
    """
    return services().files.list_files(_env(saltenv), prefix)


def list_master_dirs(saltenv: str | None = None, prefix: str = "") -> list[str]:
    """Return the paths of all directories of the master.

    Example::

        salt-g web-01 cp.list_master_dirs
    """
    return services().files.list_dirs(_env(saltenv), prefix)


def _put(
    url: str, dest: str, saltenv: str | None, makedirs: bool, template: str | None,
    variables: Mapping[str, Any], source_hash: str | None = None,
) -> str:  # fmt: skip
    env = _env(saltenv)
    content = _sources.cached_bytes(url, env)
    if content is None:
        return ""
    if source_hash:
        _sources.check_hash(content, source_hash, url)
    if template:
        content = _sources.rendered(content.decode(), template, env, variables).encode()
    if not dest.startswith("/"):
        raise CommandExecutionError(f"{dest} is not an absolute path")
    seen = _files.path_state(dest)
    if seen.is_directory or dest.endswith("/"):
        dest = posixpath.join(dest, posixpath.basename(url))
        seen = _files.path_state(dest)
    owner = f"{seen.uid}:{seen.gid}" if seen.exists else ""
    mode = seen.mode if seen.exists else "0644"
    _files.write(dest, content, mode=mode, owner=owner, makedirs=makedirs)
    return dest


def _env(saltenv: str | None) -> str:
    return str(saltenv or opts.get("saltenv") or current().saltenv or "base")
