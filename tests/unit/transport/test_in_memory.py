import gevent
import msgpack
import pytest

from salt_g.errors import NoReply, WireError
from salt_g.process.supervisor import Supervisor
from salt_g.transport.in_memory import (
    MemoryClient,
    MemoryNetwork,
    MemoryPublisher,
    MemoryServer,
    MemorySubscriber,
)
from tests.support.waiting import hub_turns


@pytest.fixture
def supervisor():
    family = Supervisor("test")
    yield family
    family.stop()


@pytest.fixture
def serve(supervisor):
    """Return a function that makes a network whose server has this handler."""

    def make(handler):
        network = MemoryNetwork()
        MemoryServer(handler, network, supervisor=supervisor).start()
        return network

    return make


def test_a_request_is_answered_by_the_handler(serve):
    client = MemoryClient(serve(lambda arrival: arrival.payload + arrival.address.encode()), address="::1")

    assert client.request(b"from ", timeout=5) == b"from ::1"


def test_an_exception_in_a_handler_becomes_a_refusal(serve):
    def handler(arrival):
        raise WireError("no", answer={"msg": "bad load"})

    reply = MemoryClient(serve(handler)).request(b"", timeout=5)

    assert msgpack.unpackb(reply) == {"msg": "bad load"}


def test_a_lost_request_or_reply_ends_in_no_reply(serve):
    seen = []
    network = serve(lambda arrival: seen.append(arrival.payload) or b"reply")
    client = MemoryClient(network)
    network.drop_next()

    with pytest.raises(NoReply):
        client.request(b"lost", timeout=0.01)

    assert client.request(b"served", timeout=5) == b"reply"
    assert (seen, network.lost) == ([b"served"], 1)


def test_without_a_server_there_is_no_answer():
    with pytest.raises(NoReply):
        MemoryClient(MemoryNetwork()).request(b"", timeout=0.01)


def test_handlers_run_side_by_side(serve):
    def handler(arrival):
        hub_turns()
        return arrival.payload

    client = MemoryClient(serve(handler))
    requests = [gevent.spawn(client.request, b"%d" % number, timeout=5) for number in range(10)]

    assert [one.get() for one in requests] == [b"%d" % number for number in range(10)]


def test_publications_reach_the_topics_of_each_subscriber():
    network = MemoryNetwork()
    everything, one = MemorySubscriber(network), MemorySubscriber(network, [b"one", b"all"])
    publisher = MemoryPublisher(network)

    publisher.publish(b"x", [b"one", b"two"])

    assert [everything.receive(timeout=1) for _ in range(2)] == [[b"one", b"x"], [b"two", b"x"]]
    assert [one.receive(timeout=1), one.receive(timeout=0.01)] == [[b"one", b"x"], None]
    one.close()
    assert network.subscribers == {everything}
