"""Lookup in a table by a fact."""

import pytest

from salt_g.errors import SaltGError
from salt_g.modules._lookup import choose

FACTS = {"os_family": "Debian", "roles": ["db", "web-2"], "deep": {"os": "Arch"}, "number": 12}


def test_the_key_that_fits_the_fact_wins():
    assert choose({"Debian": 1, "default": 2}, FACTS, "os_family") == 1


def test_keys_are_globs_and_facts_may_be_lists():
    assert choose({"web-*": 1, "default": 2}, FACTS, "roles") == 1


def test_a_path_reaches_into_facts():
    assert choose({"Arch": 1}, FACTS, "deep:os") == 1


def test_numbers_are_compared_as_text():
    assert choose({12: "twelve"}, FACTS, "number") == "twelve"


def test_nothing_that_fits_is_the_default_or_none():
    assert choose({"RedHat": 1, "default": 2}, FACTS, "os_family") == 2
    assert choose({"RedHat": 1, "other": 2}, FACTS, "os_family", default="other") == 2
    assert choose({"RedHat": 1}, FACTS, "os_family") is None


def test_base_lies_underneath():
    table = {"common": {"a": {"x": 1}, "b": 1}, "Debian": {"a": {"y": 2}}}

    assert choose(table, FACTS, "os_family", base="common") == {"a": {"x": 1, "y": 2}, "b": 1}
    assert table["common"] == {"a": {"x": 1}, "b": 1}


def test_base_alone_counts_when_nothing_fits():
    assert choose({"common": {"a": 1}}, FACTS, "os_family", base="common") == {"a": 1}


def test_merge_is_laid_over():
    table = {"Debian": {"pkg": "apache2", "conf": {"a": 1}}}

    found = choose(table, FACTS, "os_family", merge={"conf": {"b": 2}})

    assert found == {"pkg": "apache2", "conf": {"a": 1, "b": 2}}


def test_merge_alone_counts_when_nothing_fits():
    assert choose({}, FACTS, "os_family", merge={"a": 1}) == {"a": 1}


def test_values_that_cannot_be_merged_are_refused():
    with pytest.raises(SaltGError, match="merge argument must be a dictionary"):
        choose({}, FACTS, "os_family", merge=["a"])
    with pytest.raises(SaltGError, match="must both be dictionaries"):
        choose({"Debian": "x", "base": {"a": 1}}, FACTS, "os_family", base="base")
