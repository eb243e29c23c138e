"""Findings as diagnostics."""

from salt_g.language_server.diagnostics import MAX_FOR_FILE, Diagnostics
from salt_g.lint.finding import LintFinding

TEXT = "é😀: nosuch.fun\n"
FINDING = LintFinding("a.sls", 1, 5, "error", "unknown-function", "no", "nearest: x")


def changed(diagnostics, found, text=TEXT):
    return dict(diagnostics.changed({"/a.sls": found}, {"/a.sls": text}))


def test_a_finding_covers_its_word():
    ((found,),) = changed(Diagnostics(), [FINDING]).values()

    assert found == {
        "range": {"start": {"line": 0, "character": 5}, "end": {"line": 0, "character": 15}},
        "severity": 1,
        "code": "unknown-function",
        "source": "salt-g",
        "message": "no (nearest: x)",
    }


def test_a_finding_without_a_place_is_at_the_first_line():
    ((found,),) = changed(Diagnostics(), [FINDING._replace(line=0, column=0, level="warning")]).values()

    assert found["range"] == {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 15}}
    assert found["severity"] == 2


def test_a_line_behind_the_end_is_the_last_one():
    ((found,),) = changed(Diagnostics(), [FINDING._replace(line=99)]).values()

    assert found["range"]["start"]["line"] == 1


def test_only_changes_are_published_and_the_end_of_all_findings_is_one():
    diagnostics = Diagnostics()
    assert list(changed(diagnostics, [FINDING])) == ["/a.sls"]
    assert changed(diagnostics, [FINDING]) == {}
    assert dict(diagnostics.changed({"": [FINDING]}, {})) == {"/a.sls": []}
    assert dict(diagnostics.changed({}, {})) == {}


def test_findings_about_some_files_leave_those_of_others():
    diagnostics = Diagnostics()
    changed(diagnostics, [FINDING])
    text = {"/b.sls": TEXT}

    assert list(dict(diagnostics.changed({"/b.sls": [FINDING]}, text, ["/b.sls"]))) == ["/b.sls"]
    assert dict(diagnostics.changed({"/b.sls": []}, text, ["/b.sls"])) == {"/b.sls": []}
    assert changed(diagnostics, [FINDING]) == {}


def test_the_number_is_bounded():
    ((found),) = changed(Diagnostics(), [FINDING] * (MAX_FOR_FILE + 1)).values()

    assert len(found) == MAX_FOR_FILE
