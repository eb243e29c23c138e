"""Coverage of public formulas, and the page that lists it."""

import importlib.util
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).parent
PAGE = HERE.parents[2] / "docs" / "coverage.md"
#: The share of uses, in percent, below which a user's tree is likely to fail.
WANTED = 99.0


def _load_generator():
    spec = importlib.util.spec_from_file_location("coverage_page", HERE / "coverage.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


coverage = _load_generator()
ROWS = coverage.rows(coverage.read_uses())


@pytest.mark.parametrize("row", [row for row in ROWS if row.kind != "import"], ids=lambda row: row.kind)
def test_nearly_all_uses_of_a_kind_are_served(row):
    assert row.percent >= WANTED, [use.name for use in row.missing]


def test_the_page_of_what_is_served_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == coverage.page(ROWS), (
        "run: python tests/unit/rooms/coverage.py > docs/coverage.md"
    )
