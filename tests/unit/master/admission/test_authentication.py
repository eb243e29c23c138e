"""Which sign-ins ask for the same."""

import pytest

from salt_g.master.admission.authentication import sign_in_key
from salt_g.transport.protocols import Arrival
from salt_g.wire.envelope import seal_clear


def arrival(*, address="10.0.0.1", **changes):
    load = {"cmd": "_auth", "id": "m1", "nonce": "a" * 32, "pub": "key", "token": b"x" * 256}
    return Arrival(seal_clear({**load, **changes}), address)


def test_a_repeated_sign_in_asks_for_the_same():
    assert sign_in_key(arrival()) == sign_in_key(arrival(nonce="b" * 32, token=b"y" * 256)) is not None


@pytest.mark.parametrize("other", [{"id": "m2"}, {"pub": "another"}, {"address": "10.0.0.2"}])
def test_another_id_key_or_place_asks_for_something_else(other):
    assert sign_in_key(arrival()) != sign_in_key(arrival(**other))


@pytest.mark.parametrize("changes", [{"id": 5}, {"pub": None}, {"id": ["m1"]}])
def test_what_is_not_a_sign_in_asks_for_nothing(changes):
    assert sign_in_key(arrival(**changes)) is None
    assert sign_in_key(Arrival(b"\xa5_auth", "")) is None
