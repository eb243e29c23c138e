"""Responses of our HTTP API and stock's with the same master, route by route."""

import json
import re

import pytest
import yaml

from tests.support.api_client import PASSWORD, ApiClient
from tests.support.both_apis import both_apis
from tests.support.waiting import until

LOGIN = {"username": "ann", "password": PASSWORD, "eauth": "sharedsecret"}
FORM = "application/x-www-form-urlencoded"
PING = {"client": "local", "tgt": "*", "fun": "test.ping"}
#: {name: (method, path, body, content type)}; a body that is no text is sent as JSON.
REQUESTS = {
    "welcome": ("GET", "/login", None, ""),
    "ping": ("POST", "/", [PING], ""),
    "one map": ("POST", "/", PING, ""),
    "nothing": ("POST", "/", [], ""),
    "nobody": ("POST", "/", [{**PING, "tgt": "nobody"}], ""),
    "an empty target": ("POST", "/", [{**PING, "tgt": ""}], ""),
    "an empty list": ("POST", "/", [{**PING, "tgt": [], "tgt_type": "list"}], ""),
    "a batch of nobody": ("POST", "/", [{**PING, "client": "local_batch", "tgt": "", "batch": "1"}], ""),
    "a subset of nobody": ("POST", "/", [{**PING, "client": "local_subset", "tgt": "", "sub": 1}], ""),
    "text": ("POST", "/", '"text"', "application/json"),
    "empty": ("POST", "/", "", "application/json"),
    "bad json": ("POST", "/", "{bad", "application/json"),
    "yaml": ("POST", "/", "- {client: local, tgt: '*', fun: test.ping}", "application/x-yaml"),
    "plain": ("POST", "/", json.dumps([PING]), "text/plain"),
    "xml": ("POST", "/", "<a/>", "application/xml"),
    "form": ("POST", "/", "client=local&tgt=*&fun=test.echo&arg=x", FORM),
    "echo": ("POST", "/", [{**PING, "fun": "test.echo", "arg": ["x"]}], ""),
    "command": ("POST", "/", [{**PING, "fun": "cmd.run", "arg": ["echo hi"]}], ""),
    "async": ("POST", "/", [{**PING, "client": "local_async"}], ""),
    "full": ("POST", "/", [{**PING, "full_return": True}], ""),
    "subset": ("POST", "/", [{**PING, "client": "local_subset", "sub": 1}], ""),
    "batch": ("POST", "/", [{**PING, "client": "local_batch", "batch": "1"}], ""),
    "runner": ("POST", "/", [{"client": "runner", "fun": "manage.up"}], ""),
    "no runner": ("POST", "/", [{"client": "runner", "fun": "nope.nope"}], ""),
    "runner async": ("POST", "/", [{"client": "runner_async", "fun": "manage.up"}], ""),
    "wheel": ("POST", "/", [{"client": "wheel", "fun": "key.list_all"}], ""),
    "finger": ("POST", "/", [{"client": "wheel", "fun": "key.finger", "match": "m1"}], ""),
    "no client": ("POST", "/", [{"client": "nope", "fun": "x"}], ""),
    "ssh": ("POST", "/", [{**PING, "client": "ssh"}], ""),
    "run": ("POST", "/run", [{**PING, **LOGIN}], ""),
    "run without login": ("POST", "/run", [PING], ""),
    "run with a bad token": ("POST", "/run", [{**PING, "token": "xyz"}], ""),
    "run as a form": (
        "POST",
        "/run",
        "client=local&tgt=*&fun=test.ping&eauth=sharedsecret&username=ann",
        FORM,
    ),
    "minion": ("GET", "/minions/none", None, ""),
    "start": ("POST", "/minions", [{"tgt": "*", "fun": "test.ping"}], ""),
    "start nothing": ("POST", "/minions", [{"tgt": [], "tgt_type": "list", "fun": "test.ping"}], ""),
    "unknown job": ("GET", "/jobs/20200101000000000000", None, ""),
    "keys": ("GET", "/keys", None, ""),
    "key": ("GET", "/keys/m1", None, ""),
    "hook": ("POST", "/hook/x", {"a": 1}, ""),
    "hook by get": ("GET", "/hook/x", None, ""),
    "no route": ("GET", "/nope", None, ""),
    "bad login": ("POST", "/login", {**LOGIN, "password": "wrong"}, ""),
    "bad token": ("POST", "/token", [{"username": "ann"}], ""),
    # Jenkins' plugin sends one map, a single argument as such, and an encoded tag of a hook.
    "jenkins local": (
        "POST",
        "/",
        {**PING, "tgt_type": "glob", "fun": "test.echo", "arg": "x", "kwarg": {}},
        "",
    ),
    "jenkins older": ("POST", "/", {**PING, "expr_form": "list", "tgt": "m1"}, ""),
    "jenkins batch": ("POST", "/", {**PING, "client": "local_batch", "tgt_type": "glob", "batch": "1"}, ""),
    "jenkins subset": ("POST", "/", {**PING, "client": "local_subset", "tgt_type": "glob", "sub": 1}, ""),
    "jenkins runner": (
        "POST",
        "/",
        {"client": "runner", "fun": "cache.grains", "kwarg": {"tgt": "none"}},
        "",
    ),
    "jenkins start": ("POST", "/minions", {**PING, "client": "local_async", "tgt_type": "glob"}, ""),
    "jenkins hook": ("POST", "/hook/a%2Fb", {}, ""),
    # SUSE's client sends targets as lists, and an empty body to log out.
    "suse run": ("POST", "/run", [{**PING, **LOGIN, "arg": [], "kwarg": {}, "tgt_type": "glob"}], ""),
    "suse list": ("POST", "/", [{**PING, "tgt": ["m1", "m7"], "tgt_type": "list", "timeout": 5}], ""),
    "suse logout": ("POST", "/logout", "", "application/json"),
    # Foreman's proxy sends forms with the login in them.
    "foreman environments": (
        *(
            "POST",
            "/run",
            "fun=fileserver.envs&client=runner&username=ann&password=sesame&eauth=sharedsecret",
        ),
        FORM,
    ),
    "foreman states": (
        "POST",
        "/run",
        "fun=fileserver.file_list&saltenv=base&client=runner&username=ann&password=sesame&eauth=sharedsecret",
        FORM,
    ),
}
#: Requests after which a session is gone.
ENDING = ("suse logout",)


