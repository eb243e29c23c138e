"""Keys, invitations, resources, schedules."""

import pytest

from tests.support.page_browser import wait_for


@pytest.fixture
def waiting_key(site):
    """Yield a function that creates a pending key."""

    def make(id):
        pki = site.master.pki_dir
        (pki / "minions_pre" / id).write_text((pki / "minions" / "m1").read_text())
        return id

    yield make
    for path in site.master.pki_dir.glob("minions*/new*"):
        path.unlink()


def test_a_waiting_key_comes_first_and_is_accepted(log_in, waiting_key, picture):
    waiting_key("new1")
    page = log_in(place="keys")
    page.wait_for_selector("tr.row:has-text('new1')")
    line = page.locator("tr.row").first
    assert "new1" in line.text_content()
    assert page.locator(".finger").first.text_content().count(":") == 31
    picture(page, "keys")
    # The halves of a fingerprint stay whole: one line each.
    assert page.evaluate(
        "(halves => halves.length > 0 && halves.every(half => half.offsetHeight < 20))"
        "([...document.querySelectorAll('.finger span')])"
    )

    page.click("[aria-label='accept the key of new1']")
    page.wait_for_selector("tr.row:has-text('new1') .pill:has-text('accepted')")
    page.wait_for_selector("text=The key of new1 was accepted")


def test_keys_are_rejected_and_deleted_after_a_question(log_in, waiting_key):
    waiting_key("new2")
    page = log_in(place="keys")
    page.click("[aria-label='reject the key of new2']")
    page.wait_for_selector("tr.row:has-text('new2') .pill:has-text('rejected')")

    page.click("[aria-label='delete the key of new2']")
    page.wait_for_selector("dialog[open]:has-text('Delete the key of new2?')")
    page.click("dialog button:has-text('Cancel')")
    page.wait_for_selector("dialog", state="detached")
    page.click("[aria-label='delete the key of new2']")
    page.click("dialog .danger")
    page.wait_for_selector("tr.row:has-text('new2')", state="detached")


def test_an_invitation_is_one_command_and_can_be_revoked(log_in):
    page = log_in(place="keys")
    page.click("button:has-text('Invite')")
    page.fill("#invite-id", "web9")
    page.click("text=Make the command")

    command = page.wait_for_selector("dialog .command").text_content()
    assert "--invite" in command
    page.click("text=Done")
    page.wait_for_selector(".invitations:has-text('web9')")
    page.click("[aria-label='Revoke the invitation of web9']")
    page.wait_for_selector(".invitations:has-text('web9')", state="detached")


def test_schedules_of_minions_are_shown(log_in, site):
    more = {"function": "test.ping", "seconds": 7200}
    body = {"tgt": "m1", "fun": "schedule.add", "arg": ["nightly"], "kwarg": more}
    site.finished(site.client.post("/v1/jobs", body).data["jid"])
    page = log_in(place="schedule")

    line = page.wait_for_selector("tr.row:has-text('nightly')").text_content()
    assert "every 2 hours" in line
    assert "test.ping" in line
    page.fill("[aria-label=Minions]", "m2")
    page.wait_for_selector("text=Nothing is scheduled")


def test_resources_are_shown_by_type(log_in, answer_with):
    page = log_in()
    items = [
        {"srn": f"{type}:r{number}", "minion": "m1", "type": type, "lease": None}
        for type in ("dummy", "ssh")
        for number in range(3)
    ]
    answer_with(page, "**/v1/resources*", {"items": items, "next": None, "total": 6})
    page.evaluate("location.hash = '#/resources'")
    page.wait_for_selector("tr.row:has-text('ssh:r2')")

    page.select_option("[aria-label=Type]", "dummy")
    wait_for(page, "document.querySelectorAll('tr.row').length === 3")


def test_without_resources_the_page_says_what_they_are(log_in):
    page = log_in(place="resources")

    page.wait_for_selector("text=No minion manages a resource")
