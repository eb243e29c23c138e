"""Orders of the mailbox while a master or a minion is killed at successive moments."""

import pytest

from tests.support.mailboxes import append, lines, orders
from tests.support.waiting import until

#: What has happened to an order, from the start of its minion on, when a daemon is killed.
MOMENTS = ("the minion is back", "it was sent", "its job began", "it wrote", "its job ended", "it is done")


@pytest.fixture(params=["embedded", "postgres"])
def master(request, start_master):
    settings = {"timeout": 5}
    if request.param == "postgres":
        settings["store"] = request.getfixturevalue("postgres_url")
    return start_master(**settings)


@pytest.fixture
def away(start_minion):
    """Return a function that returns a stopped minion known to the master."""

    def make(master, id="m1", **settings):
        minion = start_minion(master, id, **settings)
        until(lambda: minion.is_connected, f"{id} is connected")
        minion.stop()
        return minion

    return make


@pytest.fixture
def watch(tmp_path):
    """Factory that starts watching the daemons; its result waits for a given moment of the next order.

    Restarted daemons append to the same log.
    """

    def begin(master, minion):
        counts = {
            "it was sent": lambda: master.log().count(f"sent to {minion.id} as job"),
            "its job began": lambda: minion.log().count("cmd.run started"),
            "it wrote": lambda: len(lines(tmp_path / "ran")),
            "its job ended": lambda: minion.log().count("cmd.run ended"),
            "it is done": lambda: orders(master) == [],
        }
        before = {moment: count() for moment, count in counts.items()}

        def wait(moment):
            if moment in counts:
                until(lambda: counts[moment]() > before[moment], moment)

        return wait

    return begin


def test_a_master_killed_at_any_moment_delivers_each_order_once(master, away, watch, salt, tmp_path):
    minion = away(master)
    file = tmp_path / "ran"
    for number, moment in enumerate(MOMENTS):
        append(salt, master, f"{file}; sleep 0.3", f"{number}")
        wait = watch(master, minion)
        minion.start()
        wait(moment)
        master.kill()
        master.start()
        until(lambda: orders(master) == [], "nothing waits any more", seconds=90)
        minion.stop()

    assert lines(file) == [str(number) for number in range(len(MOMENTS))]


def test_a_minion_not_seen_since_the_masters_crash_gets_its_order(start_master, start_minion, salt, tmp_path):
    master = start_master(timeout=5)
    minion = start_minion(master, "m1")
    until(lambda: minion.is_connected, "m1 is connected")
    assert salt(master, "m1", "test.ping").minions == {"m1": True}
    master.kill()
    master.start()

    append(salt, master, tmp_path / "ran", "once")

    until(lambda: orders(master) == [], "nothing waits any more", seconds=90)
    assert lines(tmp_path / "ran") == ["once"]


def test_a_minion_killed_at_any_moment_runs_no_order_twice(master, away, watch, salt, tmp_path):
    minion = away(master)
    file = tmp_path / "ran"
    for number, moment in enumerate(MOMENTS):
        append(salt, master, f"{file}; sleep 0.3", f"{number}")
        wait = watch(master, minion)
        minion.start()
        wait(moment)
        minion.kill()
        minion.start()
        until(lambda: orders(master) == [], "nothing waits any more", seconds=90)
        minion.stop()

    ran = lines(file)
    assert len(ran) == len(set(ran)) and ran == sorted(ran)
