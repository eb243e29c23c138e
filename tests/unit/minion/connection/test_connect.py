"""A channel to the first of several masters that accepts the minion."""

import socket

import pytest

from salt_g.minion.connection.connect import first_channel
from salt_g.minion.connection.masters import resolve
from salt_g.minion.settings import MasterAccessSettings, ResolverSettings
from salt_g.transport.in_memory import MemoryClient


class Dialer:
    """Connects to one master by its name; no name server knows the others."""

    def __init__(self, name, master):
        self.name = name
        self.master = master

    def connect(self, place):
        if place.name != self.name:
            resolve(place, ResolverSettings(30), look_up=_unknown, sleep=pytest.fail)
        return MemoryClient(self.master.network)


def settings(opts):
    return MasterAccessSettings.of({**opts, "master": ["a", "b"]})


def _unknown(*args):
    raise socket.gaierror(-2, "Name or service not known")


def test_a_master_with_an_unknown_name_is_skipped(opts, identity, master):
    channel = first_channel(settings(opts), identity, Dialer("b", master))

    assert channel.grant is not None


def test_of_several_unknown_masters_the_last_one_is_named(opts, identity, master):
    with pytest.raises(OSError, match="master 'b': Name or service not known"):
        first_channel(settings(opts), identity, Dialer("c", master))
