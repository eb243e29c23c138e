"""Schema version and migrations.

SQLite stores a number for applications in each file (`user_version`); here it is the number of applied steps.
The steps are in `migrations/`, one file each.
Errors: StoreTooNew for a file of a newer salt-g, which is left unchanged.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

from salt_g.cache.migrations import (
    to_1_jobs_and_banks,
    to_2_resources,
    to_3_mail,
    to_4_history,
    to_5_read_sets,
)
from salt_g.errors import StoreTooNew

#: Migration steps; step n leads from version n to n + 1.
STEPS = (
    to_1_jobs_and_banks.SQL,
    to_2_resources.SQL,
    to_3_mail.SQL,
    to_4_history.SQL,
    to_5_read_sets.SQL,
)
#: The version that this salt-g reads and writes.
VERSION = len(STEPS)


def migrate(connection: sqlite3.Connection, path: str, steps: Sequence[str] = STEPS) -> tuple[int, int]:
    """Migrate a database to the newest version, atomically.

    If several programs open the same file, one applies all steps and the others do nothing. Return the
    version before and after.
    """
    if checked_version(connection, path, known=len(steps)) == len(steps):
        return len(steps), len(steps)
    connection.execute("BEGIN IMMEDIATE")
    try:
        before = checked_version(connection, path, known=len(steps))
        for step in steps[before:]:
            _take(connection, step)
        connection.execute(f"PRAGMA user_version = {len(steps)}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
    return before, len(steps)


def checked_version(connection: sqlite3.Connection, path: str, *, known: int = VERSION) -> int:
    """Return the version of a database; raises StoreTooNew for an unknown one."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > known:
        raise StoreTooNew(
            path,
            f"has version {version} and was written by a newer salt-g; this one knows versions up to {known}."
            " Start the newer salt-g, put back a copy of the file from before the upgrade, or move the file "
            "away: jobs are then lost, but grains, pillar and mine come back with the minions",
        )
    return version


def _take(connection: sqlite3.Connection, step: str) -> None:
    for statement in _statements(step):
        connection.execute(statement)


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of a script one by one, because `executescript` would end the transaction."""
    statement = ""
    for part in script.split(";"):
        statement += part + ";"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
