"""Statements for MySQL and MariaDB, with results in the comment, a grain or a file.

Further arguments are the connection parameters of the `mysql` module (`connection_host`, …).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from salt_g import safe_files
from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._mysql import forget, in_brackets, needs, refusal
from salt_g.states._outcome import as_wanted, changed, failed, would_change

_REMOTE = ("http://", "https://", "salt://", "s3://", "swift://")


def __virtual__() -> bool | tuple[bool, str]:
    return needs("mysql.query")


class _Output(NamedTuple):
    """Destination of results: none, the grain `grain` (under `key` if given), or the file `output`."""

    output: str | None
    grain: str | None
    key: str | None
    overwrite: bool

    @property
    def named(self) -> str:
        """Description of the destination for comments, or '' if there is none."""
        if self.output == "grain":
            return f"grain: {self.grain}" + (f":{self.key}" if self.key else "")
        return self.output or ""

    def problem(self) -> str | None:
        """Return the problem with the arguments, or None if there is none."""
        if self.output == "grain" and self.grain is None:
            return "Error: output type 'grain' needs the grain parameter\n"
        return None

    def already(self) -> str | None:
        """Return the comment about existing results that are kept; None if there are none."""
        if self.output is None or self.overwrite:
            return None
        if self.output != "grain":
            exists = os.path.isfile(self.output)
            return f"No execution needed. File {self.output} already set" if exists else None
        known = self._grain() if self.key else call("grains.ls")
        is_set = (self.key or self.grain) in known
        place = f"{self.grain}:{self.key}" if self.key else self.grain
        return f"No execution needed. Grain {place} already set" if is_set else None

    def would(self) -> str:
        """Return the comment of test mode."""
        if self.output is None:
            return "Query would execute, not storing result"
        place = self.named if self.output == "grain" else f"file: {self.output}"
        return f"Query would execute, storing result in {place}"

    def store(self, result: dict[str, Any]) -> str:
        """Store the results; return the entry for `changes`."""
        if self.output == "grain":
            call("grains.setval", self.grain, {**self._grain(), self.key: result} if self.key else result)
        elif self.output is not None:
            with open(self.output, "w", encoding="utf-8", opener=safe_files.opener) as file:
                rows = result.get("results") or [result]
                file.writelines(f"{column}:{value}\n" for row in rows for column, value in row.items())
        return f"Executed. Output into {self.named}" if self.output else "Executed"

    def _grain(self) -> dict[str, Any]:
        known = call("grains.get", self.grain, {})
        return dict(known) if isinstance(known, dict) else {}


def run(
    name: str,
    database: str,
    query: str,
    output: str | None = None,
    grain: str | None = None,
    key: str | None = None,
    overwrite: bool = True,
    check_db_exists: bool = True,
    client_flags: list[str] | None = None,
    **connection_args: Any,
) -> StateReturn:
    """Run a statement in a database.

    `output` is `grain` (with `grain` and perhaps `key`), the path of a file, or None; with `overwrite` False
    nothing runs if results exist already.

    Example::

        salt-g state.single mysql_query.run count database=shop query='SELECT COUNT(*) FROM orders'
    """
    place = _Output(output, grain, key, overwrite)
    args = {**connection_args, "client_flags": [] if client_flags is None else client_flags}

    def ask() -> Any:
        return call("mysql.query", database, query, **args)

    return _run(name, database, name, place, args, check_db_exists, ask)


def run_file(
    name: str,
    database: str,
    query_file: str | None = None,
    output: str | None = None,
    grain: str | None = None,
    key: str | None = None,
    overwrite: bool = True,
    saltenv: str | None = None,
    check_db_exists: bool = True,
    client_flags: list[str] | None = None,
    **connection_args: Any,
) -> StateReturn:
    """Run the statements of a file (default: the state's name) in a database.

    Example::

        salt-g state.single mysql_query.run_file tables database=shop query_file=salt://shop/tables.sql
    """
    place = _Output(output, grain, key, overwrite)
    args = {**connection_args, "client_flags": [] if client_flags is None else client_flags}
    path = query_file or name
    if path.startswith(_REMOTE):
        path = call("cp.cache_file", path, saltenv=saltenv or opts.get("saltenv") or "base")
    if not path or not os.path.exists(path):
        return failed(name, f"File {path or query_file or name} does not exist")

    def ask() -> Any:
        return call("mysql.file_query", database, path, **args)

    return _run(name, database, database, place, args, check_db_exists, ask)


def _run(
    name: str,
    database: str,
    shown: str,
    place: _Output,
    connection_args: dict[str, Any],
    check_db_exists: bool,
    ask: Callable[[], Any],
) -> StateReturn:
    """Run the statements; `shown` is the name in the comment about a missing database, as in stock."""
    forget()
    if not isinstance(connection_args["client_flags"], list):
        return failed(name, "Error: client_flags must be a list.")
    if check_db_exists and not call("mysql.db_exists", database, **connection_args):
        returned = refusal()
        return failed(name, returned) if returned else would_change(name, f"Database {shown} is not present")
    problem, already = place.problem(), place.already() if not place.problem() else None
    if problem or already:
        return failed(name, problem) if problem else as_wanted(name, str(already))
    if opts["test"]:
        return would_change(name, place.would())
    result = ask()
    if not result:
        return failed(name, f"Query failed{in_brackets()}")
    result = _by_column(result)
    return changed(name, str(result), {"query": place.store(result)})


def _by_column(returned: dict[str, Any]) -> dict[str, Any]:
    """Return a result with dicts as rows; rows of several statements are concatenated."""
    if "results" not in returned:
        return returned
    # Results of a file are lists, one for each statement.
    several = isinstance(returned["columns"], list)
    tables = (
        zip(returned["columns"], returned["results"], strict=True)
        if several
        else [(returned["columns"], returned["results"])]
    )
    rows = [dict(zip(columns, row, strict=True)) for columns, found in tables for row in found]
    return {**returned, "results": rows}
