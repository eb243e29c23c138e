"""Resolution of targets from the master's own data."""

import pytest

from salt_g.errors import TargetError
from salt_g.loader.part_plugins import PartPlugins
from salt_g.master.publishing.target_resolution import TargetResolution
from salt_g.master.settings import TargetSettings

DATA = {"m1": ({"os": "Debian"}, {"role": "web"}), "m2": ({"os": "Alpine"}, {})}


class FakeKeys:
    def accepted(self):
        return frozenset(("m1", "m2", "new"))


@pytest.fixture
def expected():
    return TargetResolution(TargetSettings({"ours": "m* and not m2"}), FakeKeys(), DATA)


@pytest.mark.parametrize(
    ("tgt", "tgt_type", "minions"),
    [
        ("*", "glob", ["m1", "m2", "new"]),
        ("m*", "glob", ["m1", "m2"]),
        (["m*"], "glob", []),
        ("m[2-9]", "pcre", ["m2"]),
        ("os:Debian", "grain", ["m1", "new"]),
        ("role:web", "pillar", ["m1", "new"]),
        ("G@os:Debian and m*", "compound", ["m1"]),
        ("not G@os:Debian", "compound", ["m2"]),
        ("N@ours", "compound", ["m1"]),
    ],
)
def test_a_target_means_these_minions(expected, tgt, tgt_type, minions):
    assert expected.resolve(tgt, tgt_type).minions == minions


def test_a_minion_without_data_is_not_selected_where_that_gives_rights(expected):
    assert expected.resolve("os:Debian", "grain", greedy=False).minions == ["m1"]


def test_a_list_reports_missing_ids(expected):
    assert expected.resolve("m1,gone, m2", "list")[:2] == (["m1", "m2"], ["gone"])


@pytest.mark.parametrize(
    ("tgt", "tgt_type"),
    [("L@m1,gone", "compound"), ("G@os:Debian and L@gone,m1", "compound"), ("few", "nodegroup")],
)
def test_a_list_in_a_compound_target_reports_missing_ids(tgt, tgt_type):
    expected = TargetResolution(TargetSettings({"few": "L@gone,m1"}), FakeKeys(), DATA)

    assert expected.resolve(tgt, tgt_type)[:2] == (["m1"], ["gone"])


def test_a_type_that_does_not_exist_is_an_error(expected):
    with pytest.raises(TargetError):
        expected.resolve("x", "stars")


@pytest.mark.parametrize("tgt", ["(m1 or m2", "not m1,m2", "N@ours or m2)", ["m1", "or", "(m2"]])
def test_a_word_that_is_no_criterion_is_an_error_if_the_rest_selects_a_minion(expected, tgt):
    with pytest.raises(TargetError, match=r"is read as one"):
        expected.resolve(tgt, "compound")


def test_a_malformed_expression_selects_no_minion(expected):
    assert expected.resolve("( m1 or m2", "compound").minions == []


@pytest.fixture
def with_matchers(tmp_path):
    """Return a resolution on a master with users' matchers."""
    directory = tmp_path / "matchers"
    directory.mkdir()
    (directory / "role_match.py").write_text(
        "def match(tgt, opts=None, minion_id=None):\n"
        "    return (__opts__['id'], __grains__['os'], __pillar__.get('role')) == ('m1', 'Debian', tgt)\n"
    )
    (directory / "wrong_match.py").write_text("def match(tgt):\n    return 1 / 0\n")
    plugins = PartPlugins({"extension_modules": str(tmp_path)}, "matchers")
    return TargetResolution(TargetSettings({}), FakeKeys(), DATA, matchers=plugins)


def test_a_matcher_of_users_selects_by_the_data_of_each_minion(with_matchers):
    assert with_matchers.resolve_all("web", "role").minions == ["m1", "new"]
    assert with_matchers.resolve("web", "role", greedy=False).minions == ["m1"]
    assert with_matchers.resolve("db", "role", greedy=False).minions == []


def test_a_matcher_that_fails_is_an_error(with_matchers):
    with pytest.raises(TargetError, match="'wrong': its matcher failed: division by zero"):
        with_matchers.resolve("x", "wrong")
    with pytest.raises(TargetError, match="'stars' does not exist; known: .* saltutil.sync_matchers"):
        with_matchers.resolve("x", "stars")


def test_changing_an_answer_does_not_change_the_next(expected):
    expected.resolve("*").minions.clear()

    assert expected.resolve("*").minions == ["m1", "m2", "new"]
