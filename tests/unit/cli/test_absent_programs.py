"""Programs of stock that are not here are refused in words."""

import pytest

from salt_g.cli import absent_programs, dispatch, exit_codes


def test_each_link_that_is_refused_has_its_reason():
    assert set(dispatch.ABSENT_LINKS) == set(absent_programs.ABSENT)
    assert absent_programs.sentence("web1") == ""


@pytest.mark.parametrize("argv", [["salt-syndic", "-d"], ["/usr/bin/salt-syndic"], ["salt-g", "syndic"]])
def test_a_syndic_is_refused_with_what_takes_its_place(argv, capsys):
    assert dispatch.run(argv) == exit_codes.USAGE
    assert "salt-g has no salt-syndic: minions may have several masters" in capsys.readouterr().err
