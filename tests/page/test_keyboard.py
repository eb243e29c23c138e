"""Keyboard: shortcuts, search, and the switch that turns them off."""

import pytest

from tests.support.page_browser import wait_for

PLACES = {
    **{
        "j": "Jobs",
        "p": "Plans",
        "o": "Rollouts",
        "d": "Drift",
        "h": "History",
        "k": "Keys",
        "r": "Resources",
    },
    **{"s": "Schedule", "u": "Run", "f": "Fleet"},
}


def test_two_letters_lead_to_each_view(log_in):
    page = log_in()
    for key, title in PLACES.items():
        page.keyboard.press("g")
        page.keyboard.press(key)
        page.wait_for_selector(f"main h1:has-text('{title}')")
        assert page.get_attribute(f"nav a:has-text('{title}')", "aria-current") == "page"


def test_rows_are_moved_through_selected_and_opened(log_in):
    page = log_in()
    page.wait_for_selector("tr.row:has-text('m3')")
    for key in "jjkjx":
        page.keyboard.press(key)
    page.wait_for_selector("tr.cursor.picked:has-text('m2')")
    wait_for(page, "document.activeElement.textContent === 'm2'")

    page.keyboard.press("Enter")
    page.wait_for_selector(".side h2:has-text('m2')")
    page.keyboard.press("Escape")
    page.wait_for_selector(".side", state="detached")


def test_the_search_finds_minions_jobs_and_functions(log_in, site):
    site.finished(site.start("test.ping"))
    page = log_in()
    page.keyboard.press("/")
    page.keyboard.type("m2")
    page.wait_for_selector("#found [role=option]:has-text('m2')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".side h2:has-text('m2')")

    page.keyboard.press("/")
    page.keyboard.type("test.ping")
    page.wait_for_selector("#found :text('Jobs')")
    page.click("#found [role=option]:has-text('run')")
    page.wait_for_selector("main h1:has-text('Run')")
    assert page.input_value("#fun") == "test.ping"


def test_the_list_of_keys_opens_and_turns_shortcuts_off(log_in):
    page = log_in()
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]:has-text('Keyboard shortcuts')")
    page.uncheck("text=Shortcuts of single keys")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")

    page.keyboard.press("?")
    page.keyboard.press("g")
    page.keyboard.press("j")
    assert page.query_selector("dialog") is None
    assert page.is_visible("main h1:has-text('Fleet')")


@pytest.mark.parametrize("key", ["g", "j", "x", "?", "/"])
def test_in_a_field_keys_are_text(log_in, key):
    page = log_in()
    page.focus(".filter")
    page.keyboard.press(key)

    assert page.input_value(".filter") == key


def test_the_first_tab_skips_to_the_content(log_in):
    page = log_in()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


#: The name of what has the focus if it cannot be seen: it has no room, or something else lies on it.
UNSEEN = """() => {
  const { activeElement: one } = document;
  const { left, top, width, height } = one.getBoundingClientRect();
  const at = (from, size, most) => Math.min(most - 1, Math.max(0, from + size / 2));
  const seen = document.elementFromPoint(at(left, width, innerWidth), at(top, height, innerHeight));
  if (one.contains(seen) || seen?.contains(one)) return "";
  return one.ariaLabel || one.textContent.trim() || one.tagName;
}"""


@pytest.mark.parametrize("place", ["fleet", "fleet/m1"])
def test_on_a_narrow_screen_the_focus_can_be_seen(log_in, place):
    page = log_in(place=place, viewport={"width": 360, "height": 740})
    page.wait_for_selector(".side h2:has-text('m1')" if "/" in place else "tr.row:has-text('m3')")
    page.evaluate("document.activeElement.blur()")
    unseen = []
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
        unseen += [found] if (found := page.evaluate(UNSEEN)) else []

    assert unseen == []
