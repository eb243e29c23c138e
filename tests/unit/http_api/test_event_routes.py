"""Routes of events."""

import pytest

from salt_g.http_api.event_log import EventOrigin, LoggedEvent
from salt_g.http_api.event_routes import fire_hook, of_masters_token, open_websocket, rights_of, stream_events
from salt_g.http_api.messages import Refusal

TOKEN = "ab" * 32


def test_a_stream_begins_and_its_end_gives_the_place_back(parts, routed_request):
    answer = stream_events(parts, routed_request())

    assert next(answer.body) == b"retry: 400\n"
    assert (len(parts.streams), len(parts.stream_shares)) == (1, 1)
    answer.body.close()
    assert (len(parts.streams), len(parts.stream_shares)) == (0, 0)


def test_one_stream_too_many_is_refused_before_it_begins(parts, routed_request):
    streams = [stream_events(parts, routed_request()) for _ in range(20)]

    with pytest.raises(Refusal) as refusal:
        stream_events(parts, routed_request())
    for stream in streams:
        stream.body.close()

    assert refusal.value.status == 429


def test_a_hook_fires_what_was_sent_but_no_login(parts, routed_request, master):
    fire_hook(parts, routed_request({"a": 1}, "x", {"x-auth-token": "secret", "x-a": "b"}, b'{"a": 1}'))

    [(tag, data)] = master.fired
    assert tag == "salt/netapi/hook/x"
    assert data == {
        "body": '{"a": 1}',
        "post": {"a": 1},
        "headers": {"Remote-Addr": "192.0.2.7", "X-A": "b"},
    }
    with pytest.raises(Refusal):
        fire_hook(parts, routed_request(None, "a\n\nb"))


def test_a_masters_token_is_a_login_for_events(parts, make_request, master):
    master.answers["get_token"] = master.answers["mk_token"]

    assert of_masters_token(parts, make_request(headers={"x-auth-token": TOKEN})).user == "ann"
    master.answers["get_token"] = {}
    for token in (TOKEN, "x", ""):
        with pytest.raises(Refusal):
            of_masters_token(parts, make_request(headers={"x-auth-token": token}))


def test_rights_end_with_the_masters_token_and_targets_are_resolved_once(parts, session, master):
    master.answers["rights"] = {"user": "ann", "permissions": [{"web*": ["test.*"]}]}
    master.answers["permission_ids"] = ["web1"]
    rights = rights_of(parts, session[1], "::1")

    work = EventOrigin("job", "bob", "test.ping", [], ("web1",))
    others = EventOrigin("job", "bob", "test.ping", [], ("db1",))
    assert rights.may_see(LoggedEvent("salt/job/1/new", b"", work))
    assert not rights.may_see(LoggedEvent("salt/job/2/new", b"", others))
    assert sum(load["cmd"] == "permission_ids" for load, _ in master.requests) == 1
    master.answers["rights"] = {}
    with pytest.raises(Refusal):
        rights_of(parts, session[1], "::1")


def test_a_websocket_needs_an_upgrade(parts, routed_request):
    with pytest.raises(Refusal) as refusal:
        open_websocket(parts, routed_request())

    assert refusal.value.status == 400
    assert open_websocket(parts, routed_request(headers={"upgrade": "WebSocket"})).status == 101


def test_a_page_of_another_host_fires_no_event_without_a_login(parts, routed_request, master):
    headers = {"origin": "https://elsewhere.example"}

    with pytest.raises(Refusal) as refusal:
        fire_hook(parts, routed_request(None, "x", headers, has_session=False))
    fire_hook(parts, routed_request(None, "y", headers))
    fire_hook(parts, routed_request(None, "z", has_session=False))

    assert refusal.value.status == 403
    assert [tag for tag, _ in master.fired] == ["salt/netapi/hook/y", "salt/netapi/hook/z"]
