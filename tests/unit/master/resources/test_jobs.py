"""Jobs for resources: minions reached, the published form, and the resources that an answer covers."""

import pytest

from salt_g.cache.jobs import FIND_JOB
from salt_g.errors import TargetError
from salt_g.master.publishing.target_resolution import ResolvedTarget
from salt_g.master.resources.granted_leases import GrantedLeases
from salt_g.master.resources.jobs import MAX_QUESTIONS, ResourceJobs
from salt_g.master.resources.registry import Record, ResourceRegistry
from salt_g.resource_model.srn import Srn

D1 = Record(Srn("dummy", "d-1"), "gw1", ("gw2",))
D2 = Record(Srn("dummy", "d-2"), "stock")
BOTH = ResolvedTarget(["d-1", "d-2"], [], {"d-1": D1, "d-2": D2})
MIXED = ResolvedTarget(["m1", "d-1"], [], {"d-1": D1})


@pytest.fixture
def leases():
    leases = GrantedLeases(30.0)
    leases.restart(["gw1", "gw2"])
    leases.set_unlimited("stock")
    return leases


@pytest.fixture
def registry():
    return ResourceRegistry()


@pytest.fixture
def jobs(registry, leases):
    return ResourceJobs(registry, leases)


def job(fun, tgt="*", tgt_type="glob", jid="1"):
    return {"fun": fun, "tgt": tgt, "tgt_type": tgt_type, "jid": jid}


@pytest.mark.parametrize("fun", ["test.ping", FIND_JOB])
def test_ordinary_functions_and_queries_reach_all_that_is_meant(jobs, fun):
    assert jobs.limited(job(fun), BOTH) == BOTH


@pytest.mark.parametrize("fun", ["mine.get", ["test.ping", "saltutil.sync_all"]])
def test_functions_for_minions_never_reach_a_resource(jobs, fun):
    assert jobs.limited(job(fun), MIXED) == ResolvedTarget(["m1"], [], {})
    with pytest.raises(TargetError, match="is for minions"):
        jobs.limited(job(fun), BOTH)


def test_several_functions_reach_no_resources_of_a_minion_without_leases(jobs):
    reached = jobs.limited(job(["test.ping", "test.version"]), BOTH)

    assert reached == ResolvedTarget(["d-1"], [], {"d-1": D1})


def test_several_functions_for_resources_alone_reach_no_minion(jobs):
    meant = ResolvedTarget(["d-2"], [], {"d-2": D2})

    assert jobs.limited(job(["test.ping", "test.version"]), meant) == ResolvedTarget([], [], {})


def test_a_query_goes_to_the_managers_and_their_answers_stand_for_all_they_manage(jobs, registry):
    registry.add(D1)
    out = jobs.published_form(job(FIND_JOB, jid="7"), BOTH)

    assert (out["tgt"], out["tgt_type"]) == (["gw1", "gw2", "stock"], "list")
    assert [jobs.asked_about("7", id) for id in ("gw1", "gw2", "stock", "m1")] == [
        ["d-1"],
        ["d-1"],
        ["d-2"],
        [],
    ]
    assert jobs.asked_about("8", "gw1") == []


def test_the_number_of_cached_queries_is_limited(jobs):
    for number in range(MAX_QUESTIONS + 1):
        jobs.published_form(job(FIND_JOB, jid=str(number)), BOTH)

    assert jobs.asked_about("0", "gw1") == []
    assert jobs.asked_about("1", "gw1") == jobs.asked_about(str(MAX_QUESTIONS), "gw1") == ["d-1"]


def test_without_resources_a_job_goes_out_as_it_is(jobs):
    load = job("test.ping")

    assert jobs.published_form(load, ResolvedTarget(["m1"])) is load


def test_minions_without_leases_get_the_names_of_what_they_would_read_otherwise(jobs, registry):
    registry.add(D2)

    def form(fun, tgt):
        out = jobs.published_form(job(fun, tgt), ResolvedTarget(["m1"]))
        return out["tgt"], out["tgt_type"]

    # A stock minion would run these on its resources as well.
    assert form("mine.get", "*") == form(["test.ping", "mine.get"], "*") == (["m1"], "list")
    assert form("test.ping", "m*") == (["m1"], "list")
    assert form("test.ping", "*") == form(FIND_JOB, "*") == ("*", "glob")


def test_minions_with_leases_read_any_target_themselves(jobs, registry):
    registry.add(D1)

    for fun in ("mine.get", "test.ping"):
        assert jobs.published_form(job(fun, "m*"), ResolvedTarget(["m1"]))["tgt"] == "m*"
