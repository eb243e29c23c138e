"""Migration of an empty file to version 1: jobs, expected minions, returns; values by bank and key.

Units: `expires`, `updated`, `ended` in seconds since the epoch; `bytes` is the size of all jobs.
"""

from __future__ import annotations

_JOBS = """
CREATE TABLE jobs (jid TEXT PRIMARY KEY, fun TEXT NOT NULL, load BLOB NOT NULL, ended REAL);
CREATE TABLE expected (
    jid TEXT NOT NULL, source TEXT NOT NULL, ids BLOB NOT NULL, PRIMARY KEY (jid, source)
);
CREATE TABLE returns (jid TEXT NOT NULL, id TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (jid, id));
"""

_BANKS = """
CREATE TABLE entries (
    bank TEXT NOT NULL, key TEXT NOT NULL, data BLOB NOT NULL, updated REAL NOT NULL, expires REAL,
    PRIMARY KEY (bank, key)
);
"""

#: Overhead of a row in addition to its blob (bytes): keys, index, page.
_ROW = 100


def _counted(table: str, column: str) -> str:
    """Return SQL of triggers that keep the sum of a table's bytes up to date, to avoid table scans."""
    add, drop = f"length(new.{column}) + {_ROW}", f"length(old.{column}) + {_ROW}"
    change = "UPDATE held SET bytes = bytes"
    return f"""
CREATE TRIGGER {table}_in AFTER INSERT ON {table} BEGIN {change} + {add}; END;
CREATE TRIGGER {table}_out AFTER DELETE ON {table} BEGIN {change} - ({drop}); END;
CREATE TRIGGER {table}_new AFTER UPDATE OF {column} ON {table} BEGIN {change} + {add} - ({drop}); END;
"""


_HELD = (
    "CREATE TABLE held (bytes INTEGER NOT NULL);\nINSERT INTO held VALUES (0);\n"
    + _counted("jobs", "load")
    + _counted("expected", "ids")
    + _counted("returns", "data")
)

SQL = _JOBS + _BANKS + _HELD
