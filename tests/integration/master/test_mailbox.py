"""Jobs for absent minions: delivered once when they return, whichever daemon is killed meanwhile."""

import pytest

from tests.support.mailboxes import append, lines, mailbox, orders
from tests.support.waiting import until


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


def test_minions_that_are_away_get_the_jobs_in_order_when_they_are_back(
    master, away, start_minion, salt, tmp_path
):
    minion = away(master)
    file = tmp_path / "ran"

    result = [append(salt, master, file, word) for word in ("one", "two", "three")]

    assert all(one.code == 0 and "1 is away: kept until" in one.out + one.err for one in result)
    kept = orders(master)
    assert [(one["waiting"], one["user"]) for one in kept] == [(["m1"], "root")] * 3
    minion.start()
    until(lambda: lines(file) == ["one", "two", "three"], "all have run in order")
    until(lambda: orders(master) == [], "nothing waits any more")


def test_connected_minions_run_the_job_now(master, away, start_minion, salt, tmp_path):
    gone = away(master, "m1")
    start_minion(master, "m2")
    file = tmp_path / "ran"
    # Until it has spoken, presence may take one minion behind an address for the other.
    until(lambda: salt(master, "m2", "test.ping").minions == {"m2": True}, "it is known to be here")

    result = append(salt, master, file, "now", target="*")

    assert "1 run now, 1 is away" in result.out + result.err
    assert lines(file) == ["now"]
    gone.start()
    until(lambda: lines(file) == ["now", "now"], "the other has run it")
    until(lambda: orders(master) == [], "nothing waits any more")


def test_the_same_order_replaces_the_older_and_dropped_ones_do_not_run(master, away, salt, tmp_path):
    minion = away(master)
    file = tmp_path / "ran"
    for word in ("one", "one", "two", "three"):
        append(salt, master, file, word)
    first, second, third = orders(master)

    assert mailbox(master, "drop", second["order"]).code == 0
    unknown = mailbox(master, "drop", second["order"])
    minion.start()

    assert (unknown.code, unknown.err.strip()) == (1, f"salt-g mailbox: there is no order {second['order']}")
    until(lambda: lines(file) == ["one", "three"], "the others have run")
    assert first["order"] < third["order"]


def test_an_order_is_over_at_its_end(master, away, salt, tmp_path):
    minion = away(master)
    file = tmp_path / "ran"
    salt(master, "m1", "cmd.run", f"echo late >> {file}", "--when-back", "1s", as_json=False)
    append(salt, master, file, "good")

    until(lambda: len(orders(master)) == 1, "the first one is over")
    minion.start()

    until(lambda: lines(file) == ["good"], "the other one has run")


def test_rights_are_asked_again_when_it_is_delivered(start_master, away, salt, tmp_path):
    login = ("-a", "auto", "--username", "ann", "--password", "x")
    master = start_master(external_auth={"auto": {"ann": [".*"]}}, timeout=5)
    minion = away(master)
    file = tmp_path / "ran"
    assert append(salt, master, file, "refused", *login).code == 0
    assert append(salt, master, file, "root").code == 0

    master.stop()
    master.settings["external_auth"] = {"auto": {"bob": [".*"]}}
    master.start()
    minion.start()

    until(lambda: lines(file) == ["root"], "the other one has run")
    assert "refused for 1 minions" in master.log()


def test_a_full_mailbox_and_wrong_words_are_refused_in_a_sentence(start_master, away, salt):
    master = start_master(mailbox_jobs=1, timeout=5)
    away(master, "m1")
    assert salt(master, "m1", "test.ping", "--when-back", "1h", as_json=False).code == 0

    full = salt(master, "m1", "test.echo", "x", "--when-back", "1h", as_json=False)
    wrong = salt(master, "m1", "test.ping", "--when-back", "soon", as_json=False)
    batch = salt(master, "m1", "test.ping", "--when-back", "1h", "-b", "1", as_json=False)

    assert "mailbox_jobs allows 1" in full.out + full.err and full.code == 2
    assert (wrong.code, batch.code) == (64, 64)
    assert "--when-back cannot be combined with --batch" in batch.err
