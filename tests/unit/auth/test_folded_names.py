"""Names compared as directories compare them."""

import pytest

from salt_g.auth.folded_names import folded


@pytest.mark.parametrize("name", ["ann", "Ann", "ANN", " ann ", "\uff41\uff4e\uff4e"])
def test_one_user_has_one_name(name):
    assert folded(name) == "ann"


def test_others_have_another():
    assert len({folded(name) for name in ("ann", "anna", "an n", "bob")}) == 4
    assert folded("Stra\u00dfe") == folded("STRASSE")
