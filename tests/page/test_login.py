"""Login, logout, and the page for users without rights."""

import re

import pytest

from tests.support.api_client import PASSWORD


def test_a_wrong_password_is_reported_and_the_right_one_opens_the_fleet(tab):
    page = tab()
    page.fill("#username", "ann")
    page.fill("#password", "wrong")
    page.click("text=Log in")
    assert "password is wrong" in page.text_content("[role=alert]")

    page.fill("#password", PASSWORD)
    page.press("#password", "Enter")

    page.wait_for_selector("tr.row:has-text('m3')")
    assert page.title() == "Fleet · salt-g"
    page.reload()
    page.wait_for_selector("tr.row:has-text('m3')")


@pytest.mark.parametrize("others", [[], ["pam"]])
def test_a_provider_has_a_button(tab, others):
    page = tab()
    page.route("**/v1/logins", lambda route: route.fulfill(json={"eauth": ["oidc", *others]}))
    page.reload()

    button = page.wait_for_selector("a:has-text('single sign-on')")
    assert button.evaluate("link => new URL(link.href).pathname") == "/oidc/login"
    assert bool(page.query_selector("#password")) == bool(others)
    assert page.query_selector("#eauth") is None


def test_after_a_logout_the_session_is_over(tab):
    page = tab()
    page.fill("#username", "ann")
    page.fill("#password", PASSWORD)
    page.click("text=Log in")
    page.click("[aria-label='Log out']")

    page.wait_for_selector("#username")
    assert page.evaluate("fetch('/v1/me').then(told => told.status)") == 401


def test_a_login_that_ends_elsewhere_leads_back_to_the_form(log_in, goto):
    page = log_in()
    page.context.clear_cookies()
    goto(page, "keys")

    page.wait_for_selector("#username")


@pytest.mark.parametrize("place", ["keys", "resources", "schedule"])
def test_views_without_a_right_report_it_and_name_the_setting(log_in, goto, place):
    page = log_in("bob", place)

    box = page.wait_for_selector(".trouble")
    assert "You may not see this" in box.text_content()
    assert "external_auth" in box.text_content()
    assert page.query_selector(".trouble button") is None


def test_the_dot_says_whether_events_come(log_in):
    page = log_in()
    page.wait_for_selector(".life.live")

    page.route("**/v1/events*", lambda route: route.abort())
    page.reload()
    page.wait_for_selector(".life.lost")
    page.unroute("**/v1/events*")
    page.wait_for_selector(".life.live")


def test_the_dot_says_that_the_master_is_away(log_in, answer_with):
    page = log_in()
    page.clock.install()
    page.reload()
    page.wait_for_selector(".life.live")
    problem = {"status": 503, "title": "Service Unavailable", "detail": "no master", "hint": ""}
    answer_with(page, "**/v1/health", problem, status=503)

    page.clock.run_for(16_000)
    page.wait_for_selector(".life.lost")
    page.unroute("**/v1/health")
    page.clock.run_for(16_000)
    page.wait_for_selector(".life.live")


def test_a_missing_page_is_reported(log_in, goto):
    page = log_in(place="nowhere")

    page.wait_for_selector("text=There is no such page")
    assert re.search("salt-g", page.title())
