"""External pillar `csv`: the minion's row of a table.

Shapes: the first line of the file names the columns; `idkey` is the column with minion ids.
"""

from __future__ import annotations

import csv as table

from salt_g.shapes import PillarDict


def csv(
    minion_id: str,
    pillar: PillarDict,
    path: str,
    idkey: str = "id",
    namespace: str | None = None,
    fieldnames: list[str] | None = None,
    restkey: str | None = None,
    restval: str | None = None,
    dialect: str = "excel",
) -> PillarDict:
    """Return the columns of the minion's row, under `namespace` if given."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = table.DictReader(
            file, fieldnames=fieldnames, restkey=restkey, restval=restval, dialect=dialect
        )
        row = next((dict(row) for row in rows if row[idkey] == minion_id), None)
    if row is None:
        return {}
    return {namespace: row} if namespace else row
