"""Output formats of findings: text, SARIF for code scanning, and workflow commands for GitHub."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from salt_g.lint.finding import ERROR, LintFinding

#: Schema of the SARIF version that is written.
_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def as_text(found: Sequence[LintFinding]) -> str:
    """Return a line for each finding: `web/init.sls:14:7 error unknown-requisite …`."""
    return "\n".join(f"{_place(finding)}{finding.level} {finding.rule} {finding.text()}" for finding in found)


def as_github(found: Sequence[LintFinding]) -> str:
    """Return workflow commands, which GitHub shows at the lines of a change."""
    return "\n".join(
        f"::{finding.level} {_in_file(finding)}title={finding.rule}::{_data(finding.text())}"
        for finding in found
    )


def _in_file(finding: LintFinding) -> str:
    """Return the properties of a workflow command that name a place, or '' for a finding in no file."""
    if not finding.path:
        return ""
    return f"file={_property(finding.path)},line={max(finding.line, 1)},col={max(finding.column, 1)},"


def as_sarif(found: Sequence[LintFinding], version: str) -> str:
    """Return a SARIF 2.1.0 log of one run of this version of salt-g."""
    rules = sorted({finding.rule for finding in found})
    driver = {
        "name": "salt-g lint",
        "semanticVersion": version,
        "rules": [{"id": rule, "name": rule} for rule in rules],
    }
    run = {"tool": {"driver": driver}, "results": [_result(finding) for finding in found]}
    return json.dumps({"$schema": _SARIF, "version": "2.1.0", "runs": [run]}, indent=2)


def _result(finding: LintFinding) -> dict[str, Any]:
    region = {"startLine": max(finding.line, 1), "startColumn": max(finding.column, 1)}
    # Code scanning rejects a whole report if one result has no location, so use the top of the tree.
    location = {"artifactLocation": {"uri": finding.path or "."}, "region": region}
    return {
        "ruleId": finding.rule,
        "level": "error" if finding.level == ERROR else "warning",
        "message": {"text": finding.text()},
        "locations": [{"physicalLocation": location}],
    }


def _place(finding: LintFinding) -> str:
    """Return the place of a finding followed by a space, or '' for a finding in no file."""
    if not finding.path:
        return ""
    numbers = (finding.line, finding.column) if finding.column else (finding.line,)
    return ":".join([finding.path, *(map(str, numbers) if finding.line else ())]) + " "


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
