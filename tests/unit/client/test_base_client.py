"""The life of a client's connection."""

import os
import socket
import tempfile

from salt_g.client.base_client import BaseClient
from salt_g.client.frames import SOCKET


def test_a_client_connects_on_first_use_and_again_after_its_end(open_directory):
    opts = {"sock_dir": tempfile.mkdtemp(dir=open_directory)}
    with socket.socket(socket.AF_UNIX) as listening, BaseClient(opts, user="ops") as client:
        listening.bind(os.path.join(opts["sock_dir"], SOCKET))
        listening.listen()
        first = client.link
        assert client.link is first

        client.destroy()
        client.destroy()

        assert client.link is not first
        assert client.user == "ops"


def test_a_client_closes_the_connection_that_it_was_given(link):
    with BaseClient({}, link=link) as client:
        assert client.link is link and not link.is_closed

    assert link.is_closed
