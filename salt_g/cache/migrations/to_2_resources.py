"""Migration from version 1 to 2: the table of resources and their minions.

Units: `since` in seconds since the epoch.
"""

from __future__ import annotations

SQL = """
CREATE TABLE resources (
    srn TEXT PRIMARY KEY, minion TEXT NOT NULL, standby BLOB NOT NULL, takes_leases INTEGER NOT NULL,
    since REAL NOT NULL
);
"""
