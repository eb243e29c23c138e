"""One criterion for one resource."""

import pytest

from salt_g.match import resource
from salt_g.match.minion_view import MinionView

MINION = MinionView("m1", grains={"ipv4": ["10.0.0.1"], "os": "x"}, pillar={"tier": "front"})
SWITCH = resource.Resource(
    "switch", "s1", MINION, grains={"model": "A1", "list": ["x"]}, settings={"port": 22}
)


def is_meant(tgt, tgt_type, *, managed=False, it=SWITCH):
    return resource.test_resources(tgt, tgt_type)(it, managed)


@pytest.mark.parametrize(
    ("tgt", "tgt_type"),
    [
        ("switch", "resource"),
        ("switch:s1", "resource"),
        ("sw*:s?", "resource"),
        ("sw*", "resource"),
        ("model:a*", "grain"),
        ("list:x", "grain"),
        ("model:A\\d", "grain_pcre"),
        ("s1", "glob"),
        ("switch:s1", "glob"),
        ("*", "glob"),
        ("m*", "glob"),
        ("a, s1", "list"),
        (["switch:s1"], "list"),
        ("switch:s", "pcre"),
        ("port:22", "pillar"),
    ],
)
def test_the_resource_is_meant_by_itself(tgt, tgt_type):
    assert is_meant(tgt, tgt_type)


@pytest.mark.parametrize(
    ("tgt", "tgt_type"),
    [("m1", "glob"), ("m1", "managing_minion"), ("tier:front", "pillar"), ("10.0.0.0/8", "ipcidr")],
)
def test_a_target_by_its_minions_data_counts_for_managed_resources_only(tgt, tgt_type):
    assert not is_meant(tgt, tgt_type)
    assert is_meant(tgt, tgt_type, managed=True)


@pytest.mark.parametrize(
    ("tgt", "tgt_type"),
    [
        ("router", "resource"),
        ("switch:s2", "resource"),
        ("os:x", "grain"),
        ("model", "grain"),
        (5, "glob"),
        (None, "list"),
        ("m1", "list"),
    ],
)
def test_other_words_do_not_mean_it_even_when_managed(tgt, tgt_type):
    assert not is_meant(tgt, tgt_type, managed=True)


def test_own_addresses_hide_those_of_the_minion():
    it = SWITCH._replace(grains={"ipv4": ["192.0.2.1"]})

    assert is_meant("192.0.2.0/24", "ipcidr", it=it)
    assert not is_meant("10.0.0.0/8", "ipcidr", managed=True, it=it)


def test_a_cached_answer_is_of_its_value():
    test = resource.test_resources("model:A*", "grain")
    models = ["A1", "B1", "A1", "B1", "a2"]

    found = [test(SWITCH._replace(grains={"model": model}), False) for model in models]

    assert found == [True, False, True, False, True]


def test_an_unknown_type_is_a_key_error():
    with pytest.raises(KeyError):
        resource.test_resources("a", "nosuch")
