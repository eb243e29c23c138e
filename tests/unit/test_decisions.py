"""Decision records: each has a status, and a superseded one and its successor name each other."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "decisions"
RECORDS = {int(path.name[:4]): path for path in sorted(FOLDER.glob("0*.md"))}
#: `Source: decision 4` in a docstring.
CITED = re.compile(r"\b[Dd]ecision (\d+)\b(?!\])")


def status(number):
    found = re.search(r"(?s)\A# \d+\. [^\n]+\n\n\*\*Status\.\*\* (.+?)\n\n", RECORDS[number].read_text())
    return " ".join(found[1].split()) if found else ""


def named(number, relation):
    """Return the records that a status names after `relation`, up to the next sentence or part."""
    parts = re.split(r"[;:.] ", status(number))
    return {
        int(n) for part in parts if part.startswith(relation) for n in re.findall(r"\[decision (\d+)\]", part)
    }


@pytest.mark.parametrize("number", RECORDS)
def test_each_record_begins_with_its_number_and_its_status(number):
    assert RECORDS[number].read_text().startswith(f"# {number}. ")
    assert re.match(r"Accepted on \d{4}-\d\d-\d\d[.;]", status(number))


def test_a_record_that_supersedes_another_and_that_one_refer_to_each_other():
    supersedes = {(new, old) for new in RECORDS for old in named(new, "supersedes")}
    superseded = {(new, old) for old in RECORDS for new in named(old, "superseded")}

    assert supersedes == superseded
    assert (11, 10) in supersedes
    assert all(new > old for new, old in supersedes)


def test_the_index_lists_each_record():
    listed = re.findall(r"(?m)^0\d{3}-[\w-]+$", (FOLDER / "index.md").read_text())

    assert listed == [path.stem for path in RECORDS.values()]


def test_each_decision_that_a_docstring_or_comment_cites_exists():
    absent = [
        f"{path.relative_to(ROOT)}: {number}"
        for path in (ROOT / "salt_g").rglob("*.py")
        for number in CITED.findall(path.read_text())
        if int(number) not in RECORDS
    ]

    assert absent == []
