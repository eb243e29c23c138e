"""Live steps where one side is stock's: none are sent or received, and everything else works."""

import json

LIMIT = 150
SLS = """\
first:
  test.succeed_with_changes: []
second:
  test.nop:
    - require:
      - test: first
"""


def test_steps_are_events_of_our_masters_only(fleet, wait_until):
    fleet.write({"states/steps.sls": SLS})
    # As many as at least two runs make.
    listener = fleet.beside("salt-run", "state.event", "salt/job/*", "count=12", "quiet=False")
    try:
        wait_until(
            lambda: fleet.salt("m1", "state.apply", "steps").value and listener.poll() is not None,
            "the listener has heard enough events",
            fleet,
        )
        output = listener.communicate(timeout=LIMIT)[0]
    finally:
        listener.kill()
        listener.communicate()

    assert "/prog/m1/" in output
    assert ("/step/m1" in output) is (fleet.master.whose == "ours")


def test_our_command_line_shows_the_steps_of_every_minion_of_our_master(fleet):
    fleet.write({"states/steps.sls": SLS})
    ours = fleet.tools == "ours"

    applied = fleet.salt("m1", "state.apply", "steps", *(["--steps", "json"] if ours else []))

    assert len(applied.value["m1"]) == 2
    if ours and fleet.master.whose == "ours":
        # The last event of a stock minion's steps may come after its return.
        events = [json.loads(line) for line in applied.err.splitlines() if line.startswith("{")]
        done = [(step["n"], step["id"], step["verdict"]) for event in events for step in event["done"]]
        assert done == [(1, "first", "changed"), (2, "second", "ok")][: len(done)]
