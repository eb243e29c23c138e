import subprocess
import sys

import pytest

SHOWN = """
import sys
{first}
from salt_g.process import title
title.show_as("salt-minion")
print(open("/proc/self/comm").read(), open("/proc/self/cmdline").read().replace(chr(0), " "))
"""


def _shown(first="pass"):
    words = [sys.executable, "-c", SHOWN.format(first=first)]
    name, _, line = subprocess.run(words, capture_output=True, text=True, check=True).stdout.partition("\n")
    return name, line.strip()


def test_a_process_has_a_name_without_any_library():
    name, line = _shown("sys.modules['setproctitle'] = None")

    assert name == "salt-minion"
    assert not line.endswith("MainProcess")


def test_a_command_line_is_marked_with_the_library():
    pytest.importorskip("setproctitle")

    name, line = _shown()

    assert name == "salt-minion"
    assert line.endswith(" MainProcess")


HIDING = """
from salt_g.process import title
title.hide_arguments(("pillar=",))
print(open("/proc/self/cmdline").read().replace(chr(0), " "))
import sys
print(sys.argv[1:])
"""


def test_the_value_of_an_argument_is_overwritten_for_others_and_kept_for_us():
    words = [sys.executable, "-c", HIDING, "a", "pillar={x: ü-topsecret1}", "b"]

    shown, kept, _ = subprocess.run(words, capture_output=True, text=True, check=True).stdout.rsplit("\n", 2)

    assert "topsecret1" not in shown
    assert "pillar=****" in shown
    assert shown.endswith("b ")
    assert "topsecret1" in kept
