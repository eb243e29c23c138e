"""Values from the settings, grains and pillar of this minion, the master's settings and the defaults.

The sources are searched in that order.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.api import CallContext, ContextMapping, call, grains, note_outside, opts, pillar
from salt_g.data.nested import DELIMITER, merge_recursive, traverse
from salt_g.formats.hashfile import SCHEMES

#: Defaults of settings that modules read; stock's names and values.
DEFAULTS: dict[str, Any] = {
    "aliases.file": "/etc/aliases",
    "ca.cert_base_path": "/etc/pki",
    "docker.exec_driver": "docker-exec",
    "hosts.file": "/etc/hosts",
    "ldap.anonymous": True,
    "ldap.attrs": None,
    "ldap.binddn": "",
    "ldap.bindpw": "",
    "ldap.no_verify": False,
    "ldap.port": "389",
    "ldap.scope": 2,
    "ldap.server": "localhost",
    "ldap.tls": False,
    "ldap.uri": "",
    "mongo.db": "salt",
    "mongo.password": "",
    "mongo.port": 27017,
    "mongo.user": "",
    "poudriere.config": "/usr/local/etc/poudriere.conf",
    "poudriere.config_dir": "/usr/local/etc/poudriere.d",
    "redis.db": "0",
    "redis.host": "salt",
    "redis.port": 6379,
    "test.foo": "unconfigured",
    "virt": {"tunnel": False, "images": "/srv/salt-images"},
}

_MISSING = object()


def _master_settings(context: CallContext) -> Mapping[str, Any]:
    found = context.pillar.get("master", {})
    return found if isinstance(found, Mapping) else {}


#: The master's settings, in pillar under `master` if `pillar_opts` is set; read only if searched.
_MASTER = ContextMapping("master's settings", _master_settings)


def get(
    key: str,
    default: Any = "",
    delimiter: str = DELIMITER,
    merge: str | None = None,
    omit_opts: bool = False,
    omit_pillar: bool = False,
    omit_master: bool = False,
    omit_grains: bool = False,
) -> Any:
    """Return the value at a path `a:b:c` in settings, grains, pillar or the master's settings.

    `merge` (`recurse` or `overwrite`) merges the values of all sources instead of taking the first. The
    `omit_…` options leave out a source. A value that is an `sdb://` URI is looked up.

    Example::

        salt-g config.get pkg:apache
    """
    sources = _sources(omit_opts, omit_grains, omit_pillar, omit_master)
    if merge is None:
        values = (traverse(source, key, _MISSING, delimiter=delimiter) for source in sources)
        found = next((value for value in values if value is not _MISSING), _MISSING)
    else:
        found = traverse(_merged_sources(sources, merge), key, _MISSING, delimiter=delimiter)
    if found is _MISSING:
        return default
    if not isinstance(found, str) or not found.startswith("sdb://"):
        return found
    note_outside()
    return call("sdb.get", found)


def option(
    value: str,
    default: Any = None,
    omit_opts: bool = False,
    omit_grains: bool = False,
    omit_pillar: bool = False,
    omit_master: bool = False,
    omit_all: bool = False,
    wildcard: bool = False,
) -> Any:
    """Return the value of the key `value` (not a path) in settings, grains, pillar or the master's settings.

    With `wildcard`, `value` is a glob, and the result is {key: value} of all keys that match. The `omit_…`
    options leave out a source; `omit_all` leaves only the defaults of settings.

    Example::

        salt-g config.option redis.host
    """
    omitted = (omit_opts, omit_grains, omit_pillar, omit_master)
    sources = _sources(*(omit or omit_all for omit in omitted))
    if wildcard:
        found = {
            key: source[key]
            for source in reversed(list(sources))
            for key in fnmatch.filter(map(str, source), value)
        }
        return found or ({} if default is None else default)
    for source in sources:
        if value in source:
            return source[value]
    return "" if default is None else default


def merge(
    value: str,
    default: Any = "",
    omit_opts: bool = False,
    omit_master: bool = False,
    omit_pillar: bool = False,
) -> Any:
    """Return the value of the key `value` in settings, the master's settings and pillar, merged.

    Mappings are merged, with precedence in that order, and lists are joined; of texts, the first is returned.
    The `omit_…` options leave out a source.

    Example::

        salt-g config.merge schedule
    """
    found: Any = None
    for omit, source in ((omit_opts, opts), (omit_master, _MASTER), (omit_pillar, pillar)):
        if not omit and value in source:
            found = _joined(found, source[value])
        if isinstance(found, str):
            return found
    return DEFAULTS.get(value, default) if found is None else found


def items() -> dict[str, Any]:
    """Return all settings.

    Example::

        salt-g config.items
    """
    return opts.copy()


def dot_vals(value: str) -> dict[str, Any]:
    """Return the settings, including the master's, whose names begin with `<value>.`.

    Example::

        salt-g config.dot_vals docker
    """
    both = {**_MASTER, **opts}
    return {key: both[key] for key in both if key.startswith(f"{value}.")}


def backup_mode(backup: str = "") -> str:
    """Return the given backup mode, else the configured one.

    Example::

        salt-g config.backup_mode minion
    """
    return backup or str(option("backup_mode"))


def manage_mode(mode: Any) -> str | None:
    """Return a file mode as text of four octal digits, or None for None.

    Example::

        salt-g config.manage_mode 644
    """
    if mode is None:
        return None
    text = str(mode).strip("'\"").lstrip("0Oo")
    return text.zfill(4)


def valid_fileproto(uri: str) -> bool:
    """Return whether a URL has one of the schemes salt, file, http, https, ftp, swift and s3.

    Example::

        salt-g config.valid_fileproto salt://path/to/file
    """
    return "://" in uri and uri.partition("://")[0].lower() in SCHEMES


def _sources(
    omit_opts: bool, omit_grains: bool, omit_pillar: bool, omit_master: bool
) -> Iterator[Mapping[str, Any]]:
    """Yield the sources of values, in order of precedence; each is read only if reached."""
    if not omit_opts:
        yield opts
    if not omit_grains:
        yield grains
    if not omit_pillar:
        yield pillar
    if not omit_master:
        yield _MASTER
    yield DEFAULTS


def _merged_sources(sources: Iterator[Mapping[str, Any]], strategy: str) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for source in reversed(list(sources)):
        plain = dict(source)
        merged = {**merged, **plain} if strategy == "overwrite" else merge_recursive(merged, plain)
    return merged


def _joined(found: Any, more: Any) -> Any:
    """Return `found` merged over a mapping `more` or joined with a list `more`; `more` if `found` is None.

    Of values of other or different types, `found` is returned.
    """
    if found is None:
        return more
    if isinstance(found, Mapping) and isinstance(more, Mapping):
        return {**more, **found}
    if isinstance(found, (list, tuple)) and isinstance(more, (list, tuple)):
        return [*found, *more]
    return found
