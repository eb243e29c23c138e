"""rpm's information about installed packages, field by field."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from functools import cmp_to_key
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.modules import _rpm_versions
from salt_g.modules._booleans import as_list
from salt_g.modules._programs import output
from salt_g.modules._rpm_packages import rooted

#: {name in the return: rpm's expression}
_FIELDS = {
    "name": "%{NAME}",
    "relocations": "%|PREFIXES?{[%{PREFIXES} ]}:{(not relocatable)}|",
    "version": "%{VERSION}",
    "vendor": "%{VENDOR}",
    "release": "%{RELEASE}",
    "epoch": "%|EPOCH?{%{EPOCH}}|",
    "build_date_time_t": "%{BUILDTIME}",
    "build_date": "%{BUILDTIME}",
    "install_date_time_t": "%|INSTALLTIME?{%{INSTALLTIME}}:{(not installed)}|",
    "install_date": "%|INSTALLTIME?{%{INSTALLTIME}}:{(not installed)}|",
    "build_host": "%{BUILDHOST}",
    "group": "%{GROUP}",
    "source_rpm": "%{SOURCERPM}",
    "size": "%{LONGSIZE}",
    "arch": "%{ARCH}",
    "license": "%|LICENSE?{%{LICENSE}}|",
    "signature": (
        "%|DSAHEADER?{%{DSAHEADER:pgpsig}}:{%|RSAHEADER?{%{RSAHEADER:pgpsig}}:"
        "{%|SIGGPG?{%{SIGGPG:pgpsig}}:{%|SIGPGP?{%{SIGPGP:pgpsig}}:{(none)}|}|}|}|"
    ),
    "packager": "%|PACKAGER?{%{PACKAGER}}|",
    "url": "%|URL?{%{URL}}|",
    "summary": "%{SUMMARY}",
    "description": "%{DESCRIPTION}",
    "edition": "%|EPOCH?{%{EPOCH}:}|%{VERSION}-%{RELEASE}",
}
#: Separators of fields and of packages; they occur in no package's text.
_FIELD_END, _PACKAGE_END = "\x1f", "\x1e"


def info(*packages: str, **kwargs: Any) -> dict[str, Any]:
    """Return {name: {field: value}} of these packages, or of all installed packages.

    `attr` (comma-separated text) selects fields, `all_versions` gives a list for each name,
    newest first, `root` queries another system.

    Example::

        salt-g lowpkg.info apache2 attr=version,vendor
    """
    given = as_list(kwargs.get("attr"))
    wanted = [field for field in _FIELDS if field in given] if given else list(_FIELDS)
    if not wanted:
        raise CommandExecutionError("No valid attributes found.")
    fields = list(dict.fromkeys([*wanted, "name", "edition"]))
    query = _FIELD_END.join(_FIELDS[field] for field in fields) + _PACKAGE_END
    which = ["-q", *packages] if packages else ["-qa"]
    text = output([*rooted(kwargs.get("root")), *which, "--queryformat", query], env={"TZ": "UTC"})
    found = [about for about in _read(text, fields) if not about["name"].startswith("gpg-pubkey")]
    return _by_name(found, bool(kwargs.get("all_versions")))


def _by_name(found: list[dict[str, Any]], all_versions: bool) -> dict[str, Any]:
    def compared(ours: dict[str, Any], theirs: dict[str, Any]) -> int:
        return _rpm_versions.compare(ours["edition"], theirs["edition"])

    packages: dict[str, Any] = {}
    for about in sorted(found, key=cmp_to_key(compared), reverse=True):
        name = about.pop("name")
        if all_versions:
            packages.setdefault(name, []).append(about)
        elif name not in packages:
            packages[name] = {key: value for key, value in about.items() if key != "edition"}
    return packages


def _read(text: str, fields: list[str]) -> Iterator[dict[str, Any]]:
    for part in text.split(_PACKAGE_END):
        # A part without all fields holds rpm's message about a package that is not installed.
        values = part.split(_FIELD_END)
        if len(values) == len(fields):
            pairs = zip(fields, (value.strip() for value in values), strict=True)
            yield {field: _typed(field, value) for field, value in pairs if value and _is_set(field, value)}


def _is_set(field: str, value: str) -> bool:
    return not field.startswith(("build_date", "install_date")) or value.isdigit()


def _typed(field: str, value: str) -> Any:
    if field.endswith("_date_time_t"):
        return int(value)
    if field in ("build_date", "install_date"):
        moment = datetime.datetime.fromtimestamp(int(value), datetime.timezone.utc)
        return f"{moment.replace(tzinfo=None).isoformat()}Z"
    return value
