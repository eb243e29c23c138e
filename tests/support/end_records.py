"""End records of calls, compared with their schema in docs."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import jsonschema

SCHEMA = json.loads((pathlib.Path(__file__).parents[2] / "docs" / "end-record.schema.json").read_text())


def checked(path: pathlib.Path) -> dict[str, Any]:
    """Return the end record in a file, checked: it matches its schema, and its counts match its minions."""
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.validate(record, SCHEMA, cls=jsonschema.Draft202012Validator)
    verdicts = [one["verdict"] for one in record["minions"].values()]
    assert record["counts"] == {verdict: verdicts.count(verdict) for verdict in verdicts}
    return record
