"""Connections of a public HTTP port: admission, and the choice of those to close."""

from salt_g.net.http_connections import HttpConnections


class Connection:
    def __init__(self):
        self.is_ended = False

    def shutdown(self, how):
        self.is_ended = True


def take(places, host, port):
    connection = Connection()
    return places.take((host, port), connection), connection


def test_an_address_with_all_its_places_loses_its_oldest():
    places = HttpConnections(10, 2)
    _, other = take(places, "10.0.0.1", 1)
    taken = [take(places, "10.0.0.2", port)[1] for port in (1, 2, 3)]

    assert [one.is_ended for one in taken] == [True, False, False]
    assert not other.is_ended
    assert len(places) == 3


def test_when_all_places_are_taken_the_busiest_address_loses_its_oldest():
    places = HttpConnections(4, 3)
    _, alone = take(places, "10.0.0.1", 1)
    taken = [take(places, "10.0.0.2", port)[1] for port in (1, 2, 3)]

    place, _ = take(places, "10.0.0.3", 1)

    assert place is not None
    assert [one.is_ended for one in taken] == [True, False, False]
    assert not alone.is_ended


def test_a_client_during_a_response_keeps_its_place():
    places = HttpConnections(2, 2)
    first, connection = take(places, "10.0.0.1", 1)
    second, _ = take(places, "10.0.0.1", 2)
    first.is_answered = True

    third, _ = take(places, "10.0.0.1", 3)
    second.is_answered = third.is_answered = True

    assert not connection.is_ended
    assert take(places, "10.0.0.1", 4)[0] is None


def test_a_shared_address_may_have_all_places():
    places = HttpConnections(4, 1)
    for port in range(4):
        assert places.take(("10.0.0.1", port), Connection(), is_shared=True) is not None

    assert len(places) == 4
