"""Names and versions of packages, as users write them."""

import pytest

from salt_g.modules import pkg_resource


@pytest.mark.parametrize("pkgs", ["bash", 5])
def test_a_list_of_packages_that_is_not_a_list_is_refused(call_context, caplog, pkgs):
    call_context()

    assert pkg_resource.parse_targets(None, pkgs)[0] in (None, {})
    assert f"'pkgs' must be a list of packages, not {pkgs!r}" in caplog.text


def test_names_stand_alone_or_with_a_version(call_context):
    call_context()

    assert pkg_resource.parse_targets(None, ["a", {"b": 1}])[0] == {"a": None, "b": "1"}
