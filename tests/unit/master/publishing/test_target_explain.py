import pytest

from salt_g.errors import TargetError
from salt_g.master.publishing.target_explain import NO_DATA, NO_KEY, NO_VALUE, TargetExplain
from salt_g.master.publishing.target_resolution import TargetResolution
from salt_g.master.settings import TargetSettings


class FakeKeys:
    def accepted(self):
        return frozenset(("web1", "db1", "new"))


class FakeData:
    known = {
        "web1": ({"os": "Debian", "ipv4": ["192.0.2.1"]}, {"role": {"name": "web"}}),
        "db1": ({"os": "Debian", "ipv4": ["198.51.100.1"]}, {}),
    }

    def get(self, id):
        return self.known.get(id)


class FakeBanks:
    def updated(self, bank, id):
        return 40 if id in FakeData.known else None


@pytest.fixture
def explanation():
    nodegroups = {"debs": "G@os:Debian"}
    expected = TargetResolution(TargetSettings(nodegroups), FakeKeys(), FakeData())
    return TargetExplain(expected, FakeBanks(), nodegroups=nodegroups, clock=lambda: 100.0)


def test_each_term_says_what_it_compared_and_how_old_that_is(explanation):
    found = explanation.explain("G@os:Debian and not db*", "compound")

    assert {id: result["matched"] for id, result in found.items()} == {
        "db1": False,
        "new": True,
        "web1": True,
    }
    assert found["db1"]["terms"] == [
        {"term": "G@os:Debian", "matched": True, "compared": "grains os", "value": "Debian", "age": 60.0},
        {"term": "db*", "matched": True, "compared": "id", "value": "db1"},
    ]


def test_a_minion_without_data_counts_as_meant_with_a_note(explanation):
    (term,) = explanation.explain("os:Debian", "grain")["new"]["terms"]

    assert (term["matched"], term["age"], term["note"]) == (True, None, NO_DATA)
    assert "value" not in term


def test_a_missing_value_is_named(explanation):
    (term,) = explanation.explain("role:name:web", "pillar")["db1"]["terms"]

    assert (term["matched"], term["compared"], term["note"]) == (False, "pillar role:name", NO_VALUE)


def test_a_listed_id_without_a_key_is_named(explanation):
    found = explanation.explain("web1,gone", "list")

    assert found["gone"] == {"matched": False, "terms": [], "note": NO_KEY}


def test_a_nodegroup_is_explained_by_its_terms(explanation):
    assert explanation.explain("debs", "nodegroup")["web1"]["terms"][0]["term"] == "G@os:Debian"


@pytest.mark.parametrize(
    ("tgt", "tgt_type"),
    [("a and", "compound"), ("os", "grain"), ("(", "pcre"), ("x", "ipcidr"), ("x", "nodegroup"), ("x", "no")],
)
def test_a_malformed_target_is_refused(explanation, tgt, tgt_type):
    with pytest.raises(TargetError):
        explanation.explain(tgt, tgt_type)


def test_a_target_matches_only_on_certain_data(explanation):
    assert explanation.matches("G@os:Debian", "web1") is True
    assert explanation.matches("G@os:Debian", "new") is False
    assert explanation.matches("I@role:name:w*", "web1") is False
    assert explanation.matches("*", "stranger") is False


@pytest.mark.parametrize("tgt", ["new", "n*", "E@n.w", "L@new,web1", "L@new and not db1"])
def test_a_minion_without_data_matches_by_its_id_alone(explanation, tgt):
    assert explanation.matches(tgt, "new") is True
    assert explanation.matches(f"{tgt} and G@os:Debian", "new") is False
    assert explanation.matches(f"{tgt} and not G@os:Debian", "new") is False
    assert explanation.matches(tgt, "stranger") is False
