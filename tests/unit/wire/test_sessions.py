import pytest

from salt_g.errors import SealBroken
from salt_g.wire.aes import Crypticle
from salt_g.wire.sessions import KeyRing, SessionKey


def keys(count):
    return [SessionKey(Crypticle.generate()) for _ in range(count)]


def test_the_key_in_use_opens_and_is_reported():
    [one] = keys(1)
    ring = KeyRing(one, now=0)

    assert ring.find(one.crypticle.seal_plain(b"x"), now=5) == (b"x", one)


def test_the_key_before_opens_until_the_overlap_ends():
    old, new = keys(2)
    ring = KeyRing(old, now=0)
    message = old.crypticle.seal_plain(b"x")
    ring.rotate(new, now=10, overlap=60)

    assert ring.current is new and ring.made_at == 10
    assert ring.find(message, now=69.9) == (b"x", old)
    with pytest.raises(SealBroken):
        ring.find(message, now=70)


def test_only_one_key_before_is_kept():
    first, second, third = keys(3)
    ring = KeyRing(first, now=0)
    ring.rotate(second, now=1, overlap=60)
    ring.rotate(third, now=2, overlap=60)

    assert list(ring.keys(3)) == [third, second]


def test_an_overlap_can_be_ended_or_left_out():
    old, new, newest = keys(3)
    ring = KeyRing(old, now=0)
    ring.rotate(new, now=1, overlap=60)
    ring.revoke_previous()
    assert list(ring.keys(1)) == [new]

    ring.rotate(newest, now=2, overlap=0)
    assert list(ring.keys(2)) == [newest]


def test_each_key_has_nonces_of_its_own():
    old, new = keys(2)

    old.guard.check("a", 1)
    new.guard.check("a", 1)

    assert (len(old.guard), len(new.guard)) == (1, 1)
