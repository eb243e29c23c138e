"""Installed files that differ from their package.

Source: rpm(8), "VERIFY OPTIONS": nine letters, one for each property, then the kind of file.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from salt_g.api import call
from salt_g.errors import CommandExecutionError
from salt_g.modules._booleans import as_list
from salt_g.modules._programs import run
from salt_g.modules._required import require
from salt_g.modules._rpm_packages import rooted

log = logging.getLogger(__name__)

#: {letter: word} in the order of rpm's columns, for `verify`.
_PROPERTIES = {
    "S": "size",
    "M": "mode",
    "5": "md5sum",
    "D": "device major/minor number",
    "L": "readlink path",
    "U": "user",
    "G": "group",
    "T": "mtime",
    "P": "capabilities",
}
#: The same columns in the words of `modified`.
_STATS = ("size", "mode", "checksum", "device", "symlink", "owner", "group", "time", "capabilities")
_KINDS = {"c": "config", "d": "doc", "g": "ghost", "l": "license", "r": "readme"}
#: Line about a file. rpm also prints lines about unsatisfied dependencies, which concern no file.
_LINE = re.compile(r"(missing|[.?SM5DLUGTP]{8,9}) {2,}(?:(\S) )? *(/.*)")
#: Line about a package that is not installed.
_UNKNOWN = re.compile(r"(?m)^package .* is not installed$")


class _Altered(NamedTuple):
    """Altered file: `columns` are letters or `missing`, `kind` is a letter, '' for an ordinary file."""

    columns: str
    kind: str
    path: str


def verify(*packages: str, **kwargs: Any) -> dict[str, dict[str, Any]]:
    """Return {file: {"mismatch": [...], "type": ...}} of altered files, {"missing": True} of missing ones.

    Without `packages`, all packages are verified. `ignore_types` leaves out kinds of files (`config`, `doc`,
    ...), `verify_options` are options of `rpm -V` without their dashes, `root` queries another system.

    Example::

        salt-g lowpkg.verify httpd ignore_types=config,doc
    """
    ignored = as_list(kwargs.get("ignore_types"))
    options = [f"--{option}" for option in as_list(kwargs.get("verify_options"))]
    which = ["-V", *packages] if packages else ["-Va"]
    finished = run([*rooted(kwargs.get("root")), *options, *which])
    unknown = "\n".join(_UNKNOWN.findall(finished["stdout"]))
    found = {file.path: _mismatch(file) for file in _altered(finished["stdout"])}
    if not found and (unknown or (not finished["stdout"].strip() and finished["retcode"] != 0)):
        reason = unknown or finished["stderr"]
        raise CommandExecutionError(f"Failed to verify package(s){f': {reason}' if reason else ''}")
    if unknown:
        log.warning("%s", unknown)
    return {path: about for path, about in found.items() if about.get("type") not in ignored}


def modified(*packages: str, **flags: Any) -> dict[str, Any]:
    """Return {file: [differing property, ...]} of altered files.

    The properties are `size`, `mode`, `checksum`, `device`, `symlink`, `owner`, `group`, `time` and
    `capabilities`; `config` is added for files that rpm marks (configuration, documentation, ...). Each is
    also a flag that keeps only the files with it (`mode=True`) or without it (`config=False`). `root` queries
    another system.

    Example::

        salt-g lowpkg.modified httpd mode=True
    """
    root = flags.pop("root", None)
    finished = run([*rooted(root), "-Va", *packages])
    if finished["retcode"] > 1:
        return {key: value for key, value in finished.items() if key != "stdout"}
    found = {file.path: _stats(file) for file in _altered(finished["stdout"])}
    wanted = {flag: bool(value) for flag, value in flags.items() if not flag.startswith("_")}
    return {
        path: stats
        for path, stats in found.items()
        if all((flag in stats) == value for flag, value in wanted.items())
    }


def diff(package_path: str, path: str) -> str:
    """Return how an installed file differs from the one in a package file.

    Example::

        salt-g lowpkg.diff /path/to/apache2.rpm /etc/apache2/httpd.conf
    """
    import shlex  # Imported lazily: used only here.

    for program in ("rpm2cpio", "cpio", "diff"):
        require(program)
    package, file, label = (shlex.quote(word) for word in (package_path, path, f"A {path}"))
    here = shlex.quote(f"B {path}")
    script = (
        f"rpm2cpio {package} | cpio -i --quiet --to-stdout .{file} "
        f"| diff -u --label {label} --from-file=- --label {here} {file}"
    )
    printed: str = call("cmd.shell", script, output_loglevel="trace")
    is_binary = printed.startswith("Binary file")
    return f"File '{path}' is binary and its content has been modified." if is_binary else printed


def _altered(printed: str) -> Iterator[_Altered]:
    for line in printed.splitlines():
        found = _LINE.fullmatch(line)
        if found:
            yield _Altered(found[1], found[2] or "", found[3])


def _mismatch(file: _Altered) -> dict[str, Any]:
    kind = {"type": _KINDS[file.kind]} if file.kind in _KINDS else {}
    if file.columns == "missing":
        return {"missing": True, **kind}
    words = [
        word
        for word, letter in zip(_PROPERTIES.values(), file.columns, strict=False)
        if letter in _PROPERTIES
    ]
    return {"mismatch": words, **kind}


def _stats(file: _Altered) -> list[str]:
    stats = [word for word, letter in zip(_STATS, file.columns, strict=False) if letter != "."]
    return [*stats, "config"] if file.kind else stats
