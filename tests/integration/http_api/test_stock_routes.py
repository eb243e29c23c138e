"""Stock's routes of the HTTP API, with a real master and minion."""

import io
import json
import tarfile

import pytest

from salt_g.formats import yaml_load
from tests.support.api_client import PASSWORD

LOGIN = {"username": "ann", "password": PASSWORD, "eauth": "sharedsecret"}


def test_orders_of_each_client_are_run(ann):
    assert ann.order(client="local", tgt="*", fun="test.echo", arg=["x"]) == {"m1": "x"}
    assert ann.order(client="local_subset", tgt="*", fun="test.ping", sub=1) == {"m1": True}
    assert ann.order(client="local_batch", tgt="*", fun="test.ping", batch="1") == {"m1": True}
    assert ann.order(client="local_async", tgt="*", fun="test.ping")["minions"] == ["m1"]
    assert ann.order(client="runner", fun="manage.up") == ["m1"]
    assert ann.order(client="runner_async", fun="manage.up")["tag"].startswith("salt/run/")
    assert ann.order(client="wheel", fun="key.list_all")["data"]["return"]["minions"] == ["m1"]
    assert ann.order(client="wheel_async", fun="key.list_all")["tag"].startswith("salt/wheel/")


def test_several_orders_have_a_result_each_and_a_target_without_minions_an_empty_one(ann):
    orders = [{"client": "local", "tgt": tgt, "fun": "test.ping"} for tgt in ("m1", "nobody")]

    assert ann.post("/", orders).data == {"return": [{"m1": True}, {}]}
    assert ann.post("/", orders[0]).data == {"return": [{"m1": True}]}
    assert ann.post("/", []).data == {"return": []}


def test_a_form_is_an_order_with_its_arguments_as_yaml(ann):
    body = "client=local&tgt=*&fun=test.arg&arg=1&arg=foo&arg=a%3D5&kwarg=%7Bb%3A%202%7D"

    answer = ann.send("POST", "/", body, Content_Type="application/x-www-form-urlencoded")

    [result] = answer.data["return"]
    assert result["m1"]["args"] == [1, "foo"]
    assert {name: result["m1"]["kwargs"][name] for name in "ab"} == {"a": 5, "b": 2}


def test_a_cookie_stands_for_the_header_and_yaml_for_json(client, ann):
    order = json.dumps([{"client": "local", "tgt": "*", "fun": "test.ping"}])

    answer = client.send(
        "POST",
        "/",
        order,
        Content_Type="application/json",
        Cookie=f"session_id={ann.token}",
        Accept="application/x-yaml",
    )

    assert yaml_load.load(answer.body.decode()) == {"return": [{"m1": True}]}
    assert answer.headers["content-type"] == "application/x-yaml"


def test_a_login_is_a_session_with_a_cookie_that_scripts_do_not_see(client):
    answer = client.post("/login", [LOGIN])

    [session] = answer.data["return"]
    assert len(session["token"]) == 40
    assert session["perms"] == [".*", "@runner", "@wheel"]
    assert answer.headers["x-auth-token"] == session["token"]
    cookie = answer.headers["set-cookie"]
    assert cookie == f"session_id={session['token']}; Max-Age=36000; Path=/; HttpOnly; SameSite=Strict"


def test_a_logout_ends_session_and_token(client):
    [token] = client.post("/token", [LOGIN]).data
    left = client.logged_in("ann")

    assert left.post("/logout").data == {"return": "Your token has been cleared"}
    assert left.get("/minions").status == 401
    assert left.post("/logout").status == 401
    run = [{"client": "local", "tgt": "*", "fun": "test.ping", "token": token["token"]}]
    assert client.post("/run", run).data == {"return": [{"m1": True}]}


def test_run_takes_a_login_in_each_order(client):
    order = {"client": "local", "tgt": "*", "fun": "test.ping"}

    assert client.post("/run", [{**order, **LOGIN}]).data == {"return": [{"m1": True}]}
    assert client.post("/run", [{**order, "token": "xyz"}]).data == {"status": 401, "return": "Invalid token"}
    assert client.post("/run", [order]).status == 401
    assert client.post("/run", [{**order, **LOGIN, "password": "wrong"}]).status == 401


