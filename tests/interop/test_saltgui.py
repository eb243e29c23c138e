"""SaltGUI, unchanged, served by `salt-g api` and used in a real browser.

SALT_G_SALTGUI names a checkout of https://github.com/erwindon/SaltGUI; no registry has it as a package.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil

import pytest

from tests.support.api_client import PASSWORD, SETTINGS, ApiClient
from tests.support.browser import BROWSER, artefacts, need_browser
from tests.support.daemons import RunningApi, RunningMaster, RunningMinion
from tests.support.waiting import until

playwright = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")

CHECKOUT = os.environ.get("SALT_G_SALTGUI", "")
#: A browser in a container; it sends requests to no other server than ours.
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]
#: Files that SaltGUI looks for and an installation need not have.
OPTIONAL = re.compile(r"/static/(minions|salt-motd)\.(txt|html)$")
TREE = {
    "states/top.sls": "base: {'*': [web]}",
    "states/web.sls": "succeeds: {test.succeed_with_changes: []}\nfails: {test.fail_without_changes: []}",
    "pillar/top.sls": "base: {'*': [web]}",
    "pillar/web.sls": json.dumps(
        {
            "colour": "green",
            "mine_functions": {"test.ping": []},
            "schedule": {"hourly": {"function": "test.ping", "seconds": 3600}},
            "beacons": {"load": [{"interval": 3600}, {"averages": {"1m": [0.0, 99.0]}}]},
        }
    ),
}
#: Signs in the app: the button that lets events run, and a minion that has not returned yet.
PLAY, WAITING = "\u2bc8", "\u23f3"
#: How long one step in the browser may take (s).
STEP = 45
#: {page: texts that it shows}; a page with a minion has `m1`.
PAGES = {
    "minions": ["m1", "accepted", "3008.3", "1 minion, 2 unaccepted keys"],
    "grains": ["m1", "grains"],
    "grains-minion": ["osfinger", "saltversion"],
    "pillars": ["m1", "4 pillars"],
    "pillars-minion": ["colour", "mine_functions"],
    "mine": ["m1", "1 function"],
    "mine-minion": ["test.ping", "true"],
    "beacons": ["m1", "1 beacon"],
    "beacons-minion": ["load", "averages"],
    "schedules": ["m1", "1 schedule"],
    "schedules-minion": ["hourly", "test.ping"],
    "nodegroups": ["nodegroup web", "1 minion", "3008.3"],
    "templates": ["greet", "test.echo hello"],
    "reactors": ["salt/custom", "/srv/reactor/x.sls"],
    "options": ["session_user", "ann", "Total Requests"],
    "highstate": ["m1", "state.apply"],
    "jobs": ["state.apply", "1 minion", "1 failure"],
    "issues": ["Key for minion 'm2' is unaccepted", "State 'web/fails/1' on 'm1' failed"],
}


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """Return the unmodified app; its form offers the login methods of the master."""
    need_browser()
    source = pathlib.Path(CHECKOUT) / "saltgui"
    if not CHECKOUT or not source.is_dir():
        pytest.skip("SALT_G_SALTGUI names no checkout of SaltGUI")
    directory = tmp_path_factory.mktemp("saltgui")
    shutil.copytree(source, directory, dirs_exist_ok=True)
    return directory


@pytest.fixture(scope="module")
def minions():
    """Return {id: minion} of the fleet."""
    return {}


@pytest.fixture(scope="module")
def url(app, minions, tmp_path_factory):
    """Yield the address of a fleet: m1 is accepted and has its states applied, m2 and m3 are pending."""
    root = tmp_path_factory.mktemp("sg")
    settings = {
        **SETTINGS,
        "auto_accept": False,
        "external_auth": {"sharedsecret": {"ann": [".*", "@runner", "@wheel", "@jobs"]}},
        "rest_cherrypy": {
            **{"host": "127.0.0.1", "port": 0, "disable_ssl": True},
            **{"app": str(app / "index.html"), "static": str(app / "static"), "static_path": "/static"},
        },
        "nodegroups": {"web": "m*"},
        "saltgui_templates": {"greet": {"target": "*", "command": "test.echo hello"}},
        "reactor": [{"salt/custom": ["/srv/reactor/x.sls"]}],
    }
    with contextlib.ExitStack() as stack:
        master = RunningMaster(root / "master", **settings)
        for name, text in TREE.items():
            (master.root / name).write_text(text)
        stack.callback(master.stop)
        master.start()
        for id in ("m1", "m2", "m3"):
            minion = RunningMinion(root / id, id=id, master=f"127.0.0.1:{master.ret_port}", makes_key=True)
            stack.callback(minion.stop)
            minions[id] = minion.start()
        api = RunningApi(master).start()
        stack.callback(api.stop)
        ann = ApiClient(api.port).logged_in()
        until(lambda: _keys(ann)["minions_pre"] == ["m1", "m2", "m3"], "the waiting keys")
        ann.order(client="wheel", fun="key.accept", match="m1")
        until(lambda: ann.order(client="local", tgt="m1", fun="mine.update") == {"m1": True}, "m1")
        assert "m1" in ann.order(client="local", tgt="*", fun="state.apply")
        yield f"http://127.0.0.1:{api.port}"


def _keys(client):
    return client.order(client="wheel", fun="key.list_all")["data"]["return"]


@pytest.fixture(scope="module")
def ann(url):
    """Return a client of the same user, to verify the page's actions."""
    return ApiClient(int(url.rpartition(":")[2])).logged_in()


