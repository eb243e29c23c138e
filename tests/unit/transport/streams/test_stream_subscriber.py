"""Publications over `tcp` and `ws`, from a real publish port."""

import pytest

from salt_g.transport.carriers import carrier_of
from salt_g.transport.publisher import Publisher
from salt_g.transport.streams.client_stream import StreamClientSettings
from salt_g.transport.streams.stream_subscriber import StreamSubscriber
from salt_g.transport.streams.tls_layer import client_context
from salt_g.wire.publications import topic_of
from tests.support.waiting import hub_until

LIMIT = 60


@pytest.mark.parametrize("transport", ["tcp", "ws"])
@pytest.mark.parametrize("has_tls", [False, True])
def test_publications_arrive_in_order(supervisor, tls_settings, transport, has_tls):
    settings = tls_settings() if has_tls else None
    carrier = carrier_of({"transport": transport, "ssl": settings})
    publisher = Publisher(["tcp://127.0.0.1:*"], supervisor=supervisor, carrier=carrier)
    publisher.start()
    client = StreamClientSettings(transport, client_context(settings) if has_tls else None)
    topic = topic_of("m1")
    subscriber = StreamSubscriber(publisher.addresses[0], client, topic=topic, registration=lambda: b"\x80")

    assert subscriber.wait_up(timeout=LIMIT)
    # It has everything, and its topic names it.
    hub_until(lambda: publisher.named(topic) == {"127.0.0.1"})
    assert (dict(publisher.subscribed()), dict(publisher.nameless())) == ({"127.0.0.1": 1}, {})
    publisher.publish(b"one")
    publisher.publish(b"two" * 100_000, [topic, b"other"])
    publisher.publish(b"three")

    received = [subscriber.receive(timeout=LIMIT) for _ in range(3)]
    assert received == [[b"one"], [b"two" * 100_000], [b"three"]]
    assert subscriber.receive(timeout=0.01) is None
    subscriber.close()
    assert publisher.stop(timeout=LIMIT)
