"""Gem versions that satisfy the requested one."""

import pytest

from salt_g.states import gem


@pytest.mark.parametrize(
    ("there", "wanted", "comment"),
    [
        (["1.2"], "1.2", "Gem is already installed."),
        (["default: 1.2", "1.0"], "1.2", "Gem is already installed."),
        (["1.10"], ">= 1.9", "Installed Gem meets version requirements."),
        (["1.10"], "<1.9", "The gem x would have been installed"),
        (["2.0.rc1"], ">=2.0", "The gem x would have been installed"),
        ([], None, "The gem x would have been installed"),
    ],
)
def test_a_version_may_be_exact_or_a_condition(call_context, there, wanted, comment):
    call_context(
        functions={"gem.list": lambda *words, **more: {"x": there} if there else {}}, opts={"test": True}
    )

    assert gem.installed("x", version=wanted)["comment"] == comment