def test_minions_and_jobs_are_shown(ann):
    [minions] = ann.get("/minions/m1").data["return"]
    assert minions["m1"]["id"] == "m1"
    assert ann.get("/minions/none").data == {"return": [{}]}

    started = ann.post("/minions", [{"tgt": "*", "fun": "test.ping"}])
    jid = started.data["return"][0]["jid"]
    assert started.status == 202
    assert started.data["_links"] == {"jobs": [{"href": f"/jobs/{jid}"}]}
    assert ann.get("/jobs").data["return"][0][jid]["Function"] == "test.ping"
    assert ann.get(f"/jobs/{jid}").data["info"][0]["Minions"] == ["m1"]
    [unknown] = ann.get("/jobs/20200101000000000000").data["info"]
    assert "Error" in unknown


def test_keys_are_shown_and_made(client, ann):
    assert ann.get("/keys").data["return"]["minions"] == ["m1"]
    assert list(ann.get("/keys/m1").data["return"]["minions"]) == ["m1"]

    made = client.post("/keys", {"mid": "new", **LOGIN})
    assert made.headers["content-disposition"] == 'attachment; filename="saltkeys-new.tar"'
    with tarfile.open(fileobj=io.BytesIO(made.body)) as archive:
        assert archive.getnames() == ["minion.pub", "minion.pem"]
    assert client.post("/keys", {"mid": "new", **LOGIN}).status == 409
    ann.order(client="wheel", fun="key.delete", match="new")


@pytest.mark.parametrize(
    ("order", "status"),
    [
        ({"client": "nope", "fun": "x"}, 400),
        ({"client": "ssh", "tgt": "*", "fun": "test.ping"}, 400),
        ({"fun": "x"}, 400),
        ({"client": "local", "tgt": "*"}, 400),
        ("text", 400),
        ({"client": "runner", "fun": "nope.nope"}, 500),
    ],
)
def test_an_invalid_order_is_refused_with_its_status(ann, order, status):
    answer = ann.post("/", [order])

    assert answer.status == status, answer


@pytest.mark.parametrize(
    ("order", "status"),
    [
        ({"client": "local", "tgt": "*", "fun": "test.ping"}, 200),
        ({"client": "local", "tgt": "*", "fun": "cmd.run", "arg": ["id"]}, 401),
        ({"client": "local", "tgt": "*", "fun": "cmd.run", "arg": ["id"], "user": "root"}, 401),
        ({"client": "local", "tgt": "*", "fun": "cmd.run", "arg": ["id"], "key": "x"}, 401),
        ({"client": "runner", "fun": "manage.up"}, 401),
        ({"client": "wheel", "fun": "key.list_all"}, 401),
    ],
)
def test_rights_are_those_of_the_master(bob, order, status):
    answer = bob.post("/", [order])

    assert answer.status == status, answer
    assert bob.get("/jobs").status == bob.get("/keys").status == 401


def test_a_hook_fires_an_event_without_its_login(ann):
    stream = ann.stream()

    assert ann.post("/hook/deploy/web", {"branch": "main"}).data == {"success": True}
    event = stream.until("salt/netapi/hook/deploy/web")["data"]["data"]

    assert event["post"] == {"branch": "main"}
    assert event["headers"]["Remote-Addr"] == "127.0.0.1"
    assert ann.token not in json.dumps(event)
    stream.close()


def test_no_token_and_no_password_is_logged(fleet, client, ann):
    client.get(f"/ws/{ann.token}")
    client.get(f"/events?token={ann.token}")

    log = fleet[1].log()
    assert ann.token not in log
    assert PASSWORD not in log


def test_a_subset_of_no_minion_is_empty(ann):
    assert ann.order(client="local_subset", tgt="nobody", fun="test.ping") == {}
    assert ann.order(client="local_subset", tgt="*", fun="test.no_such_function") == {}
