"""Pillar of jobs on a running minion: fresh for state runs, cached for everything else."""

import pytest


@pytest.fixture
def fleet(start_master, start_minion):
    """Return a master with one SLS that shows pillar, and its minion, started with `who: old`."""
    master = start_master()
    (master.root / "states" / "show.sls").write_text(
        "shown:\n  test.configurable_test_state:\n    - changes: False\n    - result: True\n"
        "    - comment: {{ pillar.who }}-{{ salt['pillar.get']('who') }}\n"
    )
    (master.root / "pillar" / "top.sls").write_text("base:\n  '*': [who]\n")
    write_who(master, "old")
    return master, start_minion(master)


def write_who(master, text):
    (master.root / "pillar" / "who.sls").write_text(f"who: {text}\n")


def shown(outcome):
    """Return the comments of a state run."""
    return [entry["comment"] for entry in outcome.minions["m1"].values()]


def test_a_state_run_sees_pillar_as_it_is_on_the_master_now(fleet, salt):
    master, _ = fleet
    assert shown(salt(master, "m1", "state.apply", "show")) == ["old-old"]

    write_who(master, "new")

    assert shown(salt(master, "m1", "state.apply", "show")) == ["new-new"]


def test_pillar_in_memory_stays_unchanged_until_it_is_refreshed(fleet, salt):
    master, _ = fleet
    write_who(master, "new")
    salt(master, "m1", "state.apply", "show")

    assert salt(master, "m1", "pillar.get", "who", "unmask=True").minions == {"m1": "old"}
    assert salt(master, "m1", "pillar.items", "unmask=True").minions["m1"]["who"] == "new"
    assert salt(master, "m1", "pillar.get", "who", "unmask=True").minions == {"m1": "old"}
    salt(master, "m1", "saltutil.refresh_pillar", "wait=True")
    assert salt(master, "m1", "pillar.get", "who", "unmask=True").minions == {"m1": "new"}


def test_pillar_of_the_command_line_lies_over_the_fresh_one(fleet, salt):
    master, _ = fleet
    write_who(master, "new")

    assert shown(salt(master, "m1", "state.apply", "show", 'pillar={"other": 1}')) == ["new-new"]
    assert shown(salt(master, "m1", "state.apply", "show", 'pillar={"who": "told"}')) == ["told-told"]


def test_pillar_that_fails_now_stops_a_run(fleet, salt):
    master, _ = fleet
    (master.root / "pillar" / "who.sls").write_text("who: {{ missing.name }}\n")

    stopped = salt(master, "m1", "state.apply", "show")

    assert stopped.minions["m1"][0] == "Pillar failed to render with the following messages:"
    assert stopped.code != 0
