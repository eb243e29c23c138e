"""/v1 of a real fleet: every response is validated against the OpenAPI document."""

import jsonschema
import pytest

from tests.support.api_client import ApiClient
from tests.support.api_fleet import running
from tests.support.api_schema import V1Client
from tests.support.commands import Machine, outcome_of
from tests.support.waiting import until


@pytest.fixture(scope="module")
def fleet():
    with running() as parts:
        yield parts


@pytest.fixture(scope="module")
def nobody(fleet):
    """Return a client without a login."""
    return V1Client(ApiClient(fleet[1].port))


@pytest.fixture(scope="module")
def ann(nobody):
    return nobody.as_user("ann")


@pytest.fixture(scope="module")
def bob(nobody):
    """Return a client of a user who may run functions of one module."""
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
                status, result = nobody.call(
                    method.upper(), path.removeprefix("/v1").replace("{", "").replace("}", "")
                )
                assert status == 401, (method, path)
                assert result["title"] == "Unauthorized"
    assert nobody.get("/health")["status"] == "ok"
    assert nobody.get("/logins") == {"eauth": ["sharedsecret"]}


def test_refusals_say_what_is_wrong_and_what_to_do(ann):
    assert ann.client.get("/v1/nothing").data["status"] == 404
    status, result = ann.call("GET", "/minions?colour=red")
    assert (status, result["title"]) == (400, "Bad Request")
    assert "colour" in result["detail"]
    assert "filter" in result["hint"]
    assert ann.client.send("DELETE", "/v1/me").status == 405


def test_users_see_their_own_identity_and_rights(ann, bob):
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
    assert ann.get("/minions?skip=1") == {"items": [], "next": None, "total": 1}
    assert minion["seen"] > 1_700_000_000
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
        # Until its return is counted, the run of another test is the last one.
        run = ann.get("/minions/m1")["minion"]["last_run"]
        return run if run and run["verdict"] == "changed" else None

    run = until(last_run, "the last run")
    assert (run["fun"], run["counts"]) == ("state.single", {"changed": 1})
    assert ann.get("/minions?filter=status:changed")["total"] == 1


def test_users_see_of_minions_what_they_may(bob):
    [minion] = bob.get("/minions")["items"]
    assert minion["id"] == "m1"
    assert minion["os"] is None
    assert minion["last_run"] is None
    assert bob.call("GET", "/minions/m1")[0] == 403


def test_a_target_is_explained(ann, bob):
    event = ann.get("/targets/explain?tgt=m*&why=true")
    assert (event["count"], event["ids"]) == (1, ["m1"])
    assert event["why"]["m1"]["matched"]
    assert bob.get("/targets/explain?tgt=m*&why=true") == {"count": 1, "ids": ["m1"], "more": 0, "why": {}}
    assert bob.call("GET", "/targets/explain?tgt=I@x:y&tgt_type=compound")[0] == 403
    assert ann.call("GET", "/targets/explain?tgt=x&tgt_type=colour")[0] == 400


def start(client, fun, *arg, **more):
    status, result = client.call("POST", "/jobs", {"tgt": "m1", "fun": fun, "arg": list(arg)}, **more)
    assert status == 202, result
    return result["jid"]


def finished(client, jid):
    def returned():
        event = client.get(f"/jobs/{jid}")
        return event["job"]["returned"] and event

    return until(returned, f"the return of job {jid}")


def test_a_job_is_started_followed_and_reported(ann):
    jid = start(ann, "state.single", "test.succeed_with_changes", "name=y")

    result = finished(ann, jid)
    assert (result["minions"], result["missing"]) == (["m1"], [])
    assert (result["job"]["verdict"], result["job"]["counts"]) == ("changed", {"changed": 1})
    [found] = ann.get(f"/jobs/{jid}/returns")["items"]
    assert (found["id"], found["verdict"], found["counts"]) == ("m1", "changed", {"changed": 1})
    [state] = ann.get(f"/jobs/{jid}/report")["minions"]["m1"]["states"]
    assert state["state"] == "test.succeed_with_changes"
    assert ann.get("/jobs?fun=state.*&verdict=changed&limit=1")["items"][0]["jid"] == jid
    assert ann.get("/jobs?user=nobody")["items"] == []


