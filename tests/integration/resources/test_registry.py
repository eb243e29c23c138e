"""Resources as runners show them, and the effects of changes to them."""

import signal

import pytest

from tests.support.waiting import until


def test_runners_report_the_manager_of_each_resource(fleet):
    listed = fleet.run("resource.list")
    owners = fleet.run("resource.owners")

    assert listed["dummy:d-01"]["minion"] == "m1"
    assert 0 < listed["dummy:d-01"]["lease"] <= 30
    assert owners == {
        "m1": {"dummy": ["d-01", "d-02", "d-03"], "thing": ["web-01", "web-02"]},
        "m2": {"dummy": ["e-01", "web-02"]},
    }
    assert list(fleet.run("resource.list", "type=thing")) == ["thing:web-01", "thing:web-02"]
    assert list(fleet.run("resource.list", "minion=m2")) == ["dummy:e-01", "dummy:web-02"]


def test_runners_show_grains(fleet):
    assert fleet.run("resource.list_grains")["thing:web-02"] == {"grain_keys": ["os"], "grain_count": 1}
    assert fleet.run("resource.show_grains", "thing", "web-02") == {"os": "Fedora"}
    assert fleet.run("resource.show_grains", "type=thing", "id=nope") is None
    assert fleet.run("resource.show", "d-01")["srn"] == "dummy:d-01"


def test_manage_reports_minions_only(fleet):
    assert fleet.run("manage.up") == ["m1", "m2"]


def test_a_refresh_reports_what_has_changed(fleet):
    before = fleet.PILLAR
    more = {"resources": {"dummy": {"resource_ids": ["e-02", "web-02"]}}}
    fleet.give({**before, "m2": more})

    assert fleet.run("resource.refresh", "m2") == {"added": ["dummy:e-02"], "removed": ["dummy:e-01"]}

    fleet.give(before)
    assert fleet.run("resource.refresh", "minion=m2") == {"added": ["dummy:e-01"], "removed": ["dummy:e-02"]}


def test_a_refresh_of_a_minion_that_is_not_there_is_false(fleet):
    assert fleet.run("resource.refresh", "nope") is False


def test_a_restart_of_the_master_forgets_nothing(make_fleet):
    made = make_fleet()
    made.give(made.PILLAR)
    made.start("m1", number=5)
    before = made.run("resource.owners")

    made.master.kill()
    made.master.start()

    assert made.run("resource.owners") == before
    until(lambda: made.salt("d-01", "test.ping")[0] == {"d-01": True}, "an answer of d-01")


@pytest.fixture
def pair(make_fleet):
    """Return two minions whose pillar has the same dummies; gw1 manages them."""
    made = make_fleet(resource_lease=6)
    shared = {"resources": {"dummy": {"resource_ids": ["s-01", "s-02"]}}}
    made.give({"gw1": shared, "gw2": shared})
    made.start("gw1", number=2)
    made.add("gw2")
    until(lambda: "gw2" in made.run("resource.owners"), "gw2 stands by")
    return made


def test_a_standby_takes_over_when_the_holder_is_gone(pair):
    assert pair.run("resource.owners")["gw2"] == {"standby": ["dummy:s-01", "dummy:s-02"]}
    assert pair.salt("-C", "T@dummy", "test.ping")[0] == {"s-01": True, "s-02": True}

    pair.minions["gw1"].send_signal(signal.SIGKILL)

    until(lambda: pair.run("resource.list")["dummy:s-01"]["minion"] == "gw2", "gw2 takes over")
    until(
        lambda: pair.salt("-C", "T@dummy", "test.ping")[0] == {"s-01": True, "s-02": True}, "answers of gw2"
    )


def test_each_resource_of_a_minion_that_is_gone_gets_a_verdict(make_fleet):
    made = make_fleet()
    made.give({"m1": made.PILLAR["m1"]})
    made.start("m1", number=5)
    made.minions["m1"].kill()

    answers, code, _ = made.salt("-C", "T@dummy", "test.ping", timeout=2)

    assert set(answers) == {"d-01", "d-02", "d-03"}
    assert all("did not return" in str(answer) for answer in answers.values())
    assert code == 1


def test_a_deleted_key_drops_its_resources(make_fleet):
    made = make_fleet()
    made.give({"m1": made.PILLAR["m1"]})
    made.start("m1", number=5)

    made._done("key", "-y", "-d", "m1")

    assert made.run("resource.list") == {}
    assert made.salt("-C", "T@dummy", "test.ping")[1] == 2
