"""Resources for which a minion may answer."""

import pytest

from salt_g.master.resources.registry import Record, ResourceRegistry
from salt_g.master.resources.remapping import BeforeRemapping, Remapping
from salt_g.resource_model.srn import Srn

OLD, MOVED, NEW = "20260101000000000001", "20260102000000000001", "20260103000000000001"


@pytest.fixture
def registry():
    made = ResourceRegistry()
    made.add(Record(Srn("dummy", "d-1"), "gw1", ("gw2",)))
    made.add(Record(Srn("dummy", "x"), "gw1"))
    made.add(Record(Srn("thing", "x"), "gw2"))
    return made


def names(remapping, minion, named, jid=NEW):
    load = {"id": minion, "jid": jid, "resource_id": named, "return": True}
    return [one["id"] for one in remapping.remapped(load)]


def test_the_manager_answers_under_the_id_and_the_srn(registry):
    load = {"id": "gw1", "jid": NEW, "resource_id": "dummy:d-1", "return": True}

    found = list(Remapping(registry, {}).remapped(load))

    rest = {"jid": NEW, "return": True, "minion": "gw1", "srn": "dummy:d-1"}
    assert found == [{**rest, "id": "d-1"}, {**rest, "id": "dummy:d-1"}]


@pytest.mark.parametrize("named", ["d-1", "dummy:d-1", "gw1", "", "nope", "dummy:nope"])
def test_nobody_else_answers_for_it(registry, named):
    assert names(Remapping(registry, {}), "gw2", named) == []


def test_of_two_types_with_one_id_each_manager_answers_for_its_own(registry):
    remapping = Remapping(registry, {})

    assert names(remapping, "gw1", "x") == ["x", "dummy:x"]
    assert names(remapping, "gw2", "x") == ["x", "thing:x"]
    assert names(remapping, "gw2", "dummy:x") == []


def test_a_former_manager_answers_for_jobs_of_its_time_only(registry):
    remapping = Remapping(registry, {"dummy:d-1": BeforeRemapping("gw2", MOVED)})

    assert names(remapping, "gw2", "d-1", OLD) == ["d-1", "dummy:d-1"]
    assert names(remapping, "gw2", "d-1", NEW) == []
    assert names(remapping, "gw3", "d-1", OLD) == []


def test_where_all_execute_those_on_standby_answer_too(registry):
    remapping = Remapping(registry, {}, is_shared=True)

    assert names(remapping, "gw2", "d-1") == ["d-1", "dummy:d-1"]
    assert names(remapping, "gw3", "d-1") == []


def test_only_managers_of_resources_that_do_not_answer_separately_may_merge_runs(registry):
    remapping = Remapping(registry, {}, answers_apart=lambda minion: minion == "gw2")

    assert [remapping.may_fold(id) for id in ("gw1", "gw2", "gw3")] == [True, False, False]
    assert remapping.manages("gw1", "d-1") and not remapping.manages("gw2", "d-1")
