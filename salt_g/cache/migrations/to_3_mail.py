"""Migration from version 2 to 3: jobs that wait for minions which are away.

`orders` has each job once, `mail` has a row for each minion that has not returned it; `jid` is '' until the
job is sent to that minion.
Units: `made` and `until` in seconds since the epoch.
"""

from __future__ import annotations

SQL = """
CREATE TABLE orders (
    id TEXT PRIMARY KEY, made REAL NOT NULL, until REAL NOT NULL, digest TEXT NOT NULL, owner TEXT NOT NULL,
    load BLOB NOT NULL
);
CREATE TABLE mail (
    minion TEXT NOT NULL, order_id TEXT NOT NULL, jid TEXT NOT NULL, PRIMARY KEY (minion, order_id)
);
CREATE INDEX mail_orders ON mail (order_id);
CREATE INDEX mail_sent ON mail (jid) WHERE jid <> '';
"""