def test_pages_of_jobs_follow_each_other(ann):
    jids = [start(ann, "test.ping") for _ in range(3)]

    found, after = [], ""
    while after is not None and len(found) < 3:
        page = ann.get(f"/jobs?fun=test.ping&limit=1&after={after}")
        found += [job["jid"] for job in page["items"]]
        after = page["next"]
    assert found == jids[::-1]


def test_a_repeated_request_starts_one_job(ann):
    first = start(ann, "test.ping", Idempotency_Key="once")
    assert start(ann, "test.ping", Idempotency_Key="once") == first
    other = {"tgt": "m1", "fun": "test.version"}
    assert ann.call("POST", "/jobs", other, Idempotency_Key="once")[0] == 422


def test_users_see_jobs_that_they_may_start(ann, bob):
    hidden, shown = start(ann, "grains.items"), start(ann, "test.ping")

    assert bob.call("GET", f"/jobs/{hidden}")[0] == 404
    assert bob.call("GET", f"/jobs/{hidden}/returns")[0] == 404
    assert bob.call("GET", f"/jobs/{hidden}/report")[0] == 404
    assert bob.call("GET", f"/jobs/{hidden}/steps")[0] == 404
    assert bob.call("DELETE", f"/jobs/{hidden}")[0] == 404
    assert bob.get(f"/jobs/{shown}")["job"]["fun"] == "test.ping"
    assert hidden not in [job["jid"] for job in bob.get("/jobs")["items"]]
    assert bob.call("POST", "/jobs", {"tgt": "m1", "fun": "cmd.run", "arg": ["id"]})[0] == 403


def test_jobs_that_cannot_be_are_refused(ann):
    assert ann.call("POST", "/jobs", {"tgt": "m1"})[0] == 400
    assert ann.call("POST", "/jobs", {"tgt": "m1", "fun": "test.ping", "client": "ssh"})[0] == 400
    assert ann.call("POST", "/jobs", {"tgt": "nobody*", "fun": "test.ping"})[0] == 400
    job = {"tgt": "m1", "fun": "test.ping"}
    assert ann.call("POST", "/jobs", job, Content_Type="text/plain")[0] == 415


def test_a_job_is_ended_where_it_runs(ann):
    jid = start(ann, "test.sleep", 600)

    def stopped():
        _, result = ann.call("DELETE", f"/jobs/{jid}")
        return result["ended"]

    assert "Signal 9 sent" in until(stopped, "the end of the job")["m1"]
    finished(ann, jid)
    assert ann.call("DELETE", f"/jobs/{jid}")[1] == {"ended": {}, "not_running": [], "silent": []}


def test_steps_of_a_job_are_streamed(ann):
    jid = start(ann, "state.single", "test.succeed_without_changes", "name=z")

    finished(ann, jid)
    stream = ann.client.stream_of(f"/v1/jobs/{jid}/steps")
    event = stream.until(f"salt/job/{jid}/step/m1")
    assert event["data"]["data"]["total"] == 1
    stream.close()


def test_events_are_streamed(ann):
    stream = ann.client.stream_of("/v1/events?tag=salt/job/")
    jid = start(ann, "test.ping")
    assert stream.until(f"salt/job/{jid}/ret/m1")["id"]
    stream.close()


def test_keys_are_listed_rejected_and_deleted(fleet, ann, bob):
    pki = fleet[0].pki_dir
    (pki / "minions_pre" / "new1").write_text((pki / "minions" / "m1").read_text())

    keys = {key["id"]: key["state"] for key in ann.get("/keys")["items"]}
    assert keys == {"m1": "accepted", "new1": "pending"}
    assert [key["id"] for key in ann.get("/keys?state=pending")["items"]] == ["new1"]
    assert bob.call("GET", "/keys")[0] == bob.call("POST", "/keys/new1:accept")[0] == 403
    assert ann.call("POST", "/keys/new1:reject") == (200, {"id": "new1", "done": "reject"})
    assert ann.call("POST", "/keys/new*:delete")[0] == 400
    assert ann.call("POST", "/keys/new1:delete")[0] == 200
    assert ann.call("POST", "/keys/new1:accept")[0] == 404


