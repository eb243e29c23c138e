"""Settings of the HTTP API."""

import pytest

from salt_g.errors import ConfigError
from salt_g.http_api.settings import ApiSettings


@pytest.fixture
def of(opts):
    return lambda rest=None, **more: ApiSettings.of({**opts, "rest_cherrypy": rest, **more})


def test_without_settings_only_this_host_is_served(of):
    found = of()

    assert (found.host, found.port, found.is_tls) == ("127.0.0.1", 8000, False)
    assert (found.webhook_path, found.app_path, found.static_path) == ("/hook", "/app", "/static")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "api.example.org"])
def test_another_address_needs_a_certificate_or_a_word(of, host):
    with pytest.raises(ConfigError, match="open to the network without encryption"):
        of({"port": 8000, "host": host})

    assert of({"port": 8000, "host": host, "disable_ssl": True}).host == host


def test_stocks_default_with_a_port_is_every_address(of):
    assert of({"port": 8000, "disable_ssl": True}).host == "0.0.0.0"


def test_a_certificate_that_is_missing_is_named(of, tmp_path):
    (tmp_path / "crt").touch()

    with pytest.raises(ConfigError, match="there is no file '/none'"):
        of({"port": 8000, "ssl_crt": str(tmp_path / "crt"), "ssl_key": "/none"})


@pytest.mark.parametrize("port", ["x", -1, 70_000, True])
def test_a_port_is_a_number(of, port):
    with pytest.raises(ConfigError, match="port must be a number"):
        of({"port": port, "host": "127.0.0.1"})


def test_routes_are_written_with_and_without_slashes(of):
    found = of({"webhook_url": "in/", "root_prefix": "/salt/", "static_path": "files"})

    assert (found.webhook_path, found.root_prefix, found.static_path) == ("/in", "/salt", "/files")


def test_proxies_are_addresses_and_networks(of):
    found = of(api_trusted_proxies=["192.0.2.1", "2001:db8::/32"])

    assert found.is_proxy("192.0.2.1")
    assert found.is_proxy("2001:db8::7")
    assert not found.is_proxy("192.0.2.2")
    assert not found.is_proxy("nonsense")
    with pytest.raises(ConfigError, match="api_trusted_proxies"):
        of(api_trusted_proxies=["proxy"])
