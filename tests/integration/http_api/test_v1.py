"""/v1 of a real fleet: every answer is validated against the OpenAPI document."""

import jsonschema
import pytest
from support.api_client import ApiClient
from support.api_fleet import running
from support.api_schema import V1Client
from support.waiting import until


@pytest.fixture(scope="module")
def fleet():
    with running() as parts:
        yield parts


@pytest.fixture(scope="module")
def nobody(fleet):
    """Client without a login."""
    return V1Client(ApiClient(fleet[1].port))


@pytest.fixture(scope="module")
def ann(nobody):
    return nobody.as_user("ann")


@pytest.fixture(scope="module")
def bob(nobody):
    """Client of a user who may run functions of one module."""
    return nobody.as_user("bob")


def test_the_document_is_one_of_openapi(nobody):
    document = nobody.schema.document

    assert document["openapi"] == "3.1.0"
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_every_route_but_open_ones_needs_a_login(nobody):
    for path, methods in nobody.schema.document["paths"].items():
        for method, operation in methods.items():
            if operation["security"]:
                status, told = nobody.call(
                    method.upper(), path.removeprefix("/v1").replace("{", "").replace("}", "")
                )
                assert status == 401, (method, path)
                assert told["title"] == "Unauthorized"
    assert nobody.get("/health")["status"] == "ok"


def test_refusals_say_what_is_wrong_and_what_to_do(ann):
    assert ann.client.get("/v1/nothing").data["status"] == 404
    status, told = ann.call("GET", "/minions?colour=red")
    assert (status, told["title"]) == (400, "Bad Request")
    assert "colour" in told["detail"]
    assert "filter" in told["hint"]
    assert ann.client.send("DELETE", "/v1/me").status == 405


def test_users_learn_who_they_are(ann, bob):
    assert ann.get("/me")["sees_all"] is True
    assert bob.get("/me")["permissions"] == ["test.*"]
    assert bob.get("/me")["sees_all"] is False
    assert b"salt_g_api_requests_total" in ann.get("/metrics")


def test_a_minion_is_listed_found_and_shown(ann):
    page = until(lambda: [one for one in ann.get("/minions")["items"] if one["os"]], "grains of the minion")

    [minion] = page
    assert minion["id"] == "m1"
    assert minion["connected"]
    assert ann.get("/minions?filter=id:m*&fields=os")["items"] == [{"id": "m1", "os": minion["os"]}]
    assert ann.get("/minions?filter=status:away")["total"] == 0
    assert ann.get("/minions/m1")["grains"]["id"] == "m1"
    assert ann.call("GET", "/minions/m2")[0] == 404
    summary = ann.get("/minions/summary")
    assert summary["total"] == 1
    [facet] = summary["facets"]["os"]
    assert ann.get(f"/minions?filter={facet['filter']}")["total"] == 1


def test_a_state_run_is_the_last_run_of_its_minion(ann):
    ann.client.order(
        client="local", tgt="m1", fun="state.single", arg=["test.succeed_with_changes", "name=x"]
    )

    def last_run():
        return ann.get("/minions/m1")["minion"]["last_run"]

    run = until(last_run, "the last run")
    assert (run["fun"], run["verdict"], run["counts"]) == ("state.single", "changed", {"changed": 1})
    assert ann.get("/minions?filter=status:changed")["total"] == 1


def test_users_see_of_minions_what_they_may(bob):
    [minion] = bob.get("/minions")["items"]
    assert minion["id"] == "m1"
    assert minion["os"] is None
    assert minion["last_run"] is None
    assert bob.call("GET", "/minions/m1")[0] == 403


def test_a_target_is_explained(ann, bob):
    told = ann.get("/targets/explain?tgt=m*&why=true")
    assert (told["count"], told["ids"]) == (1, ["m1"])
    assert told["why"]["m1"]["matched"]
    assert bob.get("/targets/explain?tgt=m*&why=true") == {"count": 1, "ids": ["m1"], "more": 0, "why": {}}
    assert bob.call("GET", "/targets/explain?tgt=I@x:y&tgt_type=compound")[0] == 403
    assert ann.call("GET", "/targets/explain?tgt=x&tgt_type=colour")[0] == 400