@pytest.fixture(scope="module")
def ports(stock_bin, tmp_path_factory):
    """Yield ports of stock's front end and ours."""
    with both_apis(stock_bin, tmp_path_factory.mktemp("stock")) as ports:
        yield ports


@pytest.fixture
def clients(ports):
    """Return {user: (client of stock's, client of ours)}; '' has no session.

    Sessions belong to one test: a login with a session of stock's changes that session, even if it fails.
    """
    plain = [ApiClient(port) for port in ports]
    users = {user: tuple(client.logged_in(user) for client in plain) for user in ("ann", "bob")}
    return {"": tuple(plain), **users}


def _reply(client, name, accept):
    method, path, body, kind = REQUESTS[name]
    if body is not None and not isinstance(body, str):
        body, kind = json.dumps(body), "application/json"
    headers = {"Accept": accept} if accept else {}
    answer = client.send(method, path, body, **headers, **({"Content_Type": kind} if kind else {}))
    if answer.status >= 400:
        return answer.status, "", ""
    kind = answer.headers["content-type"]
    return answer.status, kind, _without_times(answer.body.decode())


def _without_times(text):
    """Return a text without what differs between calls; the order of names in maps is not compared."""
    text = re.sub(r"\d{20}", "JID", text).replace("salt-g run jobs", "salt-run jobs")
    text = re.sub(r"20\d\d-\d\d-\d\dT[\d:.+]+", "TIME", text)
    data = yaml.safe_load(text)
    return json.dumps(data, sort_keys=True)


#: Differences in the answer to a user without the right: our master does not say which functions it has.
UNTOLD = {("bob", "no runner"): [500, 401]}


@pytest.mark.parametrize("user", ["ann", "bob", ""])
@pytest.mark.parametrize("accept", ["application/json", "application/x-yaml", ""])
def test_each_route_answers_as_stock_does(clients, user, accept):
    plain = [ApiClient(client.port) for client in clients[""]]
    stock, ours = (client.logged_in(user) if user else client for client in plain)
    differing = {}
    for name in sorted(REQUESTS, key=lambda name: name in ENDING):
        result = [_reply(client, name, accept) for client in (stock, ours)]
        if result[0] != result[1] and UNTOLD.get((user, name)) != [one[0] for one in result]:
            differing[name] = result

    assert differing == {}


