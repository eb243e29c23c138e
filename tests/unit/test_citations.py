"""Citations in code and pages: each names a section, a property or a conformance case that is there.

Shapes: "wire specification, sections 6, 7.2 and 10", likewise "resources specification" and "state language
specification"; "security properties 1, 9 to 11"; "conformance cases `render/*-error`, `yaml/scalars`",
"conformance areas `top`, `file`". The tests of `tests/security` say "Property 7" or "(properties 9 and 10)".
"""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[2]
SPEC = ROOT / "docs" / "spec"
CASES = ROOT / "tests" / "conformance" / "cases"
ROOMS = ("salt_g", "modules", "states", "grains", "tests", "bench")
#: Folders of data, and this file, whose examples are not citations.
LEFT_OUT = (CASES, ROOT / "tests" / "interop" / "trees", pathlib.Path(__file__))

PAGES = {
    "wire": "wire-protocol.md",
    "resources": "resources.md",
    "state language": "state-language.md",
}
BETWEEN = r"(?:, and |, | and | to )"
NUMBER = r"\d+(?:\.\d+)*"
NAME = r"`[^`]+`"
NUMBERS = rf"{NUMBER}(?:{BETWEEN}{NUMBER})*"
NAMES = rf"{NAME}(?:{BETWEEN}{NAME})*"

SPECIFICATION = re.compile(rf"(wire|resources|state language) specification(?:, sections? ({NUMBERS}))?")
PROPERTIES = re.compile(rf"(?:\b(?:[Ss]ecurity p|P)|\(p)ropert(?:y|ies) ({NUMBERS})")
CONFORMANCE = re.compile(rf"conformance (areas?|cases?) ({NAMES})")
SOURCE = re.compile(r"Source: (?:(?!\.(?: |\")).)*")


def cited(text):
    """Return the text of a file's citations on one line: docstrings and comments break theirs."""
    return re.sub(r"\s+(?:#:? )?", " ", text)


def headings(page):
    return set(re.findall(rf"(?m)^#+ ({NUMBER})\.? ", (SPEC / page).read_text()))


@pytest.fixture(scope="module")
def files():
    paths = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    paths += [*sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*.md"))]
    kept = [path for path in paths if not any(path.is_relative_to(other) for other in LEFT_OUT)]
    return {str(path.relative_to(ROOT)): cited(path.read_text()) for path in kept}


def test_each_cited_section_of_a_specification_exists(files):
    sections = {name: headings(page) for name, page in PAGES.items()}

    absent = [
        f"{file}: {match[0]}"
        for file, text in files.items()
        for match in SPECIFICATION.finditer(text)
        if not match[2] or set(re.findall(NUMBER, match[2])) - sections[match[1]]
    ]

    assert not absent


def test_each_cited_security_property_exists(files):
    properties = set(re.findall(r"(?m)^(\d+)\. ", (SPEC / "security-properties.md").read_text()))

    absent = [
        f"{file}: {match[0]}"
        for file, text in files.items()
        for match in PROPERTIES.finditer(text)
        if set(re.findall(NUMBER, match[1])) - properties
    ]

    assert not absent


def test_each_security_property_has_a_test_that_cites_it(files):
    properties = set(re.findall(r"(?m)^(\d+)\. ", (SPEC / "security-properties.md").read_text()))

    held = {
        number
        for file, text in files.items()
        if file.startswith("tests/security/test_")
        for match in PROPERTIES.finditer(text)
        for number in re.findall(NUMBER, match[1])
    }

    assert properties - held == set()


def test_each_form_of_a_citation_of_a_property_is_read():
    texts = [
        "Source: security properties 13 and 24.",
        "Property 7: x",
        "Returns (property 7).",
        "(properties 9, 10 and 11)",
    ]

    assert [PROPERTIES.search(text)[1] for text in texts] == ["13 and 24", "7", "7", "9, 10 and 11"]
    assert not PROPERTIES.search("a property 7")


def test_each_cited_conformance_case_exists(files):
    absent = [
        f"{file}: {name}"
        for file, text in files.items()
        for match in CONFORMANCE.finditer(text)
        for name in re.findall(r"`([^`]+)`", match[2])
        if not _found(match[1], name)
    ]

    assert not absent


def _found(kind, name):
    """Return whether `name`, a glob, is of the kind that it is cited as."""
    if kind.startswith("area"):
        return (CASES / name).is_dir() and "/" not in name
    return any((found / "case.yaml").exists() for found in CASES.glob(name))


def test_each_source_that_mentions_them_cites_them_in_a_form_that_is_parsed_here(files):
    words = {
        "specification, section": SPECIFICATION,
        "specification of": SPECIFICATION,
        "security propert": PROPERTIES,
        "conformance": CONFORMANCE,
    }

    unread = [
        f"{file}: {source}"
        for file, text in files.items()
        for source in SOURCE.findall(text)
        for word, form in words.items()
        if word in source and not form.search(source)
    ]

    assert not unread


def test_every_page_of_the_specification_is_in_the_index():
    index = (ROOT / "docs" / "index.md").read_text()

    assert all(f"\nspec/{page.stem}\n" in index for page in SPEC.glob("*.md"))
