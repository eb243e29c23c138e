"""Plans: made in Run, reviewed by content, approved, applied with live progress, dropped."""

import pytest

from tests.support.page_browser import wait_for
from tests.support.waiting import until


@pytest.fixture
def planned(site):
    """Return a function that makes a complete plan of the state `plan` and returns its id."""

    def make(tgt="*"):
        body = {"tgt": tgt, "arg": ["plan"], "name": "web.plan"}
        (site.master.root / "nginx.conf").write_text("user www-data;\nworker_processes 2;\n")
        for path in site.master.root.glob("own-*"):
            path.unlink()
        result = site.client.post("/v1/plans", body).data
        site.finished(result["jid"])
        assert site.client.post(f"/v1/plans/{result['id']}:close", {}).status == 200
        return result["id"]

    return make


def test_a_test_run_becomes_a_plan(log_in, site):
    page = log_in(place="plans")
    page.click("button:has-text('New plan')")
    page.wait_for_selector("#arg-mods")
    page.fill("#arg-mods", "plan")
    page.wait_for_selector(".meant :text('3 minions')")
    page.click("button:has-text('Keep as a plan')")

    page.wait_for_selector("h1:has-text('state.apply')")
    page.wait_for_selector(".view-head .pill:has-text('ready')")
    assert "3 of 3 minions" in page.text_content(".plan-run")
    page.click("button:has-text('Drop')")
    page.click("dialog .danger")
    page.wait_for_selector("text=The plan was dropped")


def test_changes_are_shown_by_content_and_hostile_text_is_text(log_in, planned, picture):
    page = log_in(place=f"plans/{planned()}")
    page.wait_for_selector(".change")
    first = page.locator(".change").first

    assert "3 minions" in first.text_content()
    assert page.locator(".change").count() == 5
    assert "-worker_processes 2;" in first.locator(".diff .del").text_content()
    assert "<img src=x" in first.locator(".diff").text_content()
    assert page.query_selector("main img") is None
    assert first.locator(".on a").all_text_contents() == ["m1", "m2", "m3"]
    picture(page, "plan-open")
    page.fill("[aria-label=Minion]", "m2")
    wait_for(page, "document.querySelectorAll('.change').length === 2")
    page.reload()
    page.wait_for_selector(".change")
    assert page.input_value("[aria-label=Minion]") == "m2"


def test_a_plan_is_applied_and_shows_its_progress(log_in, planned, site, picture):
    page = log_in(place=f"plans/{planned()}")
    page.click("button:has-text('Apply')")
    dialog = page.wait_for_selector("dialog[open]")
    assert "exactly as shown" in dialog.text_content()
    assert page.is_disabled("dialog .primary")
    page.check("text=Also run 1 command")
    page.click("dialog .primary")

    page.wait_for_selector(".plan-run h2:has-text('Application')")
    page.wait_for_selector(".plan-run :text('3 of 3 minions returned')")
    page.wait_for_selector(".view-head .pill:has-text('applied')")
    assert page.query_selector("button:has-text('Apply')") is None
    until(lambda: "4" in (site.master.root / "nginx.conf").read_text(), "the file")
    picture(page, "plan-applied")
    page.click("text=Show the job")
    page.wait_for_selector("h1:has-text('state.apply_plan')")


def test_a_refusal_is_reported_and_changes_nothing(log_in, planned, site):
    page = log_in(place=f"plans/{planned()}")
    page.wait_for_selector("button:has-text('Apply')")
    (site.master.root / "nginx.conf").write_text("edited\n")
    page.click("button:has-text('Apply')")
    page.check("text=Also run 1 command")
    page.click("dialog .primary")

    page.wait_for_selector(".plan-run .count:has-text('3 failed')")
    assert (site.master.root / "nginx.conf").read_text() == "edited\n"


def test_a_user_with_the_right_approves_a_pending_plan(log_in, planned, site, answer_with):
    id = planned()
    event = site.client.get(f"/v1/plans/{id}").data
    page = log_in()
    waiting = {**event, "plan": {**event["plan"], "state": "waiting"}}
    answer_with(page, f"**/v1/plans/{id}", waiting)
    problem = {"status": 403, "title": "Forbidden", "detail": "another person has to approve it", "hint": ""}
    answer_with(page, f"**/v1/plans/{id}:approve", problem, status=403)
    page.evaluate(f"location.hash = '#/plans/{id}'")
    page.click("button:has-text('Approve')")
    page.wait_for_selector(".notice.failed:has-text('Another person')")
    assert page.query_selector("button:has-text('Apply')") is None

    page.unroute(f"**/v1/plans/{id}:approve")
    page.unroute(f"**/v1/plans/{id}")
    page.click("button:has-text('Approve')")
    page.wait_for_selector("text=The plan was approved")
    page.wait_for_selector(".job-head:has-text('approved by ann')")


def test_plans_are_listed_and_opened_with_keys(log_in, planned):
    planned()
    page = log_in(place="plans")
    page.wait_for_selector("tr.row:has-text('web.plan')")
    page.keyboard.press("j")
    wait_for(page, "document.activeElement.matches('tr.cursor a')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".change")

    page.keyboard.press("j")
    wait_for(page, "document.activeElement.matches('.change > summary')")
    page.keyboard.press("Escape")
    page.wait_for_selector("h1:has-text('Plans')")


def test_ten_thousand_changes_come_by_page(log_in, planned, answer_with):
    id = planned()
    page = log_in()
    change = {
        **{"fun": "file.managed", "verdict": "change", "shown": "+1 -0", "text": "+x", "opaque": ""},
        **{"count": 1, "cut": 0},
    }
    items = [{**change, "id": f"/f{n}", "name": f"/f{n}", "minions": [f"m{n}"]} for n in range(50)]
    answer_with(
        page, f"**/v1/plans/{id}/changes*", {"items": items, "next": "50", "total": 10_000, "idle": []}
    )
    page.evaluate(f"location.hash = '#/plans/{id}'")
    page.wait_for_selector(".change")
    page.unroute(f"**/v1/plans/{id}/changes*")
    more = [{**one, "id": f"/g{n}", "name": f"/g{n}"} for n, one in enumerate(items)]
    answer_with(
        page, f"**/v1/plans/{id}/changes*", {"items": more, "next": None, "total": 10_000, "idle": []}
    )
    page.click("button:has-text('More changes')")
    wait_for(page, "document.querySelectorAll('.change').length === 100")
    page.wait_for_selector("button:has-text('More changes')", state="detached")


def test_without_plans_and_without_rights_the_page_reports_no_plan(log_in):
    page = log_in("bob", "plans")
    page.wait_for_selector("text=No plan is kept")
    page.evaluate("location.hash = '#/plans/abcdef'")
    assert "no plan" in page.wait_for_selector(".trouble").text_content()
