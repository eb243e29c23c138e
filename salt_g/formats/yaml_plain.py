"""Reader of YAML by standard rules: `0644` is octal, dates are dates, the last of repeated keys wins.

Files of other programs (`file.serialize` with `merge_if_exists`, `slsutil.deserialize`) must be written back
unchanged, whereas SLS rules would turn 0644 into 644.

Errors: YamlError. Source: YAML 1.1, as read by PyYAML's safe loader.
"""

from __future__ import annotations

import datetime
import re
from typing import Any

from salt_g.formats import yaml_scalars
from salt_g.formats.yaml_construct import Construction
from salt_g.formats.yaml_load import UNICODE_STRING
from salt_g.formats.yaml_nodes import compose

_MOMENT = re.compile(
    r"(?P<date>\d{4}-\d\d?-\d\d?)(?:[Tt]|[ \t]+)(?P<time>\d\d?:\d\d:\d\d)(?:\.(?P<fraction>\d*))?"
    r"(?:[ \t]*(?P<zone>Z|[-+]\d\d?(?::\d\d)?))?"
)


def load_plain(text: str | bytes, *, name: str = UNICODE_STRING) -> Any:
    """Return the data of the single YAML document in `text`, or None if it is empty; raises YamlError."""
    return _PlainConstruction(name).run(compose(text, name=name))


class _PlainConstruction(Construction):
    has_unique_keys = False

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.readers = {
            **yaml_scalars.READERS,
            yaml_scalars.INT: read_int,
            yaml_scalars.TIMESTAMP: read_timestamp,
        }

    def text(self, node: Any) -> Any:
        """Return the value of a text node: a date if it is unquoted and looks like one, else the text."""
        is_plain = not node.style
        if is_plain and yaml_scalars.written_tag_of(node.value) == yaml_scalars.TIMESTAMP:
            return self.scalar(node, yaml_scalars.TIMESTAMP)
        return node.value


def read_int(text: str) -> int:
    """Return an integer; a leading zero makes it octal."""
    digits = text.replace("_", "")
    sign, digits = (-1, digits[1:]) if digits.startswith("-") else (1, digits.removeprefix("+"))
    if digits.startswith("0") and digits.isdigit() and digits != "0":
        return sign * int(digits, 8)
    return sign * yaml_scalars.read_int(digits)


def read_timestamp(text: str) -> datetime.date:
    """Return a date, or a date and time with its zone; raises ValueError."""
    found = _MOMENT.fullmatch(text)
    if found is None:
        return datetime.date(*map(int, text.split("-")))
    day = datetime.date(*map(int, found["date"].split("-")))
    hour, minute, second = map(int, found["time"].split(":"))
    microsecond = int((found["fraction"] or "")[:6].ljust(6, "0"))
    time = datetime.time(hour, minute, second, microsecond, tzinfo=_zone(found["zone"]))
    return datetime.datetime.combine(day, time)


def _zone(text: str | None) -> datetime.timezone | None:
    if not text:
        return None
    if text == "Z":
        return datetime.timezone(datetime.timedelta())
    hours, _, minutes = text[1:].partition(":")
    offset = datetime.timedelta(hours=int(hours), minutes=int(minutes or 0))
    return datetime.timezone(-offset if text[0] == "-" else offset)
