"""Event streams of the HTTP API: rights, replay, closing."""

import json

import wsproto
import wsproto.events

from tests.support.waiting import until


def test_users_see_the_jobs_that_they_may_order(ann, bob):
    streams = [client.stream() for client in (ann, bob)]

    ann.order(client="local", tgt="*", fun="cmd.run", arg=["echo hidden"])
    bob.order(client="local", tgt="*", fun="test.echo", arg=["seen"])

    for_ann = streams[0].until("salt/job/")
    assert for_ann["data"]["data"]["fun"] == "cmd.run"
    for_bob = streams[1].until("salt/job/")
    assert for_bob["data"]["data"]["fun"] == "test.echo"
    assert for_bob["data"]["tag"] == for_bob["tag"]
    for stream in streams:
        stream.close()


def test_a_stream_goes_on_after_the_last_event_that_was_seen(ann):
    first = ann.stream()
    ann.post("/hook/one", {})
    seen = first.until("salt/netapi/hook/one")
    first.close()
    ann.post("/hook/two", {})

    second = ann.stream(Last_Event_ID=seen["id"])

    assert second.next()["tag"] == "salt/netapi/hook/two"
    second.close()


def test_an_id_of_another_run_is_answered_with_a_gap(ann):
    stream = ann.stream(Last_Event_ID="00000000-7")

    assert stream.next() == {"event": "gap", "data": {"lost": None}, "retry": "400"}
    stream.close()


def test_tags_can_be_chosen_and_a_masters_token_serves_too(client, ann):
    login = {"username": "ann", "password": "sesame", "eauth": "sharedsecret"}
    [token] = client.post("/token", [login]).data
    stream = type(client)(client.port, token["token"]).stream()

    ann.post("/hook/mine", {})

    assert stream.until("salt/netapi/")["tag"] == "salt/netapi/hook/mine"
    stream.close()


def test_a_logout_ends_the_streams_of_its_session(client):
    cat = client.logged_in("cat")
    stream = cat.stream()

    cat.post("/logout")

    assert stream.response.read().endswith(b"retry: 400\n")
    stream.close()


def test_a_users_streams_are_limited_and_a_closed_one_frees_its_place(client):
    bob = client.logged_in("bob")
    streams = [bob.stream() for _ in range(20)]

    assert bob.get("/events").status == 429
    for stream in streams:
        stream.close()
    until(lambda: _count(client) == 0, "the streams to end")
    more = bob.stream()
    assert more.status == 200
    more.close()


def _count(client):
    return client.logged_in("ann").get("/stats").data["salt-g api"]["Event Streams"]


def test_a_websocket_sends_events_when_its_client_is_ready(ann):
    socket = wsproto.WSConnection(wsproto.ConnectionType.CLIENT)
    token = (b"X-Auth-Token", ann.token.encode())
    upgrade = socket.send(wsproto.events.Request(host="x", target="/ws", extra_headers=[token]))
    connection = ann.raw(upgrade)
    messages = _messages(connection, socket)
    assert isinstance(next(messages), wsproto.events.AcceptConnection)

    connection.sendall(socket.send(wsproto.events.TextMessage("websocket client ready")))
    assert next(messages).data == "server received message"
    ann.post("/hook/ws", {})

    text = next(one.data for one in messages if "hook/ws" in getattr(one, "data", ""))
    assert text.startswith("data: ")
    assert text.endswith("\n\n")
    assert json.loads(text[6:])["tag"] == "salt/netapi/hook/ws"
    connection.close()


def _messages(connection, socket):
    while True:
        yield from socket.events()
        socket.receive_data(connection.recv(1 << 16) or None)
