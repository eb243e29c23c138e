"""Steps of a clock: they lock no minion out, and nothing recorded becomes valid again (property 24)."""

import time

import pytest

from salt_g.errors import SealBroken
from salt_g.wire.packing import unpack
from tests.support.peers import Peer, ask_raw

HOUR, DAY, YEAR = 3600, 86400, 365 * 86400


def is_refused(answer):
    """Return whether a response is one of the plain refusal texts."""
    return isinstance(unpack(answer), str)


def envs(peer, offset=0):
    """Send requests with a clock that is wrong by `offset` s; raises SealBroken for a refusal."""
    return peer.ask({"cmd": "_file_envs"}, now=time.time() + offset)


@pytest.mark.parametrize("offset", [-YEAR, -HOUR, HOUR, YEAR])
def test_a_minion_whose_clock_is_wrong_is_served(shared_master, offset):
    peer = Peer(shared_master, f"wrong{offset}", 0).sign_in()

    assert [envs(peer, offset), envs(peer, offset + 1)] == [["base"], ["base"]]


@pytest.mark.parametrize("step", [HOUR, YEAR])
def test_a_clock_that_is_set_back_costs_one_sign_in(shared_master, step):
    peer = Peer(shared_master, f"back{step}", 0).sign_in()
    assert envs(peer, step) == ["base"]

    with pytest.raises(SealBroken):
        envs(peer)

    peer.sign_in()
    assert [envs(peer), envs(peer)] == [["base"], ["base"]]


def test_a_clock_that_is_set_forward_costs_nothing(shared_master):
    peer = Peer(shared_master, "forward", 0).sign_in()

    assert [envs(peer), envs(peer, DAY), envs(peer, YEAR)] == [["base"]] * 3


def test_no_request_of_before_a_step_is_served_after_it(shared_master):
    peer = Peer(shared_master, "window", 0).sign_in()
    load, port, now = {"cmd": "_file_envs"}, shared_master.ret_port, time.time()
    served, kept_back = peer.seal(load, now=now), peer.seal(load, now=now)
    assert not is_refused(ask_raw(port, served))
    assert envs(peer, DAY) == ["base"]
    later = peer.seal(load, now=now + DAY)
    assert not is_refused(ask_raw(port, later))

    # The clock is set right: the next sign-in begins another session.
    assert all(is_refused(ask_raw(port, recorded)) for recorded in (served, kept_back, later))
    peer.sign_in()
    assert envs(peer) == ["base"]

    assert all(is_refused(ask_raw(port, recorded)) for recorded in (served, kept_back, later))


def test_a_clock_of_one_minion_moves_no_other_minions_window(shared_master):
    jumping, steady = Peer(shared_master, "jumping", 0).sign_in(), Peer(shared_master, "steady", 1).sign_in()
    assert envs(steady) == ["base"]

    assert envs(jumping, YEAR) == ["base"]

    assert envs(steady) == ["base"]
