"""The publish key: created on first use, resumed, replaced."""

import pytest

from salt_g.master.publishing.publish_keys import PublishKeys
from salt_g.wire.aes import Crypticle


@pytest.fixture
def keys(master_key):
    return PublishKeys(master_key)


def test_a_key_is_made_once_and_stays(keys):
    assert keys.text == b""

    first = keys.current()

    assert keys.current() is first
    assert keys.text == first.crypticle.text
    assert keys.generation == 1


def test_the_key_of_an_earlier_run_goes_on_with_its_serials(keys):
    text = Crypticle.generate().text

    keys.resume(text, 41)

    assert keys.current().crypticle.text == text
    assert keys.serials.take() == 42


def test_an_expired_key_is_never_published_under_again(keys):
    first, serials = keys.current(), keys.serials

    keys.expire()

    assert keys.text == b""
    assert keys.previous == (first.crypticle, serials)
    assert keys.generation == 2
    assert keys.since > 0
    assert keys.current().crypticle.text != first.crypticle.text
    assert keys.serials is not serials


def test_a_key_that_was_never_made_does_not_expire(keys):
    keys.expire()

    assert (keys.previous, keys.generation, keys.since) == (None, 1, 0.0)
