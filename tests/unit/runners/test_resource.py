import pytest

from salt_g.errors import CommandExecutionError, TargetError
from salt_g.runners import resource


class FakeResources:
    """Two dummies of gw1; a refresh by gw1 adds a third."""

    def __init__(self):
        self.ids = ["d-01", "d-02"]
        self.times = 1

    def list(self, kind="", minion=""):
        return {f"dummy:{id}": {"minion": "gw1", "type": "dummy"} for id in self.ids if minion in ("", "gw1")}

    def show(self, name):
        if name != "d-01":
            raise TargetError(f"no resource is registered as {name!r}")
        return {"srn": "dummy:d-01", "minion": "gw1"}

    def grains(self):
        return {"dummy:d-01": {"b": 1, "a": 2}}

    def owners(self):
        return {"gw1": {"dummy": list(self.ids)}}

    def times_registered(self, minion):
        return self.times


class FakeKeys:
    def accepted(self):
        return frozenset(("gw1",))


class RefreshingClient:
    def __init__(self, resources):
        self.resources = resources

    def cmd(self, tgt, fun, **options):
        assert (tgt, fun) == (["gw1"], "saltutil.refresh_pillar")
        self.resources.ids = ["d-02", "d-03"]
        self.resources.times += 1
        return {"gw1": {"ret": True, "retcode": 0}}


@pytest.fixture
def registered(call_context):
    resources = FakeResources()
    client = RefreshingClient(resources)
    call_context(opts={"timeout": 5}, resources=resources, keys=FakeKeys(), client=client)
    return resources


def test_grains_are_listed_by_name_and_shown_whole(registered):
    assert resource.list_grains() == {"dummy:d-01": {"grain_keys": ["a", "b"], "grain_count": 2}}
    assert resource.show_grains("dummy", "d-01") == {"b": 1, "a": 2}
    assert resource.show_grains("dummy", "d-09") is None


def test_managing_minions_are_reported(registered):
    assert list(resource.list_(minion="gw1")) == ["dummy:d-01", "dummy:d-02"]
    assert resource.owners() == {"gw1": {"dummy": ["d-01", "d-02"]}}


def test_a_resource_that_is_not_registered_is_an_error(registered):
    assert resource.show("d-01")["srn"] == "dummy:d-01"
    with pytest.raises(CommandExecutionError, match="no resource is registered as 'd-09'"):
        resource.show("d-09")


def test_a_refresh_reports_what_has_changed(registered):
    assert resource.refresh("gw1") == {"added": ["dummy:d-03"], "removed": ["dummy:d-01"]}


def test_a_refresh_of_a_minion_without_a_key_is_false(registered):
    assert resource.refresh("nope") is False
