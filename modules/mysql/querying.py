"""Execution of SQL statements and of files of statements."""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Iterator
from typing import Any

from salt_g.api import call
from salt_g.modules.mysql._server import connected, execute, note, or_else

log = logging.getLogger(__name__)

_REMOTE = ("salt://", "http://", "https://", "swift://", "s3://")
#: First words of statements that return rows.
_READERS = ("SELECT", "SHOW", "DESC")
#: A quoted text, a comment, a semicolon, or one character.
_PIECE = re.compile(
    r"(?P<text>'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\"|`(?:[^`]|``)*`)"
    r"|(?P<comment>--(?=\s|$)[^\n]*|\#[^\n]*|/\*(?!!).*?\*/)|(?P<end>;)|(?P<one>.)",
    re.DOTALL,
)


@or_else(bool)
def query(database: str, query: str, **connection_args: Any) -> dict[str, Any]:
    """Run a statement in a database; return its rows and duration.

    The return is {"query time": {"human", "raw" (s)}} with "rows returned", "columns" and "results", or with
    "rows affected".

    Example::

        salt-g mysql.query shop "SELECT id, name FROM customers LIMIT 5"
    """
    from pymysql import converters

    # Values that the server returns become text, as in stock; the conversion of sent values stays PyMySQL's.
    conversions = {**converters.encoders, **dict.fromkeys(converters.decoders, str)}
    with connected({**connection_args, "connection_db": database}, conv=conversions) as server:
        start = time.monotonic()
        answer = execute(server, query, None)
        took = time.monotonic() - start
    human = f"{round(took * 1000, 1)}ms" if took < 0.2 else f"{round(took, 2)}s"
    result: dict[str, Any] = {"query time": {"human": human, "raw": str(round(took, 5))}}
    if not query.strip().upper().startswith(_READERS):
        return {**result, "rows affected": answer.touched}
    return {
        **result,
        "rows returned": answer.touched,
        "columns": answer.columns,
        "results": tuple(answer.rows),
    }


def file_query(database: str, file_name: str, **connection_args: Any) -> dict[str, Any] | bool:
    """Run the statements of a file (a path or URL); return the combined results, False on failure.

    Example::

        salt-g mysql.file_query shop salt://shop/tables.sql
    """
    path = call("cp.cache_file", file_name) if file_name.startswith(_REMOTE) else file_name
    if not path or not os.path.exists(path):
        note(f'File "{path or file_name}" does not exist')
        return False
    with open(path, encoding="utf-8") as file:
        text = file.read()
    together: dict[str, Any] = {"rows returned": 0, "columns": [], "results": [], "rows affected": 0}
    took = 0.0
    for statement in statements(text):
        result = query(database, statement, **connection_args)
        if not result:
            return False
        took += float(result["query time"]["raw"])
        for name in ("rows returned", "rows affected"):
            together[name] += result.get(name, 0)
        for name in ("columns", "results"):
            together[name] += [result[name]] if name in result else []
    together["query time"] = {"human": f"{round(took, 2)}s", "raw": round(took, 5)}
    return {name: value for name, value in together.items() if value}


def statements(text: str) -> Iterator[str]:
    """Yield the semicolon-terminated statements of a text, without comments."""
    found = ""
    for piece in _PIECE.finditer(text):
        if piece["end"]:
            if found.strip():
                yield found.strip()
            found = ""
        elif not piece["comment"]:
            found += piece[0]
