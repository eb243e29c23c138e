"""No test sleeps: polling and its deadlines live in `support/waiting.py`."""

import ast
import pathlib

TESTS = pathlib.Path(__file__).parents[1]
#: Modules whose `sleep` pauses this process.
CLOCKS = ("time", "gevent")
#: Files that pause all the same, and why.
PAUSING = {
    "support/waiting.py": "the one place of polling",
    "integration/master/test_mailbox_kills.py": "kills daemons at one moment after the other",
    "integration/minion/test_faults.py": "kills a minion at a random moment",
    "interop/random_trees/stock_batches.py": "switches off the pauses of stock's retries",
    "nights/api.py": "sends orders at the pace of a plan",
    "nights/crowd.py": "clients that send a byte at a time",
    "nights/readers.py": "takes a sample at each moment of a plan",
    "nights/soak.py": "publishes at the pace of a plan",
    "nights/swarm.py": "minions that come back at random moments",
}
#: Trees of other programs and of recorded cases.
LEFT_OUT = ("conformance/cases", "interop/trees")


def sleeps(source):
    """Return the lines of a source that name `sleep` of a clock, called or handed over."""
    if "sleep" not in source:
        return []
    tree = ast.parse(source)
    return [node.lineno for node in ast.walk(tree) if _names_sleep(node)]


def _names_sleep(node):
    if isinstance(node, ast.ImportFrom):
        return node.module in CLOCKS and any(alias.name == "sleep" for alias in node.names)
    if isinstance(node, ast.Attribute) and node.attr == "sleep":
        return isinstance(node.value, ast.Name) and node.value.id in CLOCKS
    return False


def test_only_the_helper_of_waiting_sleeps():
    found = {}
    for path in sorted(TESTS.rglob("*.py")):
        name = path.relative_to(TESTS).as_posix()
        if not name.startswith(LEFT_OUT) and (lines := sleeps(path.read_text())):
            found[name] = lines

    assert {name: lines for name, lines in found.items() if name not in PAUSING} == {}
    assert PAUSING.keys() - found.keys() == set(), "these pause no longer"


def test_each_way_to_sleep_is_found():
    assert sleeps("import time\ntime.sleep(1)") == [2]
    assert sleeps("from gevent import sleep") == [1]
    assert sleeps("wait(pause=gevent.sleep)") == [1]
    assert sleeps("minion.sleep(1)\nPROGRAM = 'time.sleep(1)'") == []
