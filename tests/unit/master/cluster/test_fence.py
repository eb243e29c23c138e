"""Requests of minions while a master may not know all keys."""

from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from salt_g.errors import StoreError
from salt_g.master.cluster.fence import OPEN, Fence
from salt_g.master.serving.files import Files
from salt_g.transport.protocols import Postponed


def closed():
    raise StoreError("db1", "cannot be reached for 12 s")


def request(cmd):
    return SimpleNamespace(load={"cmd": cmd})


def test_an_open_fence_asks_the_next_check():
    commands = []
    check = Fence(lambda: None).check(lambda session, request: commands.append(request.load["cmd"]))

    check(None, request("_pillar"))

    assert commands == ["_pillar"]


@pytest.mark.parametrize("cmd", ["_pillar", "_mine_get", "_return", "_minion_event", "minion_pub"])
def test_a_closed_fence_postpones_what_needs_a_valid_key(cmd):
    check = Fence(closed).check(lambda session, request: None)

    with pytest.raises(Postponed, match="cannot be reached for 12 s"):
        check(None, request(cmd))


def test_all_of_the_file_server_is_served_on_and_sign_ins_are_not():
    fence = Fence(closed)
    commands = Files(Mock()).commands()
    for name in commands:
        fence.check(lambda session, request: None)(None, request(name))
    assert commands.keys() == OPEN

    with pytest.raises(Postponed):
        fence.sign_in(lambda envelope, arrival: b"")(None, None)
