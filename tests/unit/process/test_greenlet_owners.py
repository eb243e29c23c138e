"""Ownership of greenlets and periodic loops: one owner each, both in `process/`."""

import ast
import pathlib

import pytest

ROOT = pathlib.Path(__file__).parents[3]
SPAWNING = ROOT / "salt_g/process/supervisor.py"
REPEATING = ROOT / "salt_g/process/periodic_loop.py"
#: Names of gevent that start a greenlet.
SPAWNS = {"spawn", "spawn_later", "spawn_raw", "Greenlet", "start_later"}


def _sources():
    for top in ("salt_g", "modules", "states", "grains"):
        yield from sorted((ROOT / top).rglob("*.py"))


def _spawns(tree):
    """Yield the lines that start a greenlet without an owner, however it is imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "gevent":
            if SPAWNS & {alias.name for alias in node.names}:
                yield node.lineno
        elif isinstance(node, ast.Attribute) and node.attr in SPAWNS and _is_gevent(node.value):
            yield node.lineno


def _is_gevent(node):
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id == "gevent"


def _sleeping_loops(tree):
    """Yield the lines of endless loops that pause between rounds by themselves."""
    for loop in ast.walk(tree):
        if not (isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant)):
            continue
        calls = (node for statement in loop.body for node in _own_calls(statement))
        if any(ast.unparse(call.func) == "gevent.sleep" for call in calls):
            yield loop.lineno


def _own_calls(statement):
    """Yield the calls of a statement of the loop itself, except those in conditional branches."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        yield statement.value


@pytest.mark.parametrize(
    ("search", "owner", "advice"),
    [
        (_spawns, SPAWNING, "use a Supervisor or LoggedGreenlets"),
        (_sleeping_loops, REPEATING, "use PeriodicLoop"),
    ],
)
def test_only_the_owner_does_it(search, owner, advice):
    texts = {path: path.read_text(encoding="utf-8") for path in _sources() if path != owner}
    found = [
        f"{path.relative_to(ROOT)}:{line}: {advice}"
        for path, text in texts.items()
        # Parsing takes milliseconds, and both searches look for names of gevent.
        if "gevent" in text
        for line in search(ast.parse(text))
    ]

    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("search", "text"),
    [
        (_spawns, "gevent.spawn(work)"),
        (_spawns, "gevent.spawn_later(1, work)"),
        (_spawns, "gevent.Greenlet.spawn(work)"),
        (_spawns, "gevent.greenlet.Greenlet(work)"),
        (_spawns, "from gevent import spawn"),
        (_sleeping_loops, "while True:\n    work()\n    gevent.sleep(1)"),
    ],
)
def test_the_search_finds_it(search, text):
    assert list(search(ast.parse(text)))
