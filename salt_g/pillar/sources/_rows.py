"""Conversion of database rows to pillar, by the options of a query.

Shapes: a query is SQL with one placeholder for the minion's id; `[query, depth]`; or a mapping with `query`,
`depth`, `as_list`, `as_json`, `with_lists`, `ignore_null`. Listed queries are merged at the top, named ones
below their names. With depth 2 the row (a, b, c, d) is {a: {b: {name of c: c, name of d: d}}}.
Source: stock docs "sql_base"; results compared with stock's adapter.
"""

from __future__ import annotations

import datetime
import decimal
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.data.nested import merge_recursive
from salt_g.errors import InvocationError
from salt_g.shapes import PillarDict


class Query(NamedTuple):
    """One query; `root` is the key for its rows, '' for the top level.

    `depth` columns are keys (0: all but the last); `as_list` collects colliding values in lists; the columns
    in `with_lists`, counted from 1, group into lists instead of mappings; with `ignore_null`, NULL does not
    replace a value; with `as_json` the only column contains JSON.
    """

    root: str
    query: str
    depth: int = 0
    as_list: bool = False
    as_json: bool = False
    with_lists: frozenset[int] = frozenset()
    ignore_null: bool = False


def queries(args: Iterable[Any], kwargs: Mapping[str, Any]) -> list[Query]:
    """Return the queries in a source's arguments: first the listed ones, then the named ones by name."""
    given = [("", one) for one in args] + sorted(kwargs.items())
    return [_query(root, one) for root, one in given if one]


def add_rows(pillar: PillarDict, query: Query, columns: Sequence[str], rows: Iterable[Any]) -> None:
    """Add the rows of a query to `pillar`."""
    target = pillar
    if query.root:
        target = pillar[query.root] = {}
    if query.as_json and len(columns) == 1:
        for (value,) in rows:
            target.update(merge_recursive(target, _document(value), merge_lists=query.as_list))
        return
    tree = _Tree(target, query, columns)
    for row in rows:
        tree.add([_plain(value) for value in row])
    tree.group()


class _Tree:
    """Nested mappings built row by row; `group` converts those selected by `with_lists` to lists."""

    def __init__(self, top: dict[Any, Any], query: Query, columns: Sequence[str]) -> None:
        self._top = top
        self._query = query
        self._columns = columns
        last = len(columns) - 1
        self._depth = query.depth if 0 < query.depth <= last else last
        # Mappings that become lists at the end, outer ones first: {(number of the mapping, key): mapping}.
        self._lists: dict[tuple[int, Any], dict[Any, Any]] = {}

    def add(self, row: Sequence[Any]) -> None:
        """Add one row to the mappings."""
        place = self._top
        for column, key in enumerate(row[: max(self._depth - 1, 0)], 1):
            place = self._below(place, key, column)
        if self._depth == len(row) - 1:
            self._put(place, row[self._depth - 1], row[-1], is_list=self._depth in self._query.with_lists)
            return
        place = self._below(place, row[self._depth - 1], self._depth)
        for column, name in enumerate(self._columns[self._depth :], self._depth):
            self._note(place, name, column + 1)
            self._put(place, name, row[column])

    def group(self) -> None:
        """Convert mappings to lists, inner ones first."""
        for (_, key), place in reversed(self._lists.items()):
            if isinstance(place.get(key), dict):
                place[key] = list(place[key].values())
            elif isinstance(place.get(key), list):
                place[key] = [place[key]]

    def _below(self, place: dict[Any, Any], key: Any, column: int) -> dict[Any, Any]:
        """Return the mapping under a key; any other value there is kept in a list or replaced."""
        self._note(place, key, column)
        there = place.setdefault(key, {})
        if isinstance(there, dict):
            return there
        new: dict[Any, Any] = {}
        if isinstance(there, list):
            there.append(new)
        else:
            place[key] = [there, new] if self._query.as_list else new
        return new

    def _put(self, place: dict[Any, Any], key: Any, value: Any, *, is_list: bool = False) -> None:
        if is_list or (self._query.as_list and key in place):
            there = place.get(key, [])
            place[key] = [*(there if isinstance(there, list) else [there]), value]
        elif value is not None or not self._query.ignore_null:
            place[key] = value

    def _note(self, place: dict[Any, Any], key: Any, column: int) -> None:
        if column in self._query.with_lists:
            self._lists.setdefault((id(place), key), place)


def _query(root: Any, given: Any) -> Query:
    if isinstance(given, str):
        return Query(str(root), given)
    if isinstance(given, list):
        return Query(str(root), str(given[0]), int(given[1]) if len(given) > 1 else 0)
    unknown = sorted(set(given) - set(Query._fields[1:])) if isinstance(given, Mapping) else []
    if not isinstance(given, Mapping) or not given.get("query") or unknown:
        what = f"has the unknown options {', '.join(unknown)}" if unknown else "has no `query`"
        raise InvocationError(
            f"the query {root or given!r} {what}; valid options are {', '.join(Query._fields[1:])}"
        )
    lists = given.get("with_lists") or ()
    columns = lists.split(",") if isinstance(lists, str) else lists
    numbers = frozenset(int(column) for column in ([columns] if isinstance(columns, int) else columns))
    return Query(**{"root": str(root), **given, "depth": int(given.get("depth") or 0), "with_lists": numbers})


def _document(value: Any) -> PillarDict:
    document = json.loads(value) if isinstance(value, str | bytes) else value
    if not isinstance(document, dict):
        raise InvocationError(
            f"a row of a query with `as_json` must be a JSON object, not a {type(document).__name__}"
        )
    return document


def _plain(value: Any) -> Any:
    """Convert a database value to a type that pillar supports."""
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    is_plain = isinstance(value, str | int | float | bytes | list | dict | datetime.date)
    return value if value is None or is_plain else str(value)
