"""Drives as hardware: hdparm, SMART attributes and the load measured by iostat.

Each program's output has its own parser.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Sequence
from typing import Any

from salt_g.api import call
from salt_g.errors import CommandExecutionError
from salt_g.modules._required import require
from salt_g.process.redaction import RedactedOutput

log = logging.getLogger(__name__)

#: Flags of hdparm that only read.
READING_FLAGS = "aAbBcCdgHiJkMmNnQrRuW"
_NUMBER_AND_WORD = re.compile(r"(\d+) \((\S*)")


def hdparms(disks: str | Sequence[str], args: str | Sequence[str] = READING_FLAGS) -> dict[str, Any]:
    """Return {device: {name: value}} as hdparm reports it for disks; `args` are its one-letter flags.

    Example::

        salt-g disk.hdparms sda
    """
    require("hdparm")
    names = [disks] if isinstance(disks, str) else list(disks)
    paths = [name if name.startswith("/dev") else f"/dev/{name}" for name in names]
    return {path: parse_hdparm(_hdparm([f"-{''.join(args)}", path])) for path in paths}


def hpa(disks: str | Sequence[str], size: int | str | None = None) -> dict[str, Any] | None:
    """Return total, visible and hidden sectors of disks, or hide part of them.

    `size` is the number of sectors to hide, or a part of the disk (`10%`). Returns {device: {"total",
    "visible", "hidden"}} (only "total" if nothing is hidden), or None if `size` is given.

    Example::

        salt-g disk.hpa /dev/sda
    """
    found = {disk: _protected(next(iter(about.values()))) for disk, about in hdparms(disks, "N").items()}
    if size is None:
        return found
    for disk, about in found.items():
        _hdparm(["--yes-i-know-what-i-am-doing", f"-Np{_visible(about['total'], size)}", disk], failhard=True)
    return None


def smart_attributes(
    dev: str, attributes: Sequence[int] | None = None, values: Sequence[str] | None = None
) -> dict[int, dict[str, Any]]:
    """Return {attribute number: {column: value}} of the SMART attributes of a drive.

    `attributes` (numbers) and `values` (names of columns in lower case) restrict the result.

    Example::

        salt-g disk.smart_attributes /dev/sda attributes='[1, 5]' values='[raw_value]'
    """
    path = dev if dev.startswith("/dev/") else f"/dev/{dev}"
    asked = ["smartctl", "--attributes", path]
    answer = call("cmd.run_all", asked, output_loglevel="quiet", python_shell=False)
    if answer["retcode"] != 0:
        raise CommandExecutionError(answer["stderr"])
    table = parse_smart(answer["stdout"])
    return {
        number: {name: value for name, value in row.items() if values is None or name in values}
        for number, row in table.items()
        if attributes is None or number in attributes
    }


def iostat(interval: int = 1, count: int = 5, disks: str | Sequence[str] | None = None) -> dict[str, Any]:
    """Return the mean load of disks over `count` measurements, `interval` seconds apart.

    The result is {disk: {column of iostat: mean}}. Without `disks` all disks are measured, and the processor
    load is included under `sys`.

    Example::

        salt-g disk.iostat 1 5 disks=sda
    """
    require("iostat")
    names = [disks] if isinstance(disks, str) else list(disks or [])
    asked = ["iostat", "-xd" if names else "-x", str(interval), str(count), *names]
    return parse_iostat(call("cmd.run_stdout", asked, output_loglevel="quiet", python_shell=False))


def parse_hdparm(listing: str) -> dict[str, Any]:
    """Parse the output lines of hdparm, `name = value` or `name: values`, into a dict."""
    found = {}
    for line in listing.splitlines():
        match = re.match(r"\s*([^:=]+?)(?: is)?\s*[:=]\s*(\S.*)", line)
        if match:
            value = _hdparm_value(match[2].strip())
            if value != []:
                found[match[1].strip().lower().replace(" ", "_")] = value
    return found


def parse_smart(listing: str) -> dict[int, dict[str, Any]]:
    """Parse the table of `smartctl --attributes` into a dict by attribute number."""
    lines = iter(listing.splitlines())
    header = next((line for line in lines if line.startswith("ID#")), "").lower().split()[1:]
    found = {}
    for line in lines:
        if not re.match(r"\s*\d", line):
            break
        number, *row = re.split(r"\s+", line.strip(), maxsplit=len(header))
        found[int(number)] = {name: _smart_value(value) for name, value in zip(header, row, strict=False)}
    return found


def parse_iostat(listing: str) -> dict[str, dict[str, float]]:
    """Return the column averages of `iostat -x`, by device, with processors under `sys`."""
    measured: dict[str, list[dict[str, float]]] = {}
    header: list[str] = []
    name = ""
    for words in (line.split() for line in listing.splitlines()):
        if words and words[0].rstrip(":") in ("avg-cpu", "Device"):
            name, header = ("sys" if words[0].startswith("avg") else ""), words[1:]
        elif words and header:
            key, numbers = (name, words) if name else (words[0], words[1:])
            measured.setdefault(key, []).append(dict(zip(header, map(_decimal, numbers), strict=False)))
        elif not words:
            header = []
    return {key: _means(rows) for key, rows in measured.items()}


def _hdparm(args: list[str], failhard: bool = False) -> str:
    answer = call("cmd.run_all", ["hdparm", *args], python_shell=False)
    if answer["retcode"] != 0:
        message = f"hdparm {' '.join(args)}: {answer['stderr']}"
        if failhard:
            raise CommandExecutionError(message)
        log.warning("%s", RedactedOutput(message))
    return str(answer["stdout"])


def _hdparm_value(text: str) -> Any:
    match = _NUMBER_AND_WORD.match(text)
    if match:
        return [int(match[1]), match[2].strip("()")]
    plain: list[Any] = []
    named = {}
    for part in (part.strip() for part in re.split("[/,]", text)):
        key, separator, value = part.partition("=")
        if separator and value.strip():
            named[key.strip()] = value.strip()
        elif part and not separator:
            plain.append(int(part) if part.lstrip("-").isdigit() else part)
    values = plain + [named] if named else plain
    return values[0] if len(values) == 1 else values


def _protected(answer: Sequence[Any]) -> dict[str, int]:
    visible, total, status = answer
    if visible == total or "disabled" in status:
        return {"total": total}
    return {"total": total, "visible": visible, "hidden": total - visible}


def _visible(total: int, hidden: int | str) -> int:
    """Return the number of visible sectors; a request to hide all of them is ignored."""
    text = str(hidden)
    left = total * (100 - int(text[:-1])) // 100 if text.endswith("%") else total - int(text)
    return left if left > 0 else total


def _smart_value(text: str) -> Any:
    if text.lstrip("-").isdigit():
        return int(text)
    words = text.split(" ")
    return [int(word) for word in words] if all(word.isdigit() for word in words) else text


def _decimal(text: str) -> float:
    # Some locales use a decimal comma.
    return float(text.replace(",", "."))


def _means(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    return {name: _mean(row[name] for row in rows if name in row) for name in rows[0]}


def _mean(numbers: Iterable[float]) -> float:
    values = list(numbers)
    return round(sum(values) / len(values), 2)
