"""The tables, and how an older file gets them.

Why its own file: the one place that says what is in the database. `user_version` counts the
steps that a file has taken; a step, once released, is never changed.
Units: `expires`, `updated`, `ended` in seconds since the epoch; `bytes` is what jobs hold.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from salt_g.errors import StoreTooNew

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

#: What a row costs besides its blob: keys, index and page overhead.
_ROW = 100


def _counted(table: str, column: str) -> str:
    """Return triggers that keep the sum of one table's bytes, so that no one has to add it up."""
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

_RESOURCES = """
CREATE TABLE resources (
    srn TEXT PRIMARY KEY, minion TEXT NOT NULL, standby BLOB NOT NULL, takes_leases INTEGER NOT NULL,
    since REAL NOT NULL
);
"""

#: Step n leads from version n to n + 1.
STEPS = (_JOBS + _BANKS + _HELD, _RESOURCES)


def migrate(connection: sqlite3.Connection, path: str, steps: Sequence[str] = STEPS) -> None:
    """Bring a database to the newest version, each step whole or not at all.

    Raises StoreTooNew for a file of a newer salt-g, which is left as it is.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > len(steps):
        raise StoreTooNew(
            path, f"has version {version}, this salt-g knows {len(steps)}; use a newer salt-g or move it away"
        )
    for number in range(version, len(steps)):
        # executescript commits first; with BEGIN inside, version and tables change together.
        connection.executescript(f"BEGIN;\n{steps[number]}\nPRAGMA user_version = {number + 1};\nCOMMIT;")
