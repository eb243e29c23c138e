"""Rollouts: waves as columns; pause, resume, stop. The values come from /v1."""

import pytest

from tests.support.page_browser import violations

JID = "20261128120000000000"


def wave(size, state, count=0, failed=None, minions=()):
    return {
        **{"size": size, "state": state, "done": count, "count": count, "failures": len(failed or {})},
        **{"minions": list(minions), "failed": failed or {}},
    }


def rollout(**more):
    first = [f"web{number}" for number in range(1, 3)]
    second = [f"web{number}" for number in range(3, 21)]
    return {
        **{"jid": JID, "function": "state.apply", "arguments": ["web"], "target": "web*", "user": "ann"},
        **{"state": "running", "reached": 20, "total": 200, "untouched": 180, "undone": 0},
        **{"stopped": None, "started": 1.79e9, "ended": None, "away": ["web200"], "undo_failed": {}},
        "waves": [
            wave(2, "done", 2, minions=first),
            wave(18, "checking", 18, {"web8": "check: <img src=x onerror=alert(1)>"}, second),
            wave(80, "waiting"),
            wave(100, "waiting"),
        ],
        **more,
    }


@pytest.fixture
def shown(log_in, answer_with):
    """Return a function that opens a tab on a rollout, or on the list of rollouts."""

    def make(one, place=f"rollouts/{JID}", **more):
        page = log_in(**more)
        bare = [{**wave, "minions": [], "failed": {}} for wave in one["waves"]]
        items = [{**one, "waves": bare}]
        answer_with(page, "**/v1/rollouts?*", {"items": items, "next": None, "total": 1})
        answer_with(page, f"**/v1/rollouts/{JID}", one)
        page.evaluate(f"location.hash = '#/{place}'")
        page.wait_for_selector("h1")
        return page

    return make


def test_waves_are_columns_with_counts_and_failures_as_text(shown, picture):
    page = shown(rollout())
    page.wait_for_selector(".wave")
    waves = page.locator(".wave")
    assert waves.count() == 4
    assert "18 of 18 minions" in waves.nth(1).text_content()
    assert "<img src=x" in waves.nth(1).locator(".wave-failed").text_content()
    assert page.query_selector("main img") is None
    assert "20 of 200" in page.text_content(".sums")
    waves.nth(1).locator("button:has-text('more')").click()
    assert waves.nth(1).locator(".on a").count() == 17
    picture(page, "rollout")


def test_a_rollout_is_paused_resumed_and_stopped(shown, answer_with):
    page = shown(rollout())
    requests = []
    page.route(
        f"**/v1/rollouts/{JID}:*",
        lambda route: (requests.append(route.request.url), route.fulfill(json={}))[1],
    )
    page.click("button:has-text('Pause')")
    page.wait_for_selector("text=The rollout was paused")
    page.unroute(f"**/v1/rollouts/{JID}")
    answer_with(page, f"**/v1/rollouts/{JID}", rollout(state="paused"))
    page.reload()
    page.click("button:has-text('Resume')")
    page.wait_for_selector("text=The rollout was resumed")
    page.click("button:has-text('Stop')")
    assert "180 minions stay" in page.wait_for_selector("dialog[open]").text_content()
    page.click("dialog .danger")
    page.wait_for_selector("text=The rollout was stopped")
    assert [url.rpartition(":")[2] for url in requests] == ["pause", "resume", "stop"]


def test_a_rollout_that_stopped_says_why(shown):
    page = shown(rollout(state="undone", stopped="10 % failed, at most 5 %", undone=20, ended=1.79e9 + 60))
    page.wait_for_selector(".stopped:has-text('10 % failed')")
    assert page.text_content(".sums div:has(dt:text-is('undone')) dd").strip() == "20"
    assert page.text_content(".sums div:has(dt:text-is('away')) dd").strip() == "1"
    assert page.query_selector(".actions button") is None


def test_rollouts_are_listed_and_opened(shown):
    page = shown(rollout(), place="rollouts")
    page.click("tr.row a:has-text('state.apply')")
    page.wait_for_selector(".wave")
    page.keyboard.press("Escape")
    page.wait_for_selector("h1:has-text('Rollouts')")


def test_without_rollouts_the_page_reports_that_there_is_none(log_in):
    log_in("bob", "rollouts").wait_for_selector("text=There is no rollout")


def test_a_rollout_of_others_is_shown_to_nobody_without_the_right(log_in):
    page = log_in("bob", f"rollouts/{JID}")
    assert "You may not see this" in page.wait_for_selector(".trouble").text_content()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_rollouts_are_accessible(shown, axe, picture, scheme, width):
    page = shown(rollout(), viewport={"width": width, "height": 740}, color_scheme=scheme)
    for place, part in ((f"rollouts/{JID}", ".wave"), ("rollouts", "tr.row")):
        page.evaluate(f"location.hash = '#/{place}'")
        page.wait_for_selector(part)
        assert violations(page, axe) == [], place
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        picture(page, f"{place.partition('/')[0]}-{len(part)}-{scheme}-{width}")
