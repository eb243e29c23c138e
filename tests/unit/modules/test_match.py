"""Targets evaluated by execution functions."""

import pytest

from salt_g.errors import InvocationError, SaltGError
from salt_g.match.service import Matches
from salt_g.modules import match


@pytest.fixture(autouse=True)
def minion(call_context):
    call_context(
        opts={"id": "web1", "nodegroups": {"ng": "web*"}},
        grains={"role": "web", "ipv4": ["10.0.0.1"]},
        pillar={"tier": "front"},
        tables={"matchers": {"moon_match.match": lambda tgt: tgt == "full"}},
        match=Matches(),
        functions={"data.getval": {"k": "v"}.get},
    )


def test_every_type_has_a_function():
    assert match.glob("web*")
    assert match.list_("web1,web2")
    assert match.pcre("w.b1")
    assert match.grain("role:web")
    assert match.grain("role|web", delimiter="|")
    assert match.grain_pcre("role:w.b")
    assert match.pillar("tier:f*")
    assert match.pillar_pcre("tier:f.*")
    assert match.ipcidr("10.0.0.0/8")
    assert match.data("k:v")
    assert match.compound("N@ng and not G@role:db")


def test_another_id_can_be_asked_for():
    assert match.glob("db*", minion_id="db1")
    assert not match.compound("web1", minion_id="db1")


def test_filter_by_gives_the_first_that_fits():
    assert match.filter_by({"db*": 1, "web*": 2, "default": 0}) == 2
    assert match.filter_by({"db*": 1, "default": 0}) == 0
    assert match.filter_by({"db*": 1}) is None
    assert match.filter_by({"web*": {"a": 1}}, merge={"b": 2}) == {"a": 1, "b": 2}
    with pytest.raises(SaltGError, match="must be a dictionary"):
        match.filter_by({"web*": {}}, merge="x")


def test_search_by_gives_all_that_fit():
    assert match.search_by({"a": ["web*"], "b": ["db*", "G@role:web"], "c": ["x"]}) == ["a", "b"]
    assert match.search_by({"c": ["x"]}) is None


def test_ifelse_takes_pairs_and_a_default():
    assert match.ifelse("db*", "db", "web*", "web", "none") == "web"
    assert match.ifelse(False, "a", True, "b", "c") == "b"
    assert match.ifelse("x", "a", "c") == "c"
    assert match.ifelse("only") == "only"
    with pytest.raises(SaltGError, match="odd number"):
        match.ifelse("a", "b")


def test_users_may_add_types():
    assert match.filter_by({"full": 1}, tgt_type="moon") == 1


def test_an_unknown_type_is_an_error():
    with pytest.raises(InvocationError, match="'nope' does not exist"):
        match.filter_by({"x": 1}, tgt_type="nope")
