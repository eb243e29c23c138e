"""Imports of tests: no conftest and no test; shared code is in `tests/support`, fixtures come by name."""

import ast
import importlib
import importlib.util
import pathlib
import re

TESTS = pathlib.Path(__file__).parents[1]
#: Trees of other programs and of recorded cases.
LEFT_OUT = ("conformance/cases", "interop/trees")


def borrowed(source):
    """Return the lines of a source that import a conftest or a test."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, (ast.Import, ast.ImportFrom)) and any(map(_is_of_tests, _modules(node)))
    ]


def _modules(node):
    """Return the module names that an import may mean."""
    names = [alias.name for alias in node.names]
    if isinstance(node, ast.Import):
        return names
    return ["." * node.level + ".".join(filter(None, [node.module, name])) for name in names]


def _is_of_tests(module):
    """Whether a module is a conftest or a test; the package has modules with `test_` too."""
    first, *others = module.removeprefix("tests.").split(".")
    is_below = not first or (TESTS / first).is_dir()
    return any(name == "conftest" or name.startswith("test_") for name in (others if is_below else [first]))


def test_no_test_imports_a_conftest_or_another_test():
    found = {}
    for path in sorted(TESTS.rglob("*.py")):
        name = path.relative_to(TESTS).as_posix()
        if not name.startswith(LEFT_OUT) and (lines := borrowed(path.read_text())):
            found[name] = lines

    assert found == {}


def test_each_way_to_import_them_is_found():
    assert borrowed("import conftest") == [1]
    assert borrowed("def f():\n    from unit.state.conftest import FakeFiles") == [2]
    assert borrowed("from .conftest import jid") == borrowed("from . import conftest") == [1]
    assert borrowed("from unit.resources.ssh.test_scripts import sh") == [1]
    assert borrowed("from unit.resources.ssh import test_scripts") == [1]
    assert (
        borrowed("from tests.support.plan_records import ID\nfrom salt_g.loader.test_runs import test_x")
        == []
    )


#: Imports of salt-g in the text of a program, names in one line.
IMPORT = re.compile(r"from (salt_g[\w.]*) import ((?:\w+(?: as \w+)?(?:, )?)+)")


def imports_in_texts(source):
    """Return {(module, name)} of the imports from salt_g in texts of a source."""
    texts = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    found = [match for text in texts if isinstance(text, str) for match in IMPORT.finditer(text)]
    return {
        (match[1], name.split(" as ")[0]) for match in found for name in match[2].split(", ") if name.strip()
    }


def test_programs_in_texts_import_what_exists():
    """No other check sees an outdated name in the text of a program before its test runs."""
    wanted = set()
    for path in sorted(TESTS.rglob("*.py")):
        name = path.relative_to(TESTS).as_posix()
        if not name.startswith(LEFT_OUT) and path != pathlib.Path(__file__):
            wanted |= imports_in_texts(path.read_text())

    assert len(wanted) > 20
    assert {(module, name) for module, name in wanted if not _exists(module, name)} == set()


def _exists(module, name):
    return hasattr(importlib.import_module(module), name) or importlib.util.find_spec(f"{module}.{name}")


def test_imports_in_texts_are_found():
    source = "A = 'from salt_g.api import opts, call as run\\nx'\nfrom salt_g import api\nB = 'from salt_g'"

    assert imports_in_texts(source) == {("salt_g.api", "opts"), ("salt_g.api", "call")}
