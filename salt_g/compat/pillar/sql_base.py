"""Stock's `salt.pillar.sql_base`: external pillars from rows of a database.

Shapes: the columns of a query except the last become nested keys, the last column the value; with `depth`,
only that many columns are keys, and several remaining ones become a mapping by column name. Subclasses define
`_db_name`, `_get_options` and `_get_cursor`.
"""

import abc
import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from salt_g.data.nested import merge_recursive
from salt_g.shapes import PillarDict


class _Query(NamedTuple):
    """One query with the options for its rows."""

    query: str
    depth: int = 0
    as_list: bool = False
    as_json: bool = False
    with_lists: frozenset[int] = frozenset()
    ignore_null: bool = False


#: (pillar key below which the rows are stored, or None; query)
_RootedQuery = tuple[str | None, _Query]


class SqlBaseExtPillar(metaclass=abc.ABCMeta):
    """External pillar from a database."""

    @classmethod
    @abc.abstractmethod
    def _db_name(cls) -> str:
        """Return the name of the database product."""

    @abc.abstractmethod
    def _get_cursor(self) -> AbstractContextManager[Any]:
        """Return a cursor for the body of a `with` block."""

    def extract_queries(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[_RootedQuery]:
        """Return (root key or None, query) of each query in the settings."""
        given = [*((None, arg) for arg in args), *kwargs.items()]
        return [(root, query) for root, query in ((root, _query(arg)) for root, arg in given) if query.query]

    def fetch(self, minion_id: str, pillar: PillarDict, *args: Any, **kwargs: Any) -> PillarDict:
        """Return the pillar of a minion; each query receives the minion's id as its parameter."""
        result: PillarDict = {}
        with self._get_cursor() as cursor:
            for root, query in self.extract_queries(args, kwargs):
                cursor.execute(query.query, (minion_id,))
                names = [column[0] for column in cursor.description]
                tree: dict[Any, Any] = {}
                for row in cursor.fetchall():
                    _enter(tree, query, names, row)
                found = _listed(tree, query.with_lists)
                result = merge_recursive(result, found if root is None else {root: found})
        return result


def _query(given: Any) -> _Query:
    """Return a query given as text, as a list (query, depth, as_list) or as a mapping."""
    if isinstance(given, str):
        return _Query(given)
    if not isinstance(given, Mapping):
        return _Query(*tuple(given)[:3])
    lists = given.get("with_lists") or ()
    levels = lists.split(",") if isinstance(lists, str) else lists
    known = {name: given[name] for name in _Query._fields if name in given}
    return _Query(**{"query": "", **known, "with_lists": frozenset(int(level) for level in levels)})


def _enter(tree: dict[Any, Any], query: _Query, names: Sequence[str], row: Sequence[Any]) -> None:
    """Add a row to the tree of a query."""
    if query.ignore_null and row[-1] is None:
        return
    if len(row) == 1:
        tree.update(json.loads(row[0]) if query.as_json else {row[0]: row[0]})
        return
    most = len(row) - 1
    depth = min(query.depth, most) if query.depth > 0 else most
    for key in row[: depth - 1]:
        tree = tree.setdefault(key, {})
    last, rest = row[depth - 1], row[depth:]
    if depth in query.with_lists:
        tree.setdefault(last, []).extend(rest)
    elif len(rest) == 1:
        _put(tree, last, rest[0], query.as_list)
    else:
        below = tree.setdefault(last, {})
        for name, value in zip(names[depth:], rest, strict=True):
            _put(below, name, value, query.as_list)


def _put(tree: dict[Any, Any], key: Any, value: Any, as_list: bool) -> None:
    """Set a value; with `as_list`, several values of one key become a list."""
    if as_list and key in tree:
        before = tree[key]
        value = [*before, value] if isinstance(before, list) else [before, value]
    tree[key] = value


def _listed(tree: Any, levels: frozenset[int], level: int = 0) -> Any:
    """Return the tree with mappings at these levels turned into lists; level 1 is below the first keys."""
    if not isinstance(tree, dict):
        return tree
    below = {key: _listed(value, levels, level + 1) for key, value in tree.items()}
    return list(below.values()) if level in levels else below


__all__ = ["SqlBaseExtPillar"]
