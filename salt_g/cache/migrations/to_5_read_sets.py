"""Migration from version 4 to 5: read-sets of state runs.

`read_runs` has the last run of each call of a minion, `read_sets` has each set of names once, `read_items` is
the index from names to sets.
Units: `at`, `last` in seconds since the epoch; `bytes` is the size of a set with its index.
"""

from __future__ import annotations

SQL = """
CREATE TABLE read_runs (
    minion TEXT NOT NULL, ran TEXT NOT NULL, at REAL NOT NULL, jid TEXT NOT NULL, digest BLOB NOT NULL,
    PRIMARY KEY (minion, ran)
);
CREATE INDEX read_runs_digest ON read_runs (digest);
CREATE INDEX read_runs_at ON read_runs (at);
CREATE TABLE read_sets (
    digest BLOB PRIMARY KEY, body BLOB NOT NULL, bytes INTEGER NOT NULL, last REAL NOT NULL
);
CREATE INDEX read_sets_last ON read_sets (last, bytes);
CREATE TABLE read_items (name TEXT NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (name, digest)) WITHOUT ROWID;
"""
