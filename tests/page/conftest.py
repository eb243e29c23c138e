"""A fleet with its HTTP API, and a logged-in browser, shared by all tests here."""

import json
import pathlib

import pytest

from tests.support.api_client import ApiClient
from tests.support.api_fleet import running
from tests.support.browser import artefacts
from tests.support.page_browser import axe_source, browser
from tests.support.waiting import until

#: The files of the trees beside this one.
TREE = pathlib.Path(__file__).with_name("tree")


class Site:
    """The fleet: its URL, its master, and an API client for actions outside of the browser."""

    def __init__(self, master, api):
        self.master = master
        self.url = f"http://127.0.0.1:{api.port}/"
        self.client = ApiClient(api.port).logged_in("ann")
        self._sessions = {"ann": self.client.token}

    def session_of(self, user):
        """Return the token of a session shared by all tabs of a user."""
        if user not in self._sessions:
            self._sessions[user] = ApiClient(self.client.port).logged_in(user).token
        return self._sessions[user]

    def start(self, fun, *arg, tgt="*"):
        """Start a job and return its jid."""
        answer = self.client.post("/v1/jobs", {"tgt": tgt, "fun": fun, "arg": list(arg)})
        assert answer.status == 202, answer
        return answer.data["jid"]

    def finished(self, jid):
        """Wait until all minions of a job have returned; return the job."""
        event = lambda: self.client.get(f"/v1/jobs/{jid}").data  # noqa: E731
        return until(lambda: not event()["missing"] and event(), f"the returns of {jid}")


@pytest.fixture(scope="session")
def site():
    with running(ids=("m1", "m2", "m3"), history=True) as (master, api):
        states = pathlib.Path(master.settings["file_roots"]["base"][0])
        for path in TREE.iterdir():
            (states / path.name).write_text(path.read_text().replace("{{DIR}}", str(master.root)))
        found = Site(master, api)
        rows = lambda: found.client.get("/v1/minions").data["items"]  # noqa: E731
        until(lambda: len(rows()) == 3 and all(row["os"] for row in rows()), "the grains of the minions")
        yield found


@pytest.fixture(scope="session")
def chromium():
    with browser() as found:
        yield found


@pytest.fixture(scope="session")
def axe():
    """Return the script of axe-core."""
    return axe_source()


@pytest.fixture
def tab(site, chromium):
    """Yield a function that opens a tab on the login page.

    No tab may have had errors or requested a foreign address by the end.
    """
    contexts, complaints, foreign = [], [], []

    def note(message):
        # The page shows answers that refuse something; the browser complains about them too.
        is_answer = "status of" in message.text or "ERR_FAILED" in message.text
        if message.type in ("error", "warning") and not is_answer:
            complaints.append(message.text)

    def make(cookie=None, **more):
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 800}, **more})
        contexts.append(context)
        if cookie:
            context.add_cookies([{"name": "session_id", "value": cookie, "url": site.url}])
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("console", note)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: request.url.startswith(site.url) or foreign.append(request.url))
        page.goto(site.url)
        return page

    yield make
    for context in contexts:
        context.close()
    assert complaints == []
    assert foreign == []


@pytest.fixture
def log_in(tab, site):
    """Return a function that opens a tab of a logged-in user, on a page such as `fleet`."""

    def make(user="ann", place="", **more):
        page = tab(site.session_of(user), **more)
        page.wait_for_selector("main h1:has-text('Fleet')")
        if place:
            go(page, place)
        return page

    return make


def go(page, place):
    """Navigate within the page."""
    page.evaluate("place => { location.hash = `#/${place}` }", place)


@pytest.fixture
def goto():
    return go


@pytest.fixture
def picture(tmp_path):
    """Return a function that saves a screenshot as an artefact."""
    return lambda page, name: page.screenshot(path=artefacts(tmp_path) / f"page-{name}.png")


@pytest.fixture
def answer_with():
    """Return a function that fakes the API's responses for a path: data, or a status."""

    def make(page, pattern, data, status=200):
        page.route(
            pattern,
            lambda route: route.fulfill(
                status=status, content_type="application/json", body=json.dumps(data)
            ),
        )

    return make
