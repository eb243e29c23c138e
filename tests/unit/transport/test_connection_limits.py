"""Limits on connections, and the choice of the one to close in favour of another."""

from salt_g.transport.connection_limits import ConnectionLimits, shared_by_ports


class Peer:
    def __init__(self, places, address, *, messages=0, opened_at=0.0):
        self.address, self.messages, self.opened_at = address, messages, opened_at
        self.places, self.is_closed = places, False

    def close(self):
        self.is_closed = True
        self.places.leave(self)


def entered(places, address, number, **facts):
    peers = [Peer(places, address, opened_at=float(count), **facts) for count in range(number)]
    assert all(places.enter(peer) for peer in peers)
    return peers


def test_an_address_that_has_its_share_loses_its_oldest_silent_connection():
    places = ConnectionLimits(100, 3)
    first, second, _ = entered(places, "a", 3)
    first.messages = 1

    assert places.enter(Peer(places, "a"))

    assert (first.is_closed, second.is_closed, len(places)) == (False, True, 3)


def test_an_address_whose_connections_all_spoke_gets_no_more_than_its_share():
    places = ConnectionLimits(100, 3)
    entered(places, "a", 3, messages=1)

    assert not places.enter(Peer(places, "a"))
    assert places.enter(Peer(places, "b"))
    assert places.refused == 1


def test_when_all_places_are_taken_the_user_with_most_gives_one():
    places = ConnectionLimits(4, 4)
    many = entered(places, "a", 3, messages=1)
    entered(places, "b", 1, messages=1)

    assert places.enter(Peer(places, "c"))

    assert [peer.is_closed for peer in many] == [False, False, True]
    assert len(places) == 4


def test_a_peer_with_as_many_connections_as_others_gets_no_place_of_theirs():
    places = ConnectionLimits(2, 2)
    entered(places, "a", 1, messages=1)
    entered(places, "b", 1, messages=1)

    assert not places.enter(Peer(places, "a"))


def test_a_closed_connection_frees_its_place_once():
    places = ConnectionLimits(1, 1)
    [peer] = entered(places, "a", 1)

    places.leave(peer)
    places.leave(peer)

    assert len(places) == 0 and places.enter(Peer(places, "b"))


def test_descriptors_stay_free_for_the_rest_of_the_process():
    assert (shared_by_ports(1024, 0).total, shared_by_ports(1024, 0).per_address) == (768, 384)
    assert (shared_by_ports(100_000, 7).total, shared_by_ports(100_000, 7).per_address) == (99_488, 7)