@pytest.mark.parametrize("user", ["ann", "bob", ""])
def test_a_format_that_neither_has_is_refused_by_both(clients, user):
    for name in REQUESTS:
        stock, ours = (_reply(client, name, "text/csv") for client in clients[user])
        # Stock runs the order before it looks at the format, so an order may have another fault first.
        assert stock[0] >= 400, name
        assert ours[0] >= 400, name


#: Bodies of every kind, by their content type; `{order}` is an order that the route takes.
BODIES = {
    "json": ("application/json", "[{order}]"),
    "a map": ("application/json", "{order}"),
    "yaml": ("application/x-yaml", "- {order}"),
    "text yaml": ("text/yaml", "[{order}]"),
    "text": ("text/plain", "[{order}]"),
    "no type": ("", "[{order}]"),
    "with a charset": ("application/json; charset=utf-8", "[{order}]"),
    "nothing": ("application/json", ""),
    "null": ("application/json", "null"),
    "a number": ("application/json", "5"),
    "a text": ("application/json", '"x"'),
    "a list of texts": ("application/json", '["x"]'),
    "a list of lists": ("application/json", "[[{order}]]"),
    "no map": ("application/json", "[null]"),
    "an empty map": ("application/json", "{{}}"),
    "two": ("application/json", "[{order}, {order}]"),
    "half": ("application/json", "[{order}, {{}}]"),
    "cut": ("application/json", "[{order}"),
    "an unknown type": ("text/csv", "[{order}]"),
}
TAKING = {
    "/": PING,
    "/run": {**PING, **LOGIN},
    "/minions": {"tgt": "*", "fun": "test.ping"},
    "/login": LOGIN,
    "/token": LOGIN,
    "/hook/x": {"a": 1},
}


#: Bodies that stock refuses and ours takes: a hook may come without a content type.
TAKEN = {("/hook/x", "no type")}


#: Not a login by a session, which changes that session at stock.
SENDERS = [(user, path) for user in ("ann", "") for path in TAKING if not (user and path == "/login")]


@pytest.mark.parametrize(("user", "path"), SENDERS)
def test_a_body_of_any_kind_has_the_same_status(clients, user, path):
    stock, ours = clients[user]
    differing = {}
    for name, (kind, text) in BODIES.items():
        body = text.format(order=json.dumps(TAKING[path]))
        headers = {"Content_Type": kind} if kind else {}
        result = [
            client.send("POST", path, body, Accept="application/json", **headers) for client in (stock, ours)
        ]
        status = [answer.status for answer in result]
        # Where stock fails, ours says what is wrong with the request.
        if (
            (path, name) not in TAKEN
            and status[0] != status[1]
            and not (status[0] >= 400 and 400 <= status[1] < 500)
        ):
            differing[name] = status, result[0].body[:200], result[1].body[:200]

    assert differing == {}


def test_logins_have_the_same_fields(clients):
    shown = [client.post("/login", LOGIN) for client in clients[""]]

    assert [answer.status for answer in shown] == [200, 200]
    fields = [sorted(answer.data["return"][0]) for answer in shown]
    assert fields[0] == fields[1]
    perms = [answer.data["return"][0]["perms"] for answer in shown]
    assert perms[0] == perms[1]
    for name in ("x-auth-token", "set-cookie"):
        assert all(name in answer.headers for answer in shown)


def test_a_login_without_any_right_has_the_same_permissions(clients):
    shown = [client.post("/login", {**LOGIN, "username": "eve"}).data["return"][0] for client in clients[""]]

    assert [one["perms"] for one in shown] == [{}, {}]


def test_a_job_is_shown_alike(clients):
    stock, ours = clients["ann"]
    jid = ours.post("/minions", [{"tgt": "*", "fun": "test.ping"}]).data["return"][0]["jid"]
    until(lambda: ours.get(f"/jobs/{jid}").data["return"] == [{"m1": True}], "the return")

    assert ours.get(f"/jobs/{jid}").data == stock.get(f"/jobs/{jid}").data
    assert jid in stock.get("/jobs").data["return"][0]
    assert ours.get("/jobs").data["return"][0][jid] == stock.get("/jobs").data["return"][0][jid]
