"""Consistency of the state language's vocabulary."""

import pytest

from salt_g.state.compile.vocabulary import (
    BORROWING,
    ENGINE_KEYS,
    MIRRORED,
    ORDERING_KINDS,
    RANK,
    REQUISITES,
    declared_modules,
    first_key,
    is_internal,
    is_pattern,
)


def test_every_ordering_kind_has_a_rank_and_is_kept_from_functions():
    assert set(ORDERING_KINDS) <= RANK.keys() == REQUISITES - {"onfail_stop"}
    assert REQUISITES | MIRRORED | BORROWING <= ENGINE_KEYS


def test_each_mirrored_key_mirrors_a_requisite():
    assert {key.removesuffix("_in") for key in MIRRORED} <= REQUISITES


@pytest.mark.parametrize(
    ("key", "expected"), [("__sls__", True), ("__x", True), ("_x", False), ("a__", False), (5, False)]
)
def test_keys_of_the_compiler_begin_with_two_underscores(key, expected):
    assert is_internal(key) is expected


@pytest.mark.parametrize(
    ("value", "expected"), [("a*", True), ("a?", True), ("[ab]", True), ("a.b-c", False)]
)
def test_wildcards_make_a_pattern(value, expected):
    assert is_pattern(value) is expected


def test_modules_are_the_keys_that_are_not_the_compilers():
    assert list(declared_modules({"__sls__": "a", "test": ["nop"], "cmd": []})) == [
        ("test", ["nop"]),
        ("cmd", []),
    ]
    assert (first_key({"a": 1, "b": 2}), first_key({})) == ("a", None)
