"""Modules, sites and configuration of the real Apache; each change is undone."""

import json
import pathlib

import pytest


@pytest.fixture
def server(need, salt_g):
    """Disable the parts of Apache that the tests enable, before and after."""
    need("apache2ctl", "a2enmod", root=True)

    def reset():
        salt_g("apache.a2dismod", "rewrite")

    reset()
    yield
    reset()


def test_a_module_is_switched_on_and_off(salt_g, server):
    planned = salt_g.state("apache_module.enabled", "rewrite", test=True)
    assert planned["comment"] == "Apache module rewrite is set to be enabled."
    assert salt_g.state("apache_module.enabled", "rewrite")["changes"] == {"old": None, "new": "rewrite"}
    assert salt_g.state("apache_module.enabled", "rewrite")["comment"] == "rewrite already enabled."
    assert "rewrite_module" in salt_g("apache.modules").value["shared"]
    assert salt_g.state("apache_module.disabled", "rewrite")["changes"] == {"old": "rewrite", "new": None}


def test_a_missing_site_is_reported(salt_g, server):
    result = salt_g.state("apache_site.enabled", "nosuch")

    assert result["result"] is False
    assert result["comment"] == "Failed to enable nosuch Apache site (Site nosuch Not found)"


def test_the_server_describes_itself(salt_g, server):
    assert salt_g("apache.version").value.startswith("Apache/2.")
    assert salt_g("apache.fullversion").value["server_mpm"]
    assert "core.c" in salt_g("apache.servermods").value
    is_enabled = pathlib.Path("/etc/apache2/sites-enabled/000-default.conf").exists()
    assert salt_g("apache.check_site_enabled", "default").value is is_enabled


def test_configuration_is_written_from_data(salt_g, server, tmp_path):
    config = [{"VirtualHost": {"this": "*:8099", "ServerName": "a.example", "ServerAlias": ["b", "c"]}}]
    words = (tmp_path / "site.conf", f"config={json.dumps(config)}")

    assert salt_g.state("apache.configfile", *words)["comment"] == "Successfully created configuration."
    assert salt_g.state("apache.configfile", *words)["comment"] == "Configuration is up to date."
    text = (tmp_path / "site.conf").read_text()
    assert "<VirtualHost *:8099>\nServerName a.example\nServerAlias b\nServerAlias c\n" in text
