"""TLS peers that are not trusted, stop during the handshake, or connect in their hundreds."""

import contextlib
import os
import pathlib
import re
import socket
import ssl
import tempfile

import msgpack
import pytest

from salt_g.client.unix_link import UnixLink
from tests.support.certificates import tls_settings
from tests.support.raw_zmtp import DEADLINE
from tests.support.waiting import until

#: Connections that begin a handshake at the same time.
PEERS = 600
#: Request that a master answers to everybody: a sign-in without content.
REQUEST = msgpack.packb({"head": {"mid": "00000001"}, "body": {"enc": "clear", "load": {"cmd": "_auth"}}})


@pytest.fixture(scope="module")
def place():
    with tempfile.TemporaryDirectory(prefix="sg-tls-") as name:
        yield pathlib.Path(name)


def made(place, name, **options):
    """Return settings with a certificate of an authority of this name below `place`."""
    directory = place / name
    if not directory.exists():
        directory.mkdir()
        tls_settings(directory, **options)
    files = {"certfile": str(directory / "crt"), "keyfile": str(directory / "key")}
    return {**files, "ca_certs": str(directory / "crt"), "cert_reqs": "CERT_REQUIRED"}


@pytest.fixture(scope="module")
def ours(place):
    return made(place, "ours")


@pytest.fixture(scope="module", params=["tcp", "ws"])
def master(fleet, ours, request):
    """Return a master that requires certificates from its minions."""
    return fleet[0](transport=request.param, ssl=ours, log_level="debug")


def context(ours, certificate=None):
    """Return the TLS context of a client that trusts the master, with a certificate or none."""
    found = ssl.create_default_context(cafile=ours["ca_certs"])
    if certificate:
        found.load_cert_chain(certificate["certfile"], certificate["keyfile"])
    return found


def answer(port, client):
    """Return a port's response to a request after the handshake, b"" if it has closed the connection."""
    with socket.create_connection(("127.0.0.1", port), DEADLINE) as plain:
        try:
            with client.wrap_socket(plain, server_hostname="127.0.0.1") as peer:
                peer.sendall(REQUEST)
                return peer.recv(100)
        except (ssl.SSLError, ConnectionError):
            return b""


def test_a_peer_without_a_trusted_certificate_gets_nothing(master, place, ours):
    strangers = {
        "none": context(ours),
        "of another authority": context(ours, made(place, "other")),
        "expired": context(ours, made(place, "expired", days=-1)),
    }

    found = {name: answer(port, client) for name, client in strangers.items()
             for port in (master.ret_port, master.publish_port)}  # fmt: skip

    assert found == dict.fromkeys(strangers, b"")
    assert not re.search(r"\b_auth\b", master.log().partition("connection closed")[0])
    if master.settings["transport"] == "tcp":
        assert answer(master.ret_port, context(ours, ours))


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion")
def test_an_old_version_of_tls_is_refused(master, ours):
    client = context(ours, ours)
    client.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    client.maximum_version = ssl.TLSVersion.TLSv1_1
    client.set_ciphers("ALL:@SECLEVEL=0")

    assert answer(master.ret_port, client) == b""


def test_hundreds_that_stop_in_a_handshake_keep_nobody_out(master, ours):
    received, output = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context(ours).wrap_bio(received, output, server_hostname="127.0.0.1")
    with contextlib.suppress(ssl.SSLWantReadError):
        tls.do_handshake()
    hello = output.read()
    before = len(os.listdir(f"/proc/{master.pid}/fd"))

    with contextlib.ExitStack() as peers:
        for number in range(PEERS):
            peer = peers.enter_context(socket.create_connection(("127.0.0.1", master.ret_port), DEADLINE))
            # Some say nothing, some a part of a greeting, some all of it and nothing more.
            peer.sendall(hello[: (0, 5, len(hello) // 2, len(hello))[number % 4]])
        with contextlib.closing(UnixLink(str(master.sock_dir))) as link:
            assert link.ask({"cmd": "presence"}, timeout=DEADLINE)
        if master.settings["transport"] == "tcp":
            assert answer(master.ret_port, context(ours, ours))

    until(
        lambda: len(os.listdir(f"/proc/{master.pid}/fd")) <= before + 5, "they are closed", seconds=DEADLINE
    )


@pytest.mark.parametrize("name, days, reason", [("other", 1, "not trusted: "), ("old", -1, "has expired")])
@pytest.mark.parametrize("transport", ["tcp", "ws"])
def test_a_minion_trusts_no_such_master(fleet, place, ours, transport, name, days, reason):
    theirs = made(place, name, days=days)
    master = fleet[0](transport=transport, ssl={**theirs, "cert_reqs": "CERT_NONE"})
    trusted = theirs if days < 0 else ours

    minion = fleet[1](master, id=name, transport=transport, ssl=trusted, auth_timeout=5)

    until(lambda: reason in minion.log(), reason, seconds=DEADLINE)
    assert not minion.is_connected
    minion.stop()
    master.stop()