def test_a_minion_is_invited(ann):
    status, made = ann.call("POST", "/invitations", {"id": "web1", "expires": 60})

    assert status == 201
    assert made["code"] in made["command"]
    [kept] = ann.get("/invitations")["items"]
    assert kept["number"] == made["number"]
    assert "code" not in kept
    assert ann.call("DELETE", f"/invitations/{made['number']}")[0] == 200
    assert ann.call("DELETE", f"/invitations/{made['number']}")[0] == 404


def test_functions_have_arguments_and_documentation(ann, bob):
    found = {one["name"]: one for one in ann.get("/functions?q=test.ech&on=m1")["items"]}["test.echo"]
    assert found["arguments"] == [{"name": "text", "required": True, "default": None}]
    assert found["doc"]
    assert ann.call("GET", "/functions?q=*&on=m1")[0] == 400
    assert bob.call("GET", "/functions?q=test&on=m1")[0] == 403


def test_resources_and_schedules_are_shown(ann, bob):
    assert ann.get("/resources")["items"] == []
    assert ann.get("/schedules")["minions"] == {"m1": {}}
    assert bob.call("GET", "/resources")[0] == bob.call("GET", "/schedules")[0] == 403


def with_token(nobody, token):
    return V1Client(ApiClient(nobody.client.port, token), nobody.schema)


def test_a_token_of_a_program_does_less_than_its_user(fleet, nobody, ann):
    status, made = ann.call("POST", "/tokens", {"name": "ci", "allow": ["test.ping"], "on": "m*"})
    assert status == 201
    program = with_token(nobody, made["token"])

    start(program, "test.ping")
    assert program.call("POST", "/jobs", {"tgt": "m1", "fun": "test.version"})[0] == 403
    assert program.call("GET", "/keys")[0] == program.call("GET", "/tokens")[0] == 403
    assert program.get("/me")["token"] == {"name": "ci", "limits": [{"m*": ["test.ping"]}]}
    assert program.get("/minions")["items"][0]["os"] is None
    bearer = {"Authorization": f"Bearer {made['token']}"}
    assert nobody.call("GET", "/me", **bearer)[0] == 200
    # Stock's route for orders with a token keeps to the same limits.
    order = {"client": "local", "tgt": "m1", "token": made["token"]}
    assert nobody.client.post("/run", [{**order, "fun": "test.ping"}]).data == {"return": [{"m1": True}]}
    assert nobody.client.post("/run", [{**order, "fun": "test.version"}]).status == 401
    [listed] = ann.get("/tokens")["items"]
    assert ann.call("DELETE", f"/tokens/{listed['id']}")[0] == 200
    assert program.call("GET", "/me")[0] == 401


def test_a_token_is_made_on_the_command_line(fleet, nobody):
    def token(*words):
        command = [Machine.program, "token", *words, "-c", str(fleet[0].config_dir)]
        return outcome_of(command)

    made = token("create", "ci", "--for", "bob", "--allow", "test.ping", "--from", "127.0.0.0/8")
    assert made.code == 0, made.err
    program = with_token(nobody, made.out.strip())
    assert program.get("/me")["user"] == "bob"
    foreign = token("create", "far", "--for", "bob", "--allow", "test.ping", "--from", "10.0.0.0/8")
    assert with_token(nobody, foreign.out.strip()).call("GET", "/me")[0] == 401
    assert token("create", "x", "--for", "nobody", "--allow", "test.ping").code == 2
    assert token("create", "x").code == 64
    ids = [line.split()[0] for line in token("list").out.splitlines()]
    assert len(ids) == 2
    assert [token("revoke", id).code for id in (*ids, ids[0])] == [0, 0, 1]
    assert program.call("GET", "/me")[0] == 401
