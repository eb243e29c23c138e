"""Request server and client over real sockets."""

import itertools
import time

import gevent
import gevent.event
import msgpack
import pytest
import zmq.green as zmq

from salt_g.errors import NoReply, NoTurn, WireError
from salt_g.transport.request_client import LONG_REPLY, RequestClient, jitter
from salt_g.transport.request_server import RequestLimits, RequestServer
from salt_g.transport.zeromq import endpoint
from tests.support.waiting import hub_turns, hub_until


@pytest.fixture
def serve(context, supervisor):
    """Yield a function that starts a server; all are stopped at the end."""
    servers = []

    def start(handler, *, is_costly=lambda _: False, asks=lambda _: None, clock=time.monotonic, **limits):
        server = RequestServer(
            handler,
            [endpoint("127.0.0.1", "*")],
            context=context,
            supervisor=supervisor,
            limits=RequestLimits(**limits),
            is_costly=is_costly,
            asks=asks,
            clock=clock,
        )
        server.start()
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop(timeout=1)


@pytest.fixture
def connect(context):
    """Yield a function that connects a client of a server."""
    clients = []

    def make(server, **settings):
        clients.append(RequestClient(server.addresses[0], context=context, **settings))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


def raw(context, kind, server):
    socket = context.socket(kind)
    socket.setsockopt(zmq.LINGER, 0)
    socket.connect(server.addresses[0])
    return socket


def test_a_request_is_answered_by_the_handler(serve, connect):
    client = connect(serve(lambda arrival: arrival.payload.upper()))

    assert client.request(b"ping", timeout=5) == b"PING"


