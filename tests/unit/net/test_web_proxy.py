"""The proxy of the settings, and hosts that bypass it."""

import pytest

from salt_g.net.web_proxy import WebProxy


@pytest.mark.parametrize("settings", [{}, {"proxy_host": "p"}, {"proxy_port": 3128}, {"proxy_host": ""}])
def test_half_a_proxy_is_none(settings):
    assert WebProxy.of({**settings, "no_proxy": ["a"]}) == WebProxy("", ())


def test_signs_of_a_login_do_not_change_the_address():
    settings = {"proxy_host": "p", "proxy_port": 3128, "proxy_username": "a@b", "proxy_password": "x:/?#%"}

    assert WebProxy.of(settings).url == "http://a%40b:x%3A%2F%3F%23%25@p:3128"


def test_a_password_without_a_user_is_not_sent():
    assert WebProxy.of({"proxy_host": "p", "proxy_port": 1, "proxy_password": "x"}).url == "http://p:1"


@pytest.mark.parametrize("listed", ["a.example, B.example", ["a.example", "B.example"]])
def test_hosts_of_a_list_or_a_text_are_asked_directly(listed):
    proxy = WebProxy.of({"proxy_host": "p", "proxy_port": 1, "no_proxy": listed})

    assert proxy.direct == ("a.example", "b.example")
    assert proxy.handler("https://u:p@b.example:8443/x").proxies == {}
    assert proxy.handler("https://c.example/").proxies == {"http": "http://p:1", "https": "http://p:1"}


def test_a_host_that_only_contains_a_listed_name_goes_through_the_proxy():
    proxy = WebProxy("http://p:1", ("example",))

    assert proxy.handler("http://a.example/example").proxies != {}


def test_without_a_proxy_of_the_settings_that_of_the_environment_counts(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://env:1")

    assert WebProxy().handler("http://x/").proxies["http"] == "http://env:1"
    assert WebProxy("http://p:1", ("x",)).handler("http://x/").proxies == {}
