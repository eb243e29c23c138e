"""Absence of sleeps in tests: polling with deadlines is in `support/waiting.py`, pacing in `pacing.py`.

Programs that tests run are texts in these files; they pause only in the files listed.
"""

import ast
import pathlib
import re

TESTS = pathlib.Path(__file__).parents[1]
#: Modules whose `sleep` pauses this process.
CLOCKS = ("time", "gevent")
#: Files that pause all the same, and why.
PAUSING = {
    "support/pacing.py": "the pace of loads and samples",
    "support/waiting.py": "the one place of polling",
    "interop/random_trees/stock_batches.py": "switches off the pauses of stock's retries",
}
#: Files with texts of programs that take time, and what these do.
PROGRAMS = {
    "integration/cache/postgres/test_cluster_resources.py": "work that lasts as long as its caller says",
    "integration/minion/test_pillar_at_the_start.py": "pillar that is made until the test ends it",
    "integration/resources/network_device/test_worker.py": "a driver that blocks its process",
    "integration/resources/on_minion/test_difficult_types.py": "a type that hangs, and work that lasts",
    "integration/resources/test_fail_over.py": "work that lasts as long as its caller says",
    "integration/test_call_resources.py": "minions that meet, and look whether one more comes",
    "unit/master/test_hub_fairness.py": "others that count their turns meanwhile",
    "unit/minion/resources/test_fan_out.py": "functions that overlap, and one that hangs",
    "unit/process/test_fair_slices.py": "others that count their turns meanwhile",
    "unit/process/test_greenlet_owners.py": "the source of a loop, which is only read",
    "unit/process/test_monkey_patch.py": "pauses themselves are what is looked at",
    "unit/process/test_offload.py": "others that count their turns meanwhile",
    "unit/test_no_sleeps.py": "the examples below",
    "unit/test_time_limit.py": "tests that hang, for the time limit",
}
#: Import of the pacing module, split so that this file does not match itself.
PACE = "from tests.support." + "pacing import"
#: Trees of other programs and of recorded cases.
LEFT_OUT = ("conformance/cases", "interop/trees")


#: A pause in the text of a program.
PAUSE = re.compile(r"\b(?:time|gevent)\.sleep\(|\bEvent\(\)\.wait\((?:timeout=)?[\d.]")


def sleeps(source):
    """Return the lines of a source that wait on a new event, or name `sleep` of a clock, called or not."""
    if "sleep" not in source and "Event().wait(" not in source:
        return []
    tree = ast.parse(source)
    return [node.lineno for node in ast.walk(tree) if _names_sleep(node) or _waits_for_nothing(node)]


def programs(source):
    """Return the lines where texts of programs begin that pause."""
    if not PAUSE.search(source):
        return []
    texts = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    return [node.lineno for node in texts if isinstance(node.value, str) and PAUSE.search(node.value)]


def _names_sleep(node):
    if isinstance(node, ast.ImportFrom):
        return node.module in CLOCKS and any(alias.name == "sleep" for alias in node.names)
    if isinstance(node, ast.Attribute) and node.attr == "sleep":
        return isinstance(node.value, ast.Name) and node.value.id in CLOCKS
    return False


def _waits_for_nothing(node):
    """Whether a call is `Event().wait(2)`: no one else has the event, so that it always waits in full."""
    match node:
        case ast.Call(
            func=ast.Attribute(
                attr="wait",
                value=ast.Call(func=ast.Name(id="Event") | ast.Attribute(attr="Event")),
            )
        ):
            return bool(node.args or node.keywords)
    return False


def _found(look):
    """Return {file: lines} of the findings of `look` in sources of tests."""
    found = {}
    for path in sorted(TESTS.rglob("*.py")):
        name = path.relative_to(TESTS).as_posix()
        if not name.startswith(LEFT_OUT) and (lines := look(path.read_text())):
            found[name] = lines
    return found


def test_only_the_helper_of_waiting_sleeps():
    found = _found(sleeps)

    assert {name: lines for name, lines in found.items() if name not in PAUSING} == {}
    assert PAUSING.keys() - found.keys() == set(), "these pause no longer"


def test_only_long_tests_have_a_pace():
    users = {path.relative_to(TESTS).parts[0] for path in TESTS.rglob("*.py") if PACE in path.read_text()}

    assert users == {"nights"}


def test_programs_of_tests_pause_only_where_that_is_their_work():
    found = _found(programs)

    assert {name: lines for name, lines in found.items() if name not in PROGRAMS} == {}
    assert PROGRAMS.keys() - found.keys() == set(), "these have no such program any longer"


def test_each_way_to_sleep_is_found():
    assert sleeps("import time\ntime.sleep(1)") == [2]
    assert sleeps("from gevent import sleep") == [1]
    assert sleeps("wait(pause=gevent.sleep)") == [1]
    assert sleeps("threading.Event().wait(0.1)") == sleeps("Event().wait(timeout=PAUSE)") == [1]
    assert sleeps("minion.sleep(1)\nPROGRAM = 'time.sleep(1)'") == []
    assert sleeps("gevent.event.Event().wait()\nhas_begun.wait(5)") == []


def test_each_way_to_sleep_of_a_program_is_found():
    assert programs("minion.sleep(1)\nPROGRAM = 'import time; time.sleep(1)'") == [2]
    assert programs("f'gevent.sleep({seconds})'") == [1]
    assert programs("PROGRAM = 'threading.Event().wait(3)'") == [1]
    assert programs("time.sleep(1)\nPROGRAM = 'Event().wait(); until(x)'") == []
