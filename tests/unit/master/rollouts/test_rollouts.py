"""Rollouts of a master: started, controlled, recorded, resumed."""

import pytest

from salt_g.client.publishing import JobRequest
from salt_g.client.rollout_rules import read_rules
from salt_g.data.run_record import RunRecord
from salt_g.errors import StoreError
from salt_g.master.rollouts import rollouts as rooms
from salt_g.master.rollouts.rollouts import Begun, read_begun
from tests.support.waiting import hub_until


def begun(fun="cmd.run", user="ann", **rules):
    given = {"waves": ["1", "50%", "100%"], "timeout": 0.2, **rules}
    return Begun(
        JobRequest("*", fun, ["x"]),
        read_rules(given),
        {},
        user,
        user,
        {"user": user, "proven": user},
        1000,
        [],
        5.0,
    )


def start(master, **rules):
    jid = master.jobs.new_jid()
    assert master.rollouts.start(jid, begun(**rules)) == ""
    return jid


def test_a_rollout_goes_from_wave_to_wave_as_its_user(master):
    jid = start(master)

    found = master.ended(jid)

    assert (found["state"], found["reached"], found["total"]) == ("done", 4, 4)
    assert master.jobs_of("cmd.run") == [["a"], ["b"], ["c", "d"]]
    assert {user for _, _, user in master.sent} == {"ann"}
    assert [fun for _, fun, _ in master.authorization.checks] == ["cmd.run"] * 3
    assert master.tags() == ["new", *["wave"] * 6, "end"]
    assert master.readers.of(f"salt/rollout/{jid}/new") == {1000}
    assert master.rollouts.owner(jid) == "ann"


def test_each_job_waits_until_the_master_takes_jobs(master):
    waited = []
    master.rollouts = master.made(wait_for_jobs=lambda: waited.append(len(master.sent)))

    master.ended(start(master))

    assert waited == list(range(len(master.sent)))


def test_the_data_to_resume_a_rollout_can_be_read_again():
    made = begun(checks=[["test.ping", []]], undo=True)

    assert read_begun(made.as_map()) == made


def test_a_right_that_is_lost_ends_it(master):
    master.authorization.forbidden = {"cmd.run"}

    found = master.ended(start(master))

    assert (found["state"], found["reached"]) == ("stopped", 0)
    assert "Authorization error" in found["stopped"]


def test_a_job_that_cannot_be_published_ends_it(master):
    master.error = "The job was not published: b is locked"

    found = master.ended(start(master))

    assert (found["state"], found["stopped"]) == ("stopped", master.error)


def test_an_error_ends_its_rollout_only(master, monkeypatch, caplog):
    master.jobs.get_expected = lambda jid: 1 / 0

    found = master.ended(start(master))

    assert found["stopped"] == "the master failed to run it; its log says why"
    assert "ZeroDivisionError" in caplog.text


def test_it_is_steered_until_it_has_ended(master):
    master.silent = {"a"}
    jid = start(master, stop_at="100%", timeout=30)
    hub_until(lambda: master.jobs_of("cmd.run"))

    assert master.rollouts.order(jid, "pause", "ann") is True
    assert master.rollouts.order(jid, "stop", "bob") is True
    assert master.rollouts.order(jid, "resume", "ann") is False
    assert master.rollouts.order("20260102030405678901", "stop", "bob") is False
    fields = {"id": "a", "jid": jid, "return": "x", "retcode": 0}
    master.bus.fire(f"salt/job/{jid}/ret/a", fields)

    found = master.ended(jid)
    assert (found["state"], found["stopped"], found["reached"]) == ("stopped", "by bob", 1)
    assert master.rollouts.order(jid, "stop", "bob") is False


def test_an_order_at_another_master_counts(master):
    master.silent = {"a"}
    jid = start(master, timeout=30)
    hub_until(lambda: master.jobs_of("cmd.run"))
    other = master.made()

    assert other.status(jid)["state"] == "running"
    assert other.order(jid, "stop", "bob") is True
    master.bus.fire(f"salt/job/{jid}/ret/a", {"id": "a", "jid": jid, "return": "x", "retcode": 0})

    assert master.ended(jid)["stopped"] == "by bob"
    assert other.status(jid)["state"] == "stopped"


def test_one_is_resumed_behind_what_was_kept(master):
    jid = start(master)
    master.ended(jid)
    known = {key: value for key, value in master.kept.items() if not key.startswith(("wave/1", "wave/2"))}
    noted, waited = master.kept["noted"], []
    master.sent.clear()
    master.tags()

    again = master.rollouts = master.made()
    assert again.resume(jid, noted, master.record(known), lambda: waited.append(True))

    found = master.ended(jid)
    assert (found["state"], found["reached"], waited) == ("done", 4, [True])
    # Their returns are stored.
    assert master.sent == []
    assert found["waves"][2]["done"] == 2


def test_one_that_cannot_be_read_is_noted_as_ended(master):
    master.silent = {"a"}
    jid = start(master, timeout=30)
    hub_until(lambda: master.jobs_of("cmd.run"))
    other = master.made()

    assert other.resume(jid, {"job": []}, master.record(), print) is False

    hub_until(lambda: other.status(jid)["ended"])
    assert other.status(jid)["stopped"] == "its master ended, and it cannot be resumed"
    other.abandon("1", "it is unknown")


def test_one_that_another_master_has_publishes_nothing(master):
    ended = []
    master.rollouts = master.made(end=ended.append)
    noted = begun().as_map()

    master.rollouts.resume("20260102030405678901", noted, RunRecord(lambda key, value: False), lambda: None)

    hub_until(lambda: not master.rollouts._running)
    assert (master.sent, ended, master.tags()) == ([], [], [])


def test_without_a_store_for_its_progress_it_is_refused(master):
    master.rollouts = master.made(begin=lambda jid, about, noted: None)

    assert "cannot be stored" in master.rollouts.start("1", begun())


def test_the_numbers_of_running_and_of_recorded_rollouts_are_limited(master, monkeypatch):
    monkeypatch.setattr(rooms, "MAX_KEPT", 2)
    jids = [start(master) for _ in range(3)]
    for jid in jids:
        master.ended(jid)
    last = start(master)
    master.ended(last)

    hub_until(lambda: master.rollouts.status(jids[0]) is None)
    newest, *_ = master.rollouts.all()
    assert (newest["jid"], newest["waves"][0]["minions"]) == (last, [])
    monkeypatch.setattr(rooms, "MAX_RUNNING", 0)
    assert "rollouts are already running" in master.rollouts.start("1", begun())


def test_orders_that_cannot_be_read_are_as_before(master, monkeypatch):
    monkeypatch.setattr(
        master.banks, "fetch", lambda bank, key: (_ for _ in ()).throw(StoreError("x", "away"))
    )

    assert master.rollouts._order("1").action == ""


@pytest.mark.parametrize("away", [[], ["e"]])
def test_an_absent_minion_belongs_to_no_wave(master, away):
    master.away = away

    found = master.ended(start(master))

    assert (found["away"], found["untouched"], found["total"]) == (away, len(away), 4 + len(away))
