"""Declarations of settings for one role or both."""

import pytest

from salt_g.config import setting
from salt_g.config.setting import FOREIGN, UNSET


@pytest.mark.parametrize(
    ("made", "defaults", "roles"),
    [
        (setting.minion("x", int, 5, "X."), (5, FOREIGN), ["minion"]),
        (setting.master("x", int, 5, "X."), (FOREIGN, 5), ["master"]),
        (setting.both("x", int, 5, "X."), (5, 5), ["minion", "master"]),
        (setting.each("x", int, (5, 6), "X."), (5, 6), ["minion", "master"]),
        (setting.each("x", int, (UNSET, 6), "X."), (UNSET, 6), ["minion", "master"]),
        (setting.both("x", bool, None, "X."), (None, None), ["minion", "master"]),
    ],
)
def test_a_role_reads_a_setting_unless_it_is_foreign(made, defaults, roles):
    assert (made.default("minion"), made.default("master")) == defaults
    assert made.roles == roles
    assert (made.name, made.text, made.unit) == ("x", "X.", "")


def test_a_unit_is_last():
    for declare in (setting.minion, setting.master, setting.both):
        assert declare("x", int, 5, "X.", "s").unit == "s"
    assert setting.each("x", int, (5, 6), "X.", "s").unit == "s"


def test_placeholders_for_no_value_show_their_names():
    assert (repr(UNSET), repr(FOREIGN)) == ("UNSET", "FOREIGN")
    assert UNSET is not FOREIGN
