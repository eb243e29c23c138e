"""One criterion for one minion."""

import pytest

from salt_g.match.minion_view import MinionView
from salt_g.match.single import TYPES, addresses_of, match_single

MINION = MinionView(
    "web1",
    grains={"os": "Linux", "ipv4": ["127.0.0.1", "10.1.2.3", "odd"], "ipv6": "fd00::5"},
    pillar={"tier": "front"},
)


@pytest.mark.parametrize("tgt_type", sorted(TYPES - {"range", "list", "pcre"}))
@pytest.mark.parametrize("tgt", [None, 5, ["web1"], {"web1": 1}, ""])
def test_a_target_of_a_wrong_type_matches_no_minion(tgt_type, tgt):
    assert match_single(tgt, tgt_type, MINION) is False


@pytest.mark.parametrize("tgt", ["web1", "a,web1", ["web1"], {"web1": 1}, frozenset(["web1"])])
def test_a_list_may_be_text_or_names(tgt):
    assert match_single(tgt, "list", MINION)
    assert not match_single(tgt, "list", MinionView("web"))


@pytest.mark.parametrize(
    ("tgt", "expected"),
    [
        ("10.1.0.0/16", True),
        ("10.1.2.3", True),
        ("10.1.2.3/16", False),
        ("fd00::/8", True),
        ("0.0.0.0/0", True),
        ("192.0.2.0/24", False),
    ],
)
def test_addresses_are_compared_within_their_version(tgt, expected):
    assert match_single(tgt, "ipcidr", MINION) is expected


def test_addresses_are_always_a_list():
    assert addresses_of(MINION, 6) == ["fd00::5"]
    assert addresses_of(MinionView("a"), 4) == []


@pytest.mark.parametrize(
    "tgt_type", ["grain", "grain_pcre", "pillar", "pillar_exact", "pillar_pcre", "data", "ipcidr"]
)
def test_a_minion_without_known_data_decides_itself(tgt_type):
    assert match_single("x:y", tgt_type, MinionView("a", is_unknown=True))


def test_an_unknown_minion_still_has_its_id():
    assert not match_single("b*", "glob", MinionView("a", is_unknown=True))


def test_where_pillar_is_exact_patterns_are_text():
    exact = MINION._replace(exact_pillar=True)

    assert match_single("tier:fr*", "pillar", MINION)
    assert match_single("tier:fr.*", "pillar_pcre", MINION)
    assert not match_single("tier:fr*", "pillar", exact)
    assert not match_single("tier:fr.*", "pillar_pcre", exact)
    assert match_single("tier:front", "pillar", exact)
