"""Values of order and mode."""

import pytest

from salt_g.lint.unknown import TEXT
from salt_g.lint.value_check import wrong_values


def wrong(state="file", fun="managed", **values):
    return [(one.argument, one.is_error) for one in wrong_values({"state": state, "fun": fun, **values})]


@pytest.mark.parametrize("order", [1, -1, 2.5, "first", "last", TEXT])
def test_orders(order):
    assert wrong(order=order) == []


@pytest.mark.parametrize("order", ["frist", "1", [1]])
def test_orders_without_an_effect(order):
    assert wrong(order=order) == [("order", False)]


@pytest.mark.parametrize("mode", ["0644", 644, "0o755", "keep", "'0644'", 0, "4755", None, TEXT])
def test_modes(mode):
    assert wrong(mode=mode, dir_mode=mode) == []


@pytest.mark.parametrize("mode", ["0999", "rwxr-xr-x", [1], True, 98])
def test_wrong_modes(mode):
    assert wrong(mode=mode) == [("mode", True)]


def test_arguments_of_that_name_with_another_meaning():
    assert wrong(fun="line", mode="ensure") == wrong("mount", "x", mode="x") == []
