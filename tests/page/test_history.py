"""Drift and History: changes by others and by state runs, filtered by path, minion and cause."""

import pytest

from tests.support.page_browser import wait_for
from tests.support.waiting import until

GROUP = {
    **{"id": "motd", "fun": "file.managed", "added": 1, "removed": 1, "text": "", "at": 1.8e9, "user": "ann"},
    **{"test": False, "jid": "20270115080000000000", "cause": "intended"},
}


@pytest.fixture(scope="module")
def drifted(site):
    """Return the path of a file edited by hand; a test run detected that, and a run corrected it."""
    path = site.master.root / "motd"
    site.finished(site.start("state.apply", "drift", tgt="m1"))
    event = lambda what: site.client.get(f"/v1/{what}").data["items"]  # noqa: E731
    until(lambda: event("history?q=/motd"), "the first change")
    path.write_text("<img src=x onerror=document.title='owned'>\n")
    site.finished(site.start("state.apply", "drift", {"__kwarg__": True, "test": True}, tgt="m1"))
    until(lambda: event("drift"), "the drift")
    site.finished(site.start("state.apply", "drift", tgt="m1"))
    until(lambda: [one for one in event("drift") if one["state"] == "corrected"], "the correction")
    return str(path)


def test_drift_shows_what_others_changed_as_text(log_in, drifted, picture):
    page = log_in(place="drift")
    line = page.wait_for_selector("tr.row:has-text('/motd')").text_content()
    assert "corrected" in line and "m1" in line
    page.click("tr.row .link:has-text('/motd')")

    page.wait_for_selector(".side .diff .del:has-text('<img src=x')")
    page.wait_for_selector(".side .diff .add:has-text('<script>alert(1)</script>')")
    assert page.query_selector("main img, main script") is None
    assert page.title() == "Drift · salt-g"
    picture(page, "drift-panel")
    page.keyboard.press("Escape")
    page.wait_for_selector(".side", state="detached")


def test_drift_is_filtered_and_leads_to_its_history(log_in, drifted):
    page = log_in(place="drift")
    page.wait_for_selector("tr.row")
    page.fill(".filter", "nowhere")
    page.wait_for_selector("text=No drift fits")
    page.click("button:has-text('Show all')")
    page.click(".chip.v-found")
    page.wait_for_selector("text=No drift fits")
    page.click(".chip.v-corrected")
    page.click("tr.row .link")
    page.click("text=All its changes")

    page.wait_for_selector("h1:has-text('History')")
    page.wait_for_selector("tr.row:has-text('corrective')")
    page.click(f".chip:has-text('of {drifted}')")
    page.wait_for_selector(".chip", state="detached")


def test_history_is_searched_by_path_minion_and_cause(log_in, drifted, picture):
    page = log_in(place="history")
    page.wait_for_selector("tr.row:has-text('/motd')")
    page.fill("[aria-label='Path or state']", "MOTD")
    wait_for(page, "document.querySelectorAll('tr.row').length === 3")
    assert "test" in page.locator("tr.row").nth(1).text_content()
    page.select_option("[aria-label=Cause]", "corrective")
    wait_for(page, "document.querySelectorAll('tr.row').length === 2")
    page.fill("[aria-label=Minion]", "m2")
    page.wait_for_selector("text=No change fits")
    page.fill("[aria-label=Minion]", "m")
    wait_for(page, "document.querySelectorAll('tr.row').length === 2")

    page.keyboard.press("Escape")
    page.keyboard.press("j")
    wait_for(page, "document.activeElement.matches('tr.cursor .link')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".side .diff")
    picture(page, "history-panel")
    page.click(".side dd a.mono")
    page.wait_for_selector("h1:has-text('state.apply')")


def test_a_change_of_many_minions_is_one_line_over_pages(log_in, answer_with):
    page = log_in()
    pages = [
        {"items": [{**GROUP, "name": "/x", "minions": ["a"], "count": 1}], "next": "p"},
        {"items": [{**GROUP, "name": "/x", "minions": ["b"], "count": 1}], "next": None},
    ]
    answer_with(page, "**/v1/history?*", pages[0])
    answer_with(page, "**/v1/history?*after=p*", pages[1])
    page.evaluate("location.hash = '#/history'")

    page.wait_for_selector("tr.row:has-text('a, b')")
    assert page.locator("tr.row").count() == 1


def test_ten_thousand_changes_are_a_window_of_rows(log_in, answer_with):
    page = log_in()
    items = [{**GROUP, "name": f"/f{n}", "minions": ["m1"], "count": 1} for n in range(10_000)]
    answer_with(page, "**/v1/history?*", {"items": items, "next": None})
    page.evaluate("location.hash = '#/history'")
    page.wait_for_selector("tr.row:has-text('/f0')")
    assert page.locator("tr.row").count() < 100
    page.evaluate("document.querySelector('.scroll').scrollTo(0, 36 * 9000)")
    page.wait_for_selector("tr.row:has-text('/f9000')")


@pytest.mark.parametrize("place", ["drift", "history"])
def test_a_master_without_a_history_says_how_to_have_one(log_in, answer_with, place):
    page = log_in()
    problem = {"status": 404, "title": "Not Found", "detail": "this master keeps no history", "hint": ""}
    answer_with(page, f"**/v1/{place}?*", problem, status=404)
    page.evaluate(f"location.hash = '#/{place}'")

    assert "history: True" in page.wait_for_selector(".empty").text_content()


def test_without_drift_the_page_reports_none_and_lists_untested_minions(log_in, answer_with):
    page = log_in()
    answer_with(page, "**/v1/drift?*", {"items": [], "not_tested": ["db1"], "more": 2, "is_cut": False})
    page.evaluate("location.hash = '#/drift'")
    page.wait_for_selector("text=No drift")
    page.click("text=3 minions were not tested")
    page.wait_for_selector(".not-tested a:has-text('db1')")


@pytest.mark.parametrize("place", ["drift", "history"])
def test_others_may_not_see_it(log_in, place):
    page = log_in("bob", place)
    assert "You may not see this" in page.wait_for_selector(".trouble").text_content()
