"""TLS without a socket: both sides over plain values, trust, and settings that cannot be used."""

import pytest

from salt_g.errors import ConfigError, WireError
from salt_g.transport.streams.tls_layer import TlsLayer, client_context, server_context


def _shaken(ours, theirs):
    """Return (client, server) after the handshake."""
    client = TlsLayer(client_context(ours), is_server=False)
    server = TlsLayer(server_context(theirs), is_server=True)
    client.decrypt(b"")
    for _ in range(5):
        server.decrypt(client.take_output())
        client.decrypt(server.take_output())
    return client, server


def test_both_sides_read_what_the_other_wrote(tls_settings):
    settings = tls_settings()
    client, server = _shaken(settings, settings)

    assert server.decrypt(client.encrypt([b"one", b"", b"two" * 50_000])) == b"one" + b"two" * 50_000
    assert client.decrypt(server.encrypt([b"reply"])) == b"reply"


def test_a_certificate_of_another_authority_is_not_trusted(tls_settings):
    with pytest.raises(WireError, match="not trusted"):
        _shaken(tls_settings(), tls_settings(cert_reqs="CERT_NONE"))


def test_a_minion_without_a_certificate_is_refused_where_one_is_required(tls_settings):
    settings = tls_settings()

    with pytest.raises(WireError):
        _shaken({"ca_certs": settings["ca_certs"]}, settings)


def test_a_peer_without_tls_is_refused(tls_settings):
    server = TlsLayer(server_context(tls_settings()), is_server=True)

    with pytest.raises(WireError, match="both sides need `ssl` or none"):
        server.decrypt(b"\x82\xa4head\x80\xa4body\x01")


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"certfile": ""}, "needs `certfile`"),
        ({"certfile": "/nonexistent"}, "/nonexistent"),
        ({"cert_reqs": "CERT_MAYBE"}, "CERT_REQUIRED"),
        ({"keyfle": "x"}, "'keyfle'"),
    ],
)
def test_settings_that_cannot_be_used_are_named(tls_settings, more, reason):
    with pytest.raises(ConfigError, match=reason):
        server_context(tls_settings(**more))
