"""Arguments of the wrong type: detected by annotations, else by defaults; nested mismatches first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from salt_g.state.compile.argument_types import wrong_argument


def managed(
    name: str,
    mode: str | int | None = None,
    makedirs: bool = False,
    pkgs: Sequence[str] | None = None,
    context: Mapping[str, Any] | None = None,
    anything: Any = None,
    typed_elsewhere: NotImportedHere | None = None,  # type: ignore[name-defined] # noqa: F821
    *,
    depth: float = 1.5,
    **kwargs: Any,
):
    """Do nothing."""


def legacy(name, mode="0644", makedirs=False, users=None):
    """Do nothing, without annotations."""


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"mode": [1]}, '"mode" is a list, expected text or a number'),
        ({"mode": {"a": 1}}, '"mode" is a mapping, expected text or a number'),
        ({"pkgs": "nginx"}, '"pkgs" is text, expected a list'),
        ({"pkgs": {"a": 1}}, '"pkgs" is a mapping, expected a list'),
        ({"pkgs": ["a", {"b": 1}]}, 'item 2 of "pkgs" is a mapping, expected text'),
        ({"context": ["a"]}, '"context" is a list, expected a mapping'),
        ({"depth": "deep"}, ""),
        ({"makedirs": "yes"}, ""),
        ({"mode": None, "pkgs": None, "context": None}, ""),
        ({"anything": [1], "typed_elsewhere": [1], "other": [1]}, ""),
        (
            {"mode": [1], "context": 5},
            '"mode" is a list, expected text or a number; "context" is a number, expected a mapping',
        ),
    ],
)
def test_the_argument_that_does_not_fit_is_named(given, sentence):
    assert wrong_argument(managed, {"name": "x", **given}, TypeError("something")) == sentence


def test_a_scalar_of_another_kind_counts_if_the_error_mentions_its_type():
    exc = AttributeError("'int' object has no attribute 'split'")

    assert wrong_argument(managed, {"name": 5, "makedirs": "yes"}, exc) == '"name" is a number, expected text'


def test_only_the_one_mentioned_by_the_error_is_named():
    given = {"name": "x", "mode": [1], "context": "text"}

    assert wrong_argument(managed, given, TypeError("must be str, not list")).startswith('"mode"')
    assert '"context"' not in wrong_argument(managed, given, TypeError("must be str, not list"))


def test_without_annotations_defaults_say_what_is_wanted():
    assert wrong_argument(legacy, {"mode": [1]}, TypeError()) == '"mode" is a list, expected text'
    assert wrong_argument(legacy, {"users": [1]}, TypeError()) == ""
