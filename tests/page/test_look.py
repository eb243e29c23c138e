"""Appearance of each view: no axe-core findings, no overflow at 360 px; screenshots are artefacts."""

import pytest

from tests.support.page_browser import violations, wait_for

PLACES = (
    "fleet",
    "fleet/m1",
    "jobs",
    "job",
    "run",
    "plans",
    "plan",
    "drift",
    "history",
    "keys",
    "resources",
    "schedule",
)
WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 360, "height": 740}


#: Whether the whole of an element is between the sides of the window.
IS_SHOWN = """selector => {
  const { left, right } = document.querySelector(selector).getBoundingClientRect();
  return left >= 0 && right <= innerWidth;
}"""


#: Verdicts and states in tables that reach into what their column leaves free, or beyond it.
CUT = """[...document.querySelectorAll('.rows .pill')].filter(pill => {
  const column = pill.closest('td');
  const end = column.getBoundingClientRect().right - parseFloat(getComputedStyle(column).paddingRight);
  return pill.getBoundingClientRect().right > end + 1;
}).map(pill => pill.textContent.trim())"""


@pytest.fixture(scope="module")
def jid(site):
    """Return the jid of a state run with different kinds of results."""
    jid = site.start("state.apply", "web")
    site.finished(jid)
    return jid


@pytest.fixture(scope="module")
def plan(site):
    """Return a plan with different kinds of changes."""
    (site.master.root / "nginx.conf").write_text("user www-data;\nworker_processes 2;\n")
    for path in site.master.root.glob("own-*"):
        path.unlink()
    result = site.client.post("/v1/plans", {"tgt": "*", "arg": ["plan"], "name": "web.plan"}).data
    site.finished(result["jid"])
    site.client.post(f"/v1/plans/{result['id']}:close", {})
    return result["id"]


def settled(page, place):
    """Wait until a page shows what it loads."""
    page.wait_for_selector("main h1")
    wait_for(page, "!document.querySelector('main .spinner, main .missing')")
    if place == "run":
        page.wait_for_selector(".meant .big")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_views_are_accessible(log_in, goto, axe, picture, jid, plan, scheme, size):
    page = log_in(viewport=size, color_scheme=scheme, reduced_motion="reduce")
    width = size["width"]
    for place in PLACES:
        goto(page, {"job": f"jobs/{jid}?minion=m2", "plan": f"plans/{plan}"}.get(place, place))
        settled(page, place)

        assert violations(page, axe) == [], place
        assert page.evaluate("document.documentElement.scrollWidth") <= width, place
        assert page.evaluate(IS_SHOWN, ".menu [aria-current]"), place
        assert page.evaluate(CUT) == [], place
        picture(page, f"{place.replace('/', '-')}-{scheme}-{width}")


def test_counts_of_the_last_run_have_room_on_a_narrow_screen(log_in, goto, jid):
    page = log_in(viewport=NARROW)
    goto(page, "fleet")
    page.wait_for_selector(".row .counts")

    # It has the whole second line of a row: the verdict stands above.
    assert page.evaluate(
        "[...document.querySelectorAll('.row .c-run')].every(one =>"
        " one.closest('.row').getBoundingClientRect().right - one.getBoundingClientRect().right < 40)"
    )


def test_login_dialogs_and_search_results_are_accessible(tab, log_in, axe, picture):
    page = tab()
    page.wait_for_selector("#username")
    assert violations(page, axe) == []
    picture(page, "login")

    page = log_in()
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    assert violations(page, axe) == []
    page.keyboard.press("Escape")
    page.click("button:has-text('Invite')")
    page.wait_for_selector("dialog[open] #invite-id")
    assert violations(page, axe) == []
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("m")
    page.wait_for_selector("#found [role=option]")
    assert violations(page, axe) == []


def test_refusals_and_empty_lists_are_accessible(log_in, axe):
    page = log_in("bob", "keys")
    page.wait_for_selector(".trouble")

    assert violations(page, axe) == []


def test_the_theme_is_chosen_and_kept(log_in):
    page = log_in(color_scheme="light")
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.click("[aria-label='Colours: auto']")
    page.click("[aria-label='Colours: light']")

    assert page.evaluate(colour) != light
    page.reload()
    page.wait_for_selector("[aria-label='Colours: dark']")
    assert page.evaluate(colour) != light


def test_on_paper_there_is_the_result_and_no_menu(log_in, goto, jid, picture):
    page = log_in(place=f"jobs/{jid}")
    page.wait_for_selector("tr.row:has-text('m2')")
    page.emulate_media(media="print")

    assert page.is_hidden("nav")
    assert page.is_hidden("button:has-text('Run again')")
    page.wait_for_selector("tr.row:has-text('m2')")
    picture(page, "print")
