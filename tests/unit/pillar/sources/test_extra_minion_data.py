"""Data that a minion passes on into its pillar."""

import pytest

from salt_g.pillar.sources.extra_minion_data import extra_minion_data_in_pillar


@pytest.mark.parametrize(
    ("include", "pillar"),
    [
        ("*", {"a": {"b": {"c": 1}, "d": 2}, "e": 3}),
        ("<all>", {"a": {"b": {"c": 1}, "d": 2}, "e": 3}),
        (["a:b", "a:d"], {"a": {"b": {"c": 1}, "d": 2}}),
        (["e", "a:b:c"], {"e": 3, "a": {"b": {"c": 1}}}),
        ("e", {"e": 3}),
        (["no", "a:no", "e:no", "a:b:c:no"], {}),
    ],
)
def test_data_passed_by_the_minion_is_selected(include, pillar):
    passed = {"a": {"b": {"c": 1}, "d": 2}, "e": 3}

    assert extra_minion_data_in_pillar("m1", {}, include, extra_minion_data=passed) == pillar
    assert extra_minion_data_in_pillar("m1", {}, include) == {}
