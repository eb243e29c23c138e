"""Installed files that differ from their package.

Source: rpm(8), "VERIFY OPTIONS": nine letters, one for each property, then the kind of file.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import call
from salt_g.errors import CommandExecutionError
from salt_g.modules._booleans import as_list
from salt_g.modules._programs import run
from salt_g.modules._required import require
from salt_g.modules._rpm_packages import rooted

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
    if not finished["stdout"].strip() and finished["retcode"] != 0:
        reason = f": {finished['stderr']}" if finished["stderr"] else ""
        raise CommandExecutionError(f"Failed to verify package(s){reason}")
    found = dict(_parse_line(line) for line in finished["stdout"].splitlines() if line.strip())
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
    found = dict(_stats(line) for line in finished["stdout"].splitlines() if line.strip())
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


def _parse_line(line: str) -> tuple[str, dict[str, Any]]:
    """Return (file, differences) of one line."""
    about: dict[str, Any] = {}
    if line.startswith("missing"):
        # `missing` is two columns shorter than nine letters.
        line = f"  {line}"
        about["missing"] = True
    else:
        about["mismatch"] = [word for letter, word in _PROPERTIES.items() if letter in line[:9]]
    _, _, rest = line.lstrip().partition(" ")
    kind, _, path = rest.strip().partition(" ")
    if kind in _KINDS:
        return path.strip(), {**about, "type": _KINDS[kind]}
    return rest.strip(), about


def _stats(line: str) -> tuple[str, list[str]]:
    letters, *kind, path = line.split(None, 2) if line.split()[1] in _KINDS else line.split(None, 1)
    stats = [word for word, letter in zip(_STATS, letters, strict=False) if letter != "."]
    return path, [*stats, "config"] if kind else stats
