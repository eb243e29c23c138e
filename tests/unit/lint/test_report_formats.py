"""Findings as text, SARIF and GitHub's commands."""

import json

from salt_g.lint.finding import ERROR, WARNING, LintFinding
from salt_g.lint.report_formats import as_github, as_sarif, as_text

FOUND = [
    LintFinding("web/a.sls", 3, 7, ERROR, "cycle", "round", "cut it"),
    LintFinding("b, c.sls", 0, 0, WARNING, "syntax", "100% bad\nvery"),
    LintFinding("", 0, 0, WARNING, "pillar", "somewhere"),
]


def test_text_has_a_line_for_each():
    assert as_text(FOUND[:1]) == "web/a.sls:3:7 error cycle round (cut it)"
    assert as_text([FOUND[1]]).startswith("b, c.sls warning syntax")
    assert as_text([FOUND[2]]) == "warning pillar somewhere"
    assert as_text([]) == ""


def test_github_gets_escaped_commands():
    assert as_github(FOUND).splitlines() == [
        "::error file=web/a.sls,line=3,col=7,title=cycle::round (cut it)",
        "::warning file=b%2C c.sls,line=1,col=1,title=syntax::100%25 bad%0Avery",
        "::warning title=pillar::somewhere",
    ]


def test_sarif_names_rules_and_places():
    run = json.loads(as_sarif(FOUND, "1.2"))["runs"][0]

    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["cycle", "pillar", "syntax"]
    assert [result["level"] for result in run["results"]] == ["error", "warning", "warning"]
    (nowhere,) = run["results"][2]["locations"]
    assert nowhere["physicalLocation"]["artifactLocation"] == {"uri": "."}
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "web/a.sls"
    assert place["region"] == {"startLine": 3, "startColumn": 7}
