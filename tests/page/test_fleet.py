"""Fleet: counts as filters, the table of a few and of 10,000 minions, a selection."""

import json
import urllib.parse

import pytest

from tests.support.page_browser import wait_for

STATUSES = ("ok", "changed", "would change", "failed", "none")


def row(number):
    return {
        **{
            "id": f"web{number:05}",
            "os": "Debian",
            "os_version": "12",
            "addresses": [f"10.0.0.{number % 250}"],
        },
        **{"version": "3008.3", "seen": None, "connected": number % 50 > 0, "status": "ok"},
        **{"last_run": None, "resources": 0},
    }


@pytest.fixture
def large(log_in):
    """Return a tab with a fleet of 10,000 minions."""
    page = log_in()
    queries = []

    def answer(route):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(route.request.url).query))
        queries.append(query)
        first, limit = int(query.get("skip", 0)), int(query.get("limit", 100))
        items = [row(number) for number in range(first, min(10_000, first + limit))]
        result = {"items": items, "next": None, "total": 10_000}
        route.fulfill(content_type="application/json", body=json.dumps(result))

    page.route("**/v1/minions?*", answer)
    page.reload()
    page.wait_for_selector("tr.row:has-text('web00001')")
    page.queries = queries
    return page


def test_counts_are_filters(log_in, site):
    site.finished(site.start("state.single", "test.fail_without_changes", "name=x", tgt="m1"))
    site.finished(site.start("state.single", "test.succeed_without_changes", "name=x", tgt="m[23]"))
    page = log_in()

    page.click(".chip:has-text('failed')")
    wait_for(page, "document.querySelectorAll('tr.row').length === 1")
    assert page.text_content("tr.row a.mono") == "m1"
    assert page.input_value(".filter") == "status:failed"
    page.click(".chip:has-text('failed')")
    wait_for(page, "document.querySelectorAll('tr.row').length === 3")


def test_a_job_elsewhere_changes_the_row(log_in, site):
    page = log_in()
    site.finished(site.start("state.single", "test.succeed_with_changes", "name=x", tgt="m3"))

    page.wait_for_selector("tr.row:has-text('m3') .pill:has-text('changed')")


def test_words_filter_and_an_unreadable_filter_says_why(log_in):
    page = log_in()
    page.fill(".filter", "m2")
    wait_for(page, "document.querySelectorAll('tr.row').length === 1")

    page.fill(".filter", "nobody")
    page.wait_for_selector("text=No minion matches this filter")
    page.fill(".filter", "os:'Deb")
    assert "cannot be read" in page.wait_for_selector(".trouble").text_content()
    page.fill(".filter", "")
    page.wait_for_selector("tr.row:has-text('m1')")


def test_a_minion_shows_its_grains(log_in):
    page = log_in()
    page.click("tr.row a:has-text('m2')")

    page.fill("[aria-label='Filter grains']", "osrelease")
    assert "osrelease" in page.wait_for_selector(".grains").text_content()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.wait_for_selector(".side", state="detached")


def test_of_10000_minions_40_are_in_the_page(large):
    assert 40 <= large.locator("tr.row").count() <= 60
    assert large.get_attribute("table.rows", "aria-rowcount") == "10001"

    large.evaluate("document.querySelector('.scroll').scrollTop = 36 * 7000")
    large.wait_for_selector("tr.row:has-text('web07003')")
    assert 40 <= large.locator("tr.row").count() <= 60
    assert len(large.queries) <= 6

    large.evaluate("document.querySelector('.scroll').scrollTop = 1e9")
    large.wait_for_selector("tr.row:has-text('web09999')")


def test_a_selection_becomes_the_target_of_a_run(log_in):
    page = log_in()
    page.check("[aria-label='Select m1']")
    page.check("[aria-label='Select m3']")
    assert "2 selected" in page.text_content(".selection")

    page.click(".selection button:has-text('Run')")
    page.wait_for_selector(".meant :text('2 minions')")
    assert page.input_value("#tgt") == "m1,m3"
    assert "salt-g -L m1,m3" in page.text_content("#command")


def test_without_minions_the_page_says_what_to_do(log_in, answer_with):
    page = log_in()
    answer_with(page, "**/v1/minions?*", {"items": [], "next": None, "total": 0})
    page.reload()

    page.wait_for_selector("text=There is no minion yet")
    page.click("text=Invite a minion")
    page.wait_for_selector("dialog[open] h2:has-text('Invite a minion')")


def test_a_failure_says_what_to_do_and_is_tried_again(log_in, answer_with):
    page = log_in()
    problem = {
        "status": 503,
        "title": "Service Unavailable",
        "detail": "no master",
        "hint": "look at the master",
    }
    answer_with(page, "**/v1/minions?*", problem, status=503)
    page.reload()
    assert "No master. Look at the master." in page.wait_for_selector(".trouble").text_content()

    page.unroute("**/v1/minions?*")
    page.click("text=Try again")
    page.wait_for_selector("tr.row:has-text('m1')")