@pytest.fixture(scope="module")
def faults():
    """Return the errors in the browser so far: refused requests, script errors."""
    return []


@pytest.fixture(scope="module")
def under_way():
    """Return the page's pending requests, except its endless stream of events."""
    return set()


@pytest.fixture(scope="module")
def page(url, faults, under_way):
    """Yield a page in a browser, logged in."""
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=BROWSER, args=FLAGS)
        opened = browser.new_page(viewport={"width": 1400, "height": 900})
        opened.set_default_timeout(STEP * 1000)
        opened.on("pageerror", lambda error: faults.append(str(error)))
        opened.on("response", lambda answer: faults.extend(_fault_of(answer)))
        opened.on("request", lambda one: under_way.update(() if one.url.endswith("/events") else (one,)))
        for end in ("requestfinished", "requestfailed"):
            opened.on(end, lambda one: under_way.discard(one))
        opened.goto(url)
        opened.fill("#username", "ann")
        opened.fill("#password", PASSWORD)
        opened.click("#login-button")
        opened.wait_for_url("**#minions")
        # What it asks the master once after a login.
        opened.wait_for_function("sessionStorage.getItem('nodegroups')")
        yield opened
        browser.close()


@pytest.fixture(autouse=True)
def _no_faults(request, faults, tmp_path):
    """Fail a test with browser errors; save a screenshot of the page at its end."""
    faults.clear()
    yield
    if "page" in request.fixturenames:
        name = re.sub(r"\W+", "-", request.node.name)
        request.getfixturevalue("page").screenshot(path=artefacts(tmp_path) / f"{name}.png")
    assert faults == []


def _fault_of(answer):
    if answer.status < 400 or OPTIONAL.search(answer.url):
        return []
    return [f"{answer.status} {answer.request.method} {answer.url} {answer.request.post_data or ''}"]


def _open(page, url, name):
    """Open a page of the app anew; return its visible part."""
    query = "?minionid=m1" if name.endswith("-minion") else ""
    page.goto("about:blank")
    page.goto(f"{url}/{query}#{name}")
    return page.locator(f"#page-{name}")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_shows_what_the_master_knows(page, url, name):
    shown = _open(page, url, name)

    for text in PAGES[name]:
        playwright.expect(shown).to_contain_text(text, timeout=STEP * 1000)


def _run(page, target, command):
    """Run a command in the box of the app; return its output."""
    page.click("#button-manual-run")
    page.fill("#target", target)
    page.fill("#command", command)
    page.click("#run-command")
    return page.locator("#popup-output")


