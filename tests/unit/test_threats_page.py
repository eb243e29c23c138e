"""Promises of the page about attackers: each has a test that exists."""

import ast
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "spec" / "threats.md").read_text(encoding="utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| promise")]
NAMED = re.findall(r"`(tests/[^`]+)`", PAGE)


def test_each_row_names_a_test():
    assert ROWS
    assert [row for row in ROWS if not re.search(r"`tests/[^`]+\.py(::\w+)?`", row)] == []


@pytest.mark.parametrize("name", sorted(set(NAMED)))
def test_each_named_test_exists(name):
    path, _, function = name.partition("::")
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    tests = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert function in tests if function else any(test.startswith("test_") for test in tests)
