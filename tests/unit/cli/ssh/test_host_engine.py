"""`state.show_sls` and `state.show_low_sls` of a host, which show the data of a run."""

import pytest

from salt_g.cli.ssh.host_engine import HostEngine
from salt_g.errors import CompileError
from salt_g.shapes.high_data import HighData

PLACE = {"__sls__": "a", "__env__": "base"}


class Tree(HostEngine):
    """Engine over one SLS, given as high data."""

    high: dict

    def high_of_sls(self, names):
        return HighData.of(self.high)


@pytest.fixture
def engine(call_context):
    def make(**high):
        made = Tree(call_context(states={"test.nop": print}).services)
        made.high = high
        return made

    return make


def test_extensions_and_requisites_of_others_are_applied(engine):
    def high():
        one = {"test": ["nop", {"require_in": [{"test": "two"}]}, {"order": 10000}], **PLACE}
        two = {"test": ["nop", {"order": 10001}], **PLACE}
        return {"two": two, "one": one, "__extend__": [{"two": {"test": [{"name": "other"}], **PLACE}}]}

    shown = engine(**high()).verified_high_of_sls(["a"]).as_mapping()
    low = engine(**high()).low_of_sls(["a"])

    assert {"name": "other"} in shown["two"]["test"] and "__extend__" not in shown
    assert [(one["__id__"], one["name"]) for one in low] == [("one", "one"), ("two", "other")]
    assert low[1]["require"] == [{"test": "one"}]


@pytest.mark.parametrize("show", ["verified_high_of_sls", "low_of_sls"])
def test_an_extension_without_a_target_is_an_error(engine, show):
    made = engine(__extend__=[{"gone": {"test": [{"name": "other"}], **PLACE}}])

    with pytest.raises(CompileError, match="Cannot extend ID 'gone'"):
        getattr(made, show)(["a"])
