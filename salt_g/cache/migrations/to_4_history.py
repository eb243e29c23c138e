"""Migration from version 3 to 4: history of changes by state runs.

`changes` has a row for each changed state of a run, `texts` has each diff once, `tested` the digests of
minions' last runs, `indexed` the place up to which returns were read, `history_held` the size of changes and
texts.
Units: `at`, `last` in seconds since the epoch.
"""

from __future__ import annotations

SQL = """
CREATE TABLE changes (
    jid TEXT NOT NULL, minion TEXT NOT NULL, number INTEGER NOT NULL, at REAL NOT NULL, id TEXT NOT NULL,
    name TEXT NOT NULL, fun TEXT NOT NULL, cause INTEGER NOT NULL, is_test INTEGER NOT NULL,
    who TEXT NOT NULL, added INTEGER, removed INTEGER, text BLOB NOT NULL, PRIMARY KEY (jid, minion, number)
);
CREATE INDEX changes_name ON changes (name, at);
CREATE INDEX changes_id ON changes (id, at);
CREATE INDEX changes_at ON changes (at, cause);
CREATE TABLE texts (digest BLOB PRIMARY KEY, text BLOB NOT NULL, last REAL NOT NULL);
CREATE INDEX texts_last ON texts (last);
CREATE TABLE tested (minion TEXT PRIMARY KEY, at REAL NOT NULL, digests BLOB NOT NULL);
CREATE TABLE indexed (one INTEGER PRIMARY KEY, place BLOB NOT NULL);
CREATE TABLE history_held (one INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);
INSERT INTO history_held VALUES (1, 0);
"""
