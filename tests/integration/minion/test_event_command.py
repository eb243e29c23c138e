"""`salt-g event --minion`: the bus of the minion on this machine."""

import subprocess

from tests.support.commands import PROGRAM, outcome_of


def test_events_of_the_minion_are_followed_until_it_ends(start_master, start_minion, salt):
    master = start_master()
    minion = start_minion(master, "a")
    command = [PROGRAM, "event", "--minion", "-c", str(minion.config_dir)]

    with subprocess.Popen(
        [*command, "--count=1", "test/tag"], stdout=subprocess.PIPE, text=True
    ) as following:
        # Whether it listens yet is not to be seen, so events are fired until it has seen one.
        while following.poll() is None:
            salt(master, "a", "event.fire", "{x: 1}", "test/tag")
        tag, data = following.stdout.read().split("\t")

    assert (following.returncode, tag) == (0, "test/tag")
    assert '"x": 1' in data

    minion.stop()
    gone = outcome_of([*command, "--timeout=1"])
    assert gone.code == 2
    assert gone.err.startswith("salt-g event: the bus of the minion a is not available")


def test_a_call_prints_the_events_of_the_minion(start_master, start_minion, salt):
    master = start_master()
    minion = start_minion(master, "a")
    command = [PROGRAM, "call", "--local", "-c", str(minion.config_dir), "state.event", "test/*", "count=1"]

    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as following:
        while following.poll() is None:
            salt(master, "a", "event.fire", "{x: 1}", "test/tag")
        printed = following.stdout.read()

    assert following.returncode == 0
    assert printed.startswith("test/tag\t{")