@pytest.mark.parametrize("size", [LONG_REPLY - 1, LONG_REPLY, 4 << 20])
def test_a_long_reply_arrives_whole(serve, connect, size):
    client = connect(serve(lambda arrival: bytes(range(256)) * (size // 256) + b"." * (size % 256)))

    reply = client.request(b"", timeout=30)

    assert reply == bytes(range(256)) * (size // 256) + b"." * (size % 256)
    assert isinstance(reply, bytes) == (size < LONG_REPLY)


def test_the_handler_learns_the_address_of_the_peer(serve, connect):
    client = connect(serve(lambda arrival: arrival.address.encode()))

    assert client.request(b"", timeout=5) == b"127.0.0.1"


def test_a_plain_req_socket_is_served(serve, context):
    socket = raw(context, zmq.REQ, serve(lambda arrival: arrival.payload))

    socket.send(b"one")
    first = socket.recv()
    socket.send(b"two")

    assert (first, socket.recv()) == (b"one", b"two")


def test_hops_in_front_of_the_empty_frame_come_back(serve, context):
    socket = raw(context, zmq.DEALER, serve(lambda arrival: arrival.payload))

    socket.send_multipart([b"hop", b"", b"payload"])

    assert socket.recv_multipart() == [b"hop", b"", b"payload"]


def test_messages_without_an_envelope_are_dropped_and_counted(serve, context):
    server = serve(lambda arrival: arrival.payload)
    socket = raw(context, zmq.DEALER, server)

    for frames in ([b"payload"], [b""], [b"a", b"b", b"c"], [b"", b"good"]):
        socket.send_multipart(frames)

    assert socket.recv_multipart() == [b"", b"good"]
    assert server.dropped == 3


def test_requests_of_many_greenlets_are_all_answered_once(serve, connect):
    seen = []

    def handler(arrival):
        seen.append(arrival.payload)
        hub_turns()
        return arrival.payload

    client = connect(serve(handler, workers=8), connections=20)
    questions = [b"%d" % number for number in range(500)]

    greenlets = [gevent.spawn(client.request, question, timeout=10) for question in questions]
    gevent.joinall(greenlets, raise_error=True)

    assert [greenlet.value for greenlet in greenlets] == questions
    assert sorted(seen) == sorted(questions)


def test_a_handler_that_waits_does_not_hold_up_others(serve, connect):
    free = gevent.event.Event()

    def handler(arrival):
        if arrival.payload == b"slow":
            free.wait()
        return arrival.payload

    client = connect(serve(handler))
    slow = gevent.spawn(client.request, b"slow", timeout=10)
    quick = [client.request(b"%d" % number, timeout=5) for number in range(5)]
    free.set()

    assert quick == [b"0", b"1", b"2", b"3", b"4"]
    assert slow.get() == b"slow"


def test_a_burst_behind_one_waiting_handler_is_served(serve, connect):
    free = gevent.event.Event()

    def handler(arrival):
        if arrival.payload == b"slow":
            free.wait()
        return arrival.payload

    client = connect(serve(handler), connections=10)
    client.request(b"make one worker idle", timeout=5)
    burst = [gevent.spawn(client.request, word, timeout=5) for word in [b"slow"] + [b"quick"] * 5]

    gevent.joinall(burst[1:], raise_error=True)
    free.set()

    assert [greenlet.get() for greenlet in burst] == [b"slow"] + [b"quick"] * 5


def test_workers_of_a_burst_end_when_there_is_less_to_do(serve, connect, supervisor):
    free, moments = gevent.event.Event(), [0.0]

    def handler(arrival):
        if arrival.payload == b"slow":
            free.wait()
        return arrival.payload

    client = connect(serve(handler, clock=lambda: moments[0]), connections=30)
    without = len(supervisor)
    burst = [gevent.spawn(client.request, b"slow", timeout=10) for _ in range(30)]
    hub_until(lambda: len(supervisor) >= without + 30)
    free.set()
    gevent.joinall(burst, raise_error=True)
    for _ in range(100):
        moments[0] += 1.0
        assert client.request(b"quick", timeout=5) == b"quick"

    assert len(supervisor) - without < 10
    assert client.request(b"one more", timeout=5) == b"one more"


def test_an_exception_in_a_handler_becomes_a_refusal(serve, connect):
    def handler(arrival):
        raise {b"wire": WireError("no", answer="bad load"), b"time": gevent.Timeout(1)}.get(
            arrival.payload, ValueError("a fault")
        )

    client = connect(serve(handler))
    replies = [msgpack.unpackb(client.request(word, timeout=5)) for word in (b"wire", b"time", b"bug")]

    fault = "Some exception handling minion payload"
    assert replies == ["bad load", fault, fault]


def test_a_silent_server_ends_in_no_reply_and_a_late_answer_reaches_nobody(serve, connect):
    late = gevent.event.Event()

    def handler(arrival):
        if arrival.payload == b"late":
            late.wait()
        return arrival.payload

    client = connect(serve(handler), connections=1)
    with pytest.raises(NoReply, match="within 0.05 s"):
        client.request(b"late", timeout=0.05)
    late.set()

    assert client.request(b"next", timeout=5) == b"next"


def test_a_client_finds_a_server_that_starts_later(serve, context, supervisor, connect, start_again):
    first = serve(lambda arrival: b"first")
    address = first.addresses[0]
    client = connect(first)
    assert client.request(b"", timeout=5) == b"first"
    first.stop()

    second = start_again(
        lambda: RequestServer(lambda arrival: b"second", [address], context=context, supervisor=supervisor)
    )
    reply = client.request_again(lambda: b"", timeout=jitter(1.0, 2.0), tries=5)
    second.stop()

    assert reply == b"second"


def test_each_try_has_a_payload_of_its_own(serve, connect):
    seen = []

    def handler(arrival):
        seen.append(arrival.payload)
        if len(seen) < 3:
            gevent.event.Event().wait()
        return b"done"

    client = connect(serve(handler))
    payloads = iter([b"one", b"two", b"three"])

    assert client.request_again(lambda: next(payloads), timeout=jitter(0.1, 0.2), tries=3) == b"done"
    assert seen == [b"one", b"two", b"three"]


def test_one_connection_cannot_have_more_than_its_share(serve, context):
    free = gevent.event.Event()

    def handler(arrival):
        free.wait()
        return arrival.payload

    server = serve(handler, per_connection=3)
    socket = raw(context, zmq.DEALER, server)
    for number in range(10):
        socket.send_multipart([b"", b"%d" % number])
    hub_until(lambda: server.dropped >= 7)
    free.set()

    assert sorted(socket.recv_multipart()[1] for _ in range(3)) == [b"0", b"1", b"2"]
    assert server.dropped == 7


def test_a_message_above_the_limit_costs_its_sender_the_connection(serve, connect):
    server = serve(lambda arrival: b"%d" % len(arrival.payload), max_message=10_000)
    client = connect(server)

    with pytest.raises(NoReply):
        client.request(b"x" * 20_000, timeout=0.3)

    assert client.request(b"x" * 9_000, timeout=5) == b"9000"


def test_stop_answers_what_was_read(serve, connect):
    entered, go = gevent.event.Event(), gevent.event.Event()

    def handler(arrival):
        entered.set()
        go.wait()
        return b"late but here"

    server = serve(handler)
    request = gevent.spawn(connect(server).request, b"", timeout=5)
    entered.wait()
    stopping = gevent.spawn(server.stop, timeout=5)
    # One turn of the hub, in which the server begins to stop.
    hub_turns()
    go.set()

    assert stopping.get() is True
    assert request.get() == b"late but here"


def test_stop_reports_when_a_request_did_not_end(serve, connect):
    entered = gevent.event.Event()

    def handler(arrival):
        entered.set()
        gevent.event.Event().wait()

    server = serve(handler)
    request = gevent.spawn(connect(server).request, b"", timeout=1)
    entered.wait()

    assert server.stop(timeout=0.05) is False
    with pytest.raises(NoReply):
        request.get()


def test_a_large_reply_arrives_whole(serve, connect):
    client = connect(serve(lambda arrival: arrival.payload * 1000))

    assert client.request(b"x" * 10_000, timeout=10) == b"x" * 10_000_000


def test_ipv6_is_served(serve, context, supervisor):
    try:
        server = RequestServer(
            lambda arrival: arrival.address.encode(),
            [endpoint("::1", "*")],
            context=context,
            supervisor=supervisor,
        )
        server.start()
    except zmq.ZMQError as exc:
        pytest.skip(f"no IPv6 on this machine: {exc}")
    client = RequestClient(server.addresses[0], context=context)

    assert client.request(b"", timeout=5) == b"::1"
    client.close()
    server.stop()


def test_a_request_that_its_peer_has_given_up_is_left_out(serve, connect):
    handled = []
    go = gevent.event.Event()

    def handler(arrival):
        handled.append(arrival.payload)
        go.wait(10)
        return b"done"

    server = serve(
        handler,
        is_costly=lambda payload: True,
        asks=lambda arrival: arrival.payload[:1],
        patience=0,
        costly_workers=1,
    )
    asking = []
    for number, payload in enumerate((b"x0", b"a1", b"a2", b"b1"), 1):
        asking.append(gevent.spawn(connect(server).request, payload, timeout=10))
        # Each in its turn, so that the second is the one that waits.
        hub_until(lambda number=number: len(server) >= number)
    go.set()

    gevent.joinall([asking[0], *asking[2:]], timeout=10)

    assert handled == [b"x0", b"a2", b"b1"]
    assert server.superseded == 1
    gevent.killall(asking)


@pytest.fixture
def turns():
    """Yield a list of one number: turns of another greenlet, counted at most once each half millisecond."""
    taken = [0]

    def count():
        taken[0] += 1

    timer = gevent.get_hub().loop.timer(0.0005, 0.0005)
    timer.start(count)
    yield taken
    timer.stop()
    timer.close()


def test_a_burst_that_takes_long_to_read_leaves_others_their_turn(serve, context, turns):
    seen = []

    def asks(arrival):
        until = time.perf_counter() + 0.004
        while time.perf_counter() < until:
            pass
        seen.append(turns[0])

    server = serve(lambda arrival: b"", is_costly=lambda payload: True, asks=asks, per_connection=100)
    socket = raw(context, zmq.DEALER, server)
    for _ in range(60):
        socket.send_multipart([b"", b"x"])
    hub_until(lambda: len(seen) == 60)

    assert max(after - before for before, after in itertools.pairwise(seen)) > 0
    assert seen[-1] - seen[0] > 15


def test_a_message_of_many_frames_is_dropped_and_leaves_others_their_turn(serve, context, turns):
    server = serve(lambda arrival: arrival.payload)
    socket = raw(context, zmq.DEALER, server)
    socket.send_multipart([b""] + [b"x"] * 100_000)
    before, cpu = turns[0], time.thread_time()
    hub_until(lambda: server.dropped)

    socket.send_multipart([b"", b"good"])

    # What the server's thread has worked, in steps between which others had their turn.
    assert (time.thread_time() - cpu) / (turns[0] - before) < 0.05
    assert socket.recv_multipart() == [b"", b"good"]
    assert server.dropped == 1


def test_a_request_without_a_free_connection_was_not_sent(serve, connect):
    entered, go = gevent.event.Event(), gevent.event.Event()

    def handler(arrival):
        entered.set()
        go.wait(10)
        return b"done"

    client = connect(serve(handler), connections=1)
    first = gevent.spawn(client.request, b"", timeout=10)
    entered.wait()

    with pytest.raises(NoTurn, match="all connections"):
        client.request(b"", timeout=0.01)
    go.set()

    assert first.get() == b"done"
