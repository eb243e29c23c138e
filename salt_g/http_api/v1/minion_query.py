"""Queries on the rows of minions: filter, sort, paginate, count.

Shapes: a filter is a list of words, all of which must match: `os:Debian`, `status:failed`, `status:away`,
`version:3008*`, `id:web*`, `address:10.1.*`. A word without a name matches a part of an id, OS or address.
Errors: Refusal with 400 for a filter or order that cannot be read.
"""

from __future__ import annotations

import collections
import fnmatch
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from salt_g.http_api.messages import Refusal

Row = Mapping[str, Any]
Test = Callable[[Row], bool]
#: Fields of a row that clients can choose, fields to sort by, and fields whose values are counted.
FIELDS = (
    *("id", "os", "os_version", "os_family", "kernel", "version", "addresses"),
    *("seen", "connected", "status", "last_run", "resources"),
)
SORTED_BY = ("id", "os", "version", "seen", "status", "resources")
FACETS = ("os", "os_family", "version", "kernel")
#: Statuses counted in an overview of the fleet; an `away` minion is also counted under its last status.
STATUSES = ("ok", "changed", "would change", "failed", "none")
AWAY = "away"
_MOST_WORDS, _MOST_VALUES = 20, 50
_ORDER = {"failed": "0", "would change": "1", "changed": "2", "ok": "3", "none": "4"}


def filtered(rows: Iterable[Row], text: str) -> list[Row]:
    """Return the rows that match a filter."""
    tests = _tests(text)
    return [row for row in rows if all(test(row) for test in tests)]


def arranged(rows: list[Row], order: str) -> list[Row]:
    """Return rows sorted by a field and then by id, both descending if `order` begins with a minus."""
    name = order.removeprefix("-") or "id"
    if name not in SORTED_BY:
        raise Refusal(
            400, f"sort must be one of {', '.join(SORTED_BY)}; a - before the name sorts in descending order"
        )
    return sorted(rows, key=lambda row: (_key(row, name), row["id"]), reverse=order.startswith("-"))


def paged(
    rows: Sequence[Row], order: str, after: str, limit: int, *, skip: int = 0
) -> tuple[Sequence[Row], str | None]:
    """Return (page of rows that follow the row `after`, id of the last one or None if no rows remain).

    `skip` further rows are left out. In an order other than by id, the page is empty if the row `after` no
    longer exists.
    """
    start = 0
    if after:
        if order in ("", "id"):
            start = sum(row["id"] <= after for row in rows)
        else:
            places = (place for place, row in enumerate(rows) if row["id"] == after)
            start = next(places, len(rows)) + 1
    start += skip
    page = rows[start : start + limit]
    return page, page[-1]["id"] if start + limit < len(rows) else None


def shown(row: Row, fields: str) -> Row:
    """Return a row's id and the fields that a client chose, or all fields if `fields` is empty."""
    if not fields:
        return {name: row[name] for name in FIELDS}
    return {name: row[name] for name in ("id", *fields.split(",")) if name in FIELDS}


def check_fields(fields: str) -> None:
    """Raise Refusal for a field that does not exist."""
    unknown = [name for name in fields.split(",") if name not in FIELDS] if fields else []
    if unknown:
        raise Refusal(400, f"there is no field {unknown[0][:50]!r}; fields are {', '.join(FIELDS)}")


def summary(rows: Sequence[Row]) -> dict[str, Any]:
    """Return counts of minions by status and by facet; each facet value has the filter for its rows."""
    counts = collections.Counter(row["status"] for row in rows)
    away = sum(not row["connected"] for row in rows)
    status = {**{name: counts[name] for name in STATUSES}, AWAY: away}
    return {"total": len(rows), "status": status, "facets": {name: _facet(rows, name) for name in FACETS}}


def _facet(rows: Sequence[Row], name: str) -> list[dict[str, Any]]:
    counts = collections.Counter(row[name] for row in rows if row[name] is not None)
    return [
        {"value": value, "count": count, "filter": f"{name}:{shlex.quote(value)}"}
        for value, count in counts.most_common(_MOST_VALUES)
    ]


def _key(row: Row, name: str) -> tuple[bool, Any]:
    value = row[name]
    if name == "status":
        value = _ORDER[value]
    return (value is None, "" if value is None else value)


def _tests(text: str) -> list[Test]:
    try:
        words = shlex.split(text)
    except ValueError as exc:
        raise Refusal(400, f"the filter cannot be read: {exc}; quote values with spaces") from None
    if len(words) > _MOST_WORDS:
        raise Refusal(400, f"a filter must not exceed {_MOST_WORDS} words")
    return [_test(word) for word in words]


def _test(word: str) -> Test:
    name, colon, value = word.partition(":")
    if not colon or name not in (*FIELDS, "address"):
        wanted = word.lower()
        return lambda row: (
            wanted in row["id"].lower()
            or wanted in (row["os"] or "").lower()
            or any(wanted in address for address in row["addresses"])
        )
    if word == f"status:{AWAY}":
        return lambda row: not row["connected"]
    if name in ("address", "addresses"):
        fits = _pattern(value)
        return lambda row: any(fits(address) for address in row["addresses"])
    if name == "connected":
        return lambda row: row["connected"] == (value == "true")
    if name in ("seen", "last_run", "resources"):
        raise Refusal(400, f"rows cannot be filtered by {name}")
    fits = _pattern(value)
    return lambda row: row[name] is not None and fits(row[name])


def _pattern(value: str) -> Callable[[str], bool]:
    """Return a function that tests a text against a pattern with * and ?, ignoring case."""
    if not any(sign in value for sign in "*?["):
        return lambda text: text.lower() == value.lower()
    found = re.compile(fnmatch.translate(re.sub(r"\*+", "*", value)), re.I)
    return lambda text: found.match(text) is not None
