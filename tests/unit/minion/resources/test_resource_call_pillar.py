"""Pillar of a call for a resource: three layers, requested once per job."""

import pytest

from salt_g.api import CallContext
from salt_g.minion.resources.resource_call_pillar import JobPillar, ResourcePillar, resource_pillar
from salt_g.resource_model.pillar_requests import MOST
from salt_g.resource_model.srn import Srn
from salt_g.services.plugins import Services


class Minion:
    """Compiles the minion's pillar, and records the purpose."""

    def __init__(self):
        self.compiled = []

    def compile(self, *, saltenv=None, pillarenv=None, **others):
        self.compiled.append((saltenv, pillarenv, others))
        return {"from": {"minion": 1, "both": "minion"}, "env": saltenv}


class Master:
    """Has pillar of single resources, and records the requested ids."""

    def __init__(self, own):
        self.own, self.requests = own, []

    def __call__(self, srns, saltenv, pillarenv):
        self.requests.append((len(srns), srns[0], saltenv, pillarenv))
        return {srn: self.own[srn] for srn in srns if srn in self.own}


@pytest.fixture
def minion():
    return Minion()


@pytest.fixture
def pillar_of(minion):
    """Return a function that returns the pillar of a job for these resources."""

    def build(master, srns):
        context = CallContext(opts={}, grains={}, pillar={}, services=Services(pillars=lambda: minion))
        return JobPillar(context, master, srns)

    return build


def test_each_layer_is_on_top_of_the_one_before():
    minion, own = {"a": {"x": 1, "y": 1}, "b": 1, "c": 1}, {"a": {"y": 2}, "b": 2}

    assert resource_pillar(minion, own, {"b": 3}) == {"a": {"x": 1, "y": 2}, "b": 3, "c": 1}
    assert resource_pillar(minion, {}, {"a": {"z": 3}}) == {"a": {"z": 3}, "b": 1, "c": 1}
    assert minion == {"a": {"x": 1, "y": 1}, "b": 1, "c": 1}


def test_the_minions_pillar_is_compiled_once_for_each_environment(pillar_of, minion):
    job = pillar_of(Master({}), [])

    found = [job.compiled(*envs) for envs in (("base", None), ("base", None), ("dev", None), ("base", "dev"))]

    assert [env["env"] for env in found] == ["base", "base", "dev", "base"]
    assert minion.compiled == [("base", None, {}), ("dev", None, {}), ("base", "dev", {})]


def test_resources_of_one_job_are_asked_for_together_in_messages_of_limited_size(pillar_of):
    srns = [Srn("t", str(number)) for number in range(MOST + 2)]
    master = Master({"t:0": {"n": 0}, f"t:{MOST}": {"n": MOST}})
    job = pillar_of(master, srns)

    assert [job.own(srn, "base", None) for srn in (srns[0], srns[1], srns[MOST])] == [
        {"n": 0},
        {},
        {"n": MOST},
    ]
    assert job.own(srns[-1], "base", None) == {}

    assert master.requests == [(MOST, "t:0", "base", None), (2, f"t:{MOST}", "base", None)]


def test_a_resource_beside_the_job_is_asked_for_alone_each_time(pillar_of):
    master = Master({"t:x": {"n": 1}})
    job = pillar_of(master, [Srn("t", "a")])

    assert job.own(Srn("t", "x"), None, None) == {"n": 1}
    assert job.own(Srn("t", "y"), None, None) == {}
    assert master.requests == [(1, "t:x", None, None), (1, "t:y", None, None)]


def test_an_override_comes_last_and_a_compilation_with_other_sources_is_the_minions(pillar_of, minion):
    srn = Srn("t", "a")
    job = pillar_of(Master({"t:a": {"from": {"own": 1, "both": "own"}}}), [srn])
    pillar = ResourcePillar(job, minion, srn, {"setting": 1})

    assert pillar.compile(saltenv="base", override={"from": {"both": "override"}}) == {
        **{"from": {"minion": 1, "own": 1, "both": "override"}, "env": "base"},
        "setting": 1,
    }
    assert pillar.compile(saltenv="base", ext={"x": 1}) == {
        **{"from": {"minion": 1, "both": "minion"}, "env": "base"},
        "setting": 1,
    }
    assert minion.compiled[-1] == ("base", None, {"ext": {"x": 1}})
