"""TLS without a socket: both sides on plain values, trust, and unusable settings."""

import pytest

from salt_g.errors import ConfigError, TlsRefused, WireError
from salt_g.transport.streams.tls_layer import TlsLayer, client_context, server_context

#: Address in the certificates.
HOST = "127.0.0.1"


def _shaken(ours, theirs, host=HOST):
    """Return (client, server) after the handshake."""
    client = TlsLayer(client_context(ours), is_server=False, host=host)
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


@pytest.mark.parametrize("host", ["192.0.2.1", "master.example"])
def test_a_certificate_has_to_be_for_the_masters_address(tls_settings, host):
    settings = tls_settings()

    with pytest.raises(TlsRefused, match=f"certificate is not valid for '{host}'"):
        _shaken(settings, settings, host)


def test_only_cert_none_leaves_the_master_unchecked(tls_settings):
    theirs = tls_settings(cert_reqs="CERT_NONE")

    with pytest.raises(TlsRefused, match="not trusted"):
        _shaken({}, theirs)
    _shaken({"cert_reqs": "CERT_NONE"}, theirs, "192.0.2.1")


def test_a_master_that_names_authorities_requires_certificates(tls_settings):
    settings = tls_settings()
    given = {name: settings[name] for name in ("certfile", "keyfile", "ca_certs")}

    with pytest.raises(TlsRefused, match="sent no certificate"):
        _shaken({"ca_certs": settings["ca_certs"]}, given)


def test_a_minion_without_a_certificate_is_refused_where_one_is_required(tls_settings):
    settings = tls_settings()

    with pytest.raises(WireError):
        _shaken({"ca_certs": settings["ca_certs"]}, settings)


@pytest.mark.parametrize(
    ("client", "is_trusted", "of_server", "of_client"),
    [
        ({"certfile": ""}, False, "sent no certificate", "requires a certificate"),
        ({"days": -1}, True, "not trusted: certificate has expired", "says that our certificate .* expired"),
        ({}, False, "is not trusted: ", "does not trust the authority of our certificate"),
    ],
)
def test_each_side_reports_why_a_minions_certificate_is_refused(
    tls_settings, client, is_trusted, of_server, of_client
):
    theirs, own = tls_settings(), tls_settings(**client)
    ours = {**own, "ca_certs": theirs["ca_certs"]}
    trusted = own if is_trusted else theirs
    server = TlsLayer(server_context({**theirs, "ca_certs": trusted["ca_certs"]}), is_server=True)
    minion = TlsLayer(client_context(ours), is_server=False, host=HOST, address="192.0.2.1:4506")
    minion.decrypt(b"")
    server.decrypt(minion.take_output())
    minion.decrypt(server.take_output())

    with pytest.raises(TlsRefused, match=of_server):
        server.decrypt(minion.take_output())
    with pytest.raises(TlsRefused, match=f"^TLS with 192.0.2.1:4506: the peer {of_client}"):
        minion.decrypt(server.take_output())


def test_a_peer_without_tls_is_refused(tls_settings):
    server = TlsLayer(server_context(tls_settings()), is_server=True)

    with pytest.raises(WireError, match="set `ssl` on both sides or on neither"):
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
