"""Releases by their code names."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import salt_version


@pytest.fixture(autouse=True)
def minion(call_context):
    call_context(grains={"saltversioninfo": [3008, 3]})


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("Oxygen", "2018.3"),
        ("fluorine", "2019.2"),
        ("Neon", "3000"),
        ("SODIUM", "3001"),
        ("Argon", "3008"),
        ("Oganesson", "3108"),
        ("Vibranium", None),
    ],
)
def test_a_name_has_a_number(name, number):
    assert salt_version.get_release_number(name) == number


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Oxygen", (False, True, False)),
        ("Sodium", (False, True, False)),
        ("Argon", (True, False, False)),
        ("Potassium", (False, False, True)),
        ("Vibranium", (False, False, False)),
    ],
)
def test_ours_is_compared(name, expected):
    compared = [getattr(salt_version, how)(name) for how in ("equal", "greater_than", "less_than")]

    assert tuple(compared) == expected


def test_a_number_is_not_a_name():
    with pytest.raises(CommandExecutionError, match="'name' argument must be a string"):
        salt_version.less_than(3001)