def test_a_command_is_run_and_its_job_shown(page, url, ann):
    _open(page, url, "minions")

    output = _run(page, "*", "test.echo hello-from-m1")

    playwright.expect(output).to_contain_text("hello-from-m1", timeout=STEP * 1000)
    jobs = ann.order(client="runner", fun="jobs.list_jobs", search_function="test.echo")
    [jid] = [jid for jid, job in jobs.items() if job["Arguments"] == ["hello-from-m1"]]
    page.goto("about:blank")
    page.goto(f"{url}/?id={jid}#job")
    for text in ("test.echo", "m1", "hello-from-m1"):
        playwright.expect(page.locator("#page-job")).to_contain_text(text, timeout=STEP * 1000)


def test_a_command_that_is_not_waited_for_fills_in_by_events(page, url):
    _open(page, url, "minions")
    page.click("#button-manual-run")
    page.fill("#target", "*")
    page.fill("#command", "test.ping")
    page.locator("#run-block .menu-dropdown").hover()
    page.locator("#run-block .menu-dropdown-content div", has_text="async").first.click()
    page.click("#run-command")

    output = page.locator("#popup-output")

    playwright.expect(output).to_contain_text("m1", timeout=STEP * 1000)
    playwright.expect(output).not_to_contain_text(WAITING, timeout=STEP * 1000)
    # The app remembers that jobs are not waited for.
    page.evaluate("localStorage.removeItem('runtype')")


def test_a_highstate_is_applied(page, url):
    _open(page, url, "highstate")

    output = _run(page, "m1", "state.highstate")

    playwright.expect(output).to_contain_text("fails", timeout=STEP * 1000)
    playwright.expect(output).to_contain_text("succeeds")


def test_events_appear_as_they_happen(page, url, ann):
    shown = _open(page, url, "events")
    shown.locator(".small-button", has_text=PLAY).first.click()

    def is_shown():
        ann.post("/hook/seen", {"by": "the page"})
        return "salt/netapi/hook/seen" in shown.inner_text()

    until(is_shown, "the event in the page")


@pytest.mark.parametrize(
    ("id", "word", "command", "state"),
    [
        ("m2", "Accept", "key.accept", "minions"),
        ("m3", "Reject", "key.reject", "minions_rejected"),
    ],
)
def test_a_key_is_accepted_and_another_rejected(page, url, ann, id, word, command, state):
    shown = _open(page, url, "keys")
    row = shown.locator("tbody tr", has_text=id)
    row.locator(".menu-dropdown").first.hover()
    row.locator(".menu-dropdown-content div", has_text=word).first.click()
    assert command in page.input_value("#command")

    page.click("#run-command")

    until(lambda: id in _keys(ann)[state], f"{command} {id}")


def _leave_in_peace(page, minions, ann, under_way):
    """Bring the page to a state in which it sends no more requests.

    It requests a fingerprint whenever a pending minion retries. A request between the end of its session
    and the response to the logout is refused, and its scripts fail; also with stock's `salt-api`.
    """
    for id in minions.keys() - set(_keys(ann)["minions"]):
        minions[id].stop()
    # The browser reports its requests while it is asked something.
    until(lambda: page.evaluate("true") and not under_way, "the page's last answer")


def test_a_logout_ends_the_session_and_a_bad_login_is_reported(page, url, faults, minions, ann, under_way):
    shown = _open(page, url, "minions")
    playwright.expect(shown).to_contain_text("m1", timeout=STEP * 1000)
    _leave_in_peace(page, minions, ann, under_way)
    page.click("#button-logout1")
    page.wait_for_url("**#login*")
    page.fill("#username", "ann")
    page.fill("#password", "wrong")
    page.click("#login-button")

    playwright.expect(page.locator("#notice-wrapper")).to_contain_text("Authentication failed")
    refused = [one for one in faults if not one.startswith("401 POST ") or "/login" not in one]
    assert refused == []
    faults.clear()
