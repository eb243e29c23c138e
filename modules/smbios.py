"""Facts that the firmware has about the machine (SMBIOS), read by dmidecode.

Shapes: a record is {"handle": "0x0001", "description", "type": number, "data": {key: value}}. Keys are those
of dmidecode in lower case with underscores; a value is text, a number, or a list.
Errors: CommandExecutionError with dmidecode's sentence, for an unknown keyword or type.
Source: dmidecode(8); the values of `clean` recorded from stock 3008.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.modules._booleans import is_true
from salt_g.modules._programs import run
from salt_g.modules._required import hint
from salt_g.process.command import which

_HANDLE = re.compile(r"^Handle (0x[0-9A-Fa-f]+), DMI type (\d+),.*$", re.MULTILINE)
#: Keys whose values stay as they are written.
_AS_WRITTEN = re.compile(r"serial|part|asset|product", re.IGNORECASE)
#: (pattern of keys, pattern of their placeholder values); the first entry whose keys match decides.
_PLACEHOLDERS = tuple(
    (re.compile(keys), re.compile(values, re.IGNORECASE))
    for keys, values in (
        (
            "serial|part|version",
            r"^0+$|^0?1234567|sernum|part[_-]?number|specified|filled|applicable",
        ),
        ("asset|manufacturer", "manufacturer|to be filled|available|asset|^no(ne|t)"),
        (
            "",
            r"to be filled|un(known|specified)"
            r"|no(t|ne)? (asset|provided|defined|available|present|specified)",
        ),
    )
)


def __virtual__() -> bool | tuple[bool, str]:
    if which("dmidecode"):
        return True
    return False, "The smbios execution module cannot be loaded: there is no dmidecode in the path." + hint(
        "dmidecode"
    )


def get(string: str, clean: Any = True) -> str | None:
    """Return a fact by dmidecode's keyword (`system-uuid`), None if the machine has none.

    Unless `clean` is False, placeholders of manufacturers count as none (`To Be Filled By O.E.M.`).

    Example::

        salt-g smbios.get system-uuid
    """
    lines = _dmidecode("-s", str(string)).strip().splitlines()
    value = "\n".join(line for line in lines if not line.startswith("#"))
    if value.startswith("/dev/mem") or (is_true(clean) and not _is_meant(string, value)):
        return None
    return value


def records(rec_type: Any = None, fields: Any = None, clean: Any = True) -> list[dict[str, Any]]:
    """Return all records, or those of a type; `fields` selects keys (list or comma-separated text).

    Unless `clean` is False, placeholders of manufacturers and records without data are left out.

    Example::

        salt-g smbios.records 4 core_count,thread_count
    """
    text = _dmidecode(*([] if rec_type is None else ["-t", str(rec_type)]))
    wanted = fields.split(",") if isinstance(fields, str) else list(fields or ())
    return [
        record
        for record in _records(text, frozenset(map(str, wanted)), is_clean=is_true(clean))
        if "data" in record or not is_true(clean)
    ]


def _records(text: str, fields: frozenset[str], *, is_clean: bool) -> Iterator[dict[str, Any]]:
    parts = iter(_HANDLE.split(text)[1:])
    for handle, number, body in zip(parts, parts, parts, strict=True):
        description, *lines = body.strip("\n").split("\n")
        record: dict[str, Any] = {"handle": handle, "description": description.strip(), "type": int(number)}
        data = _data(lines, fields, is_clean=is_clean)
        yield {**record, "data": data} if data else record


def _data(lines: list[str], fields: frozenset[str], *, is_clean: bool) -> dict[str, Any]:
    """Return the values of a record; lines below a key are the items of its list."""
    found: dict[str, list[Any]] = {}
    below: dict[str, list[Any]] = {}
    key = ""
    for line in lines:
        text, is_item = line.strip(), line.startswith("\t\t")
        if not is_item:
            name, _, text = (part.strip() for part in line.partition(":"))
            key = name.lower().replace(" ", "_")
        if (key == "header_and_data" and is_clean) or (fields and key not in fields):
            continue
        if not is_clean or _is_meant(key, text):
            (below if is_item else found).setdefault(key, []).append(_read(key, text))
    return {key: _joined(found.get(key, []), below.get(key, [])) for key in {**found, **below}}


def _joined(values: list[Any], items: list[Any]) -> Any:
    return [*values, *items] if items else values[-1]


def _read(key: str, text: str) -> Any:
    if _AS_WRITTEN.match(key):
        return text
    if "," in text:
        return [part.strip() for part in text.split(",")]
    return int(text) if re.fullmatch(r"[+-]?\d+", text, re.ASCII) else text


def _is_meant(key: str, value: str) -> bool:
    """Return whether a value is neither empty nor a manufacturer's placeholder."""
    if not value or value.lower().startswith("none"):
        return False
    if "uuid" in key:
        try:
            return bool(uuid.UUID(value))
        except ValueError:
            return False
    return not next(values for keys, values in _PLACEHOLDERS if keys.search(key)).search(value)


def _dmidecode(*words: str) -> str:
    finished = run(["dmidecode", *words])
    said = (finished["stderr"] or finished["stdout"]).strip()
    # A machine without such tables has no facts; that is no error.
    if finished["retcode"] and not said.startswith("/dev/mem"):
        raise CommandExecutionError(f"dmidecode: {said.splitlines()[0] if said else 'no output'}")
    return str(finished["stdout"])
