"""Recorded grains."""

import pytest

from salt_g.lint.systems import SYSTEMS, grains_of, system_like


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_minion_has_its_names(system):
    grains = grains_of(system, "web1.example.net")

    assert (grains["id"], grains["host"], grains["fqdn"]) == ("web1.example.net", "web1", "web1.example.net")
    assert {type(part) for part in grains["osrelease_info"]} == {int}


@pytest.mark.parametrize(
    ("grains", "system"),
    [
        ({"os": "Ubuntu", "os_family": "Debian"}, "ubuntu"),
        ({"os": "Mint", "os_family": "Debian"}, "debian"),
        ({"os": "Rocky", "os_family": "RedHat"}, "rhel"),
        ({}, "debian"),
    ],
)
def test_the_nearest_system(grains, system):
    assert system_like(grains) == system
