"""Texts of services."""

import configparser

import pytest

from salt_g.install import services


@pytest.mark.parametrize("role", ["master", "minion"])
def test_a_daemon_that_ends_badly_starts_again_at_once_however_often(role):
    read = configparser.ConfigParser(strict=False, interpolation=None, delimiters="=")
    read.optionxform = str
    read.read_string(services.unit(role, "/usr/bin/salt-g", ["/var/log"]))

    assert read["Unit"]["StartLimitIntervalSec"] == "0"
    assert read["Service"]["Restart"] in ("always", "on-failure", "on-abort")
    assert float(read["Service"]["RestartSec"]) <= 1
