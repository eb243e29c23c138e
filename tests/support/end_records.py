"""End records of calls, compared with their schema in docs."""

import json
import pathlib

import jsonschema

SCHEMA = json.loads((pathlib.Path(__file__).parents[2] / "docs" / "end-record.schema.json").read_text())


def checked(path):
    """Return the end record in a file; it is as its schema says, and its counts are those of its minions."""
    record = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.validate(record, SCHEMA, cls=jsonschema.Draft202012Validator)
    verdicts = [one["verdict"] for one in record["minions"].values()]
    assert record["counts"] == {verdict: verdicts.count(verdict) for verdict in verdicts}
    return record
