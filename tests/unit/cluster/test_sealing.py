"""Secrets of a cluster in its database."""

import pytest

from salt_g.cluster.sealing import Sealing
from salt_g.errors import SealBroken
from salt_g.wire.rsa import PrivateKey


@pytest.fixture(scope="module")
def keys():
    return PrivateKey.generate(), PrivateKey.generate()


def test_masters_with_one_key_pair_read_each_others_secrets(keys):
    sealed = Sealing(keys[0]).seal({"key": "secret"})

    assert b"secret" not in sealed
    assert Sealing(PrivateKey(keys[0].to_pem())).open(sealed) == {"key": "secret"}


def test_another_key_pair_reads_nothing_and_has_another_fingerprint(keys):
    one, other = map(Sealing, keys)

    with pytest.raises(SealBroken):
        other.open(one.seal({"key": "secret"}))
    assert one.fingerprint != other.fingerprint


@pytest.mark.parametrize("size", [10, 100_000])
def test_a_job_is_opened_as_a_job_only(keys, size):
    one, other = map(Sealing, keys)
    sealed = one.seal_job(b"x" * size)

    assert one.open_job(sealed) == b"x" * size
    for sealing, job in ((one, one.seal("x" * size)), (other, sealed), (one, b"x" * size), (one, b"")):
        with pytest.raises(SealBroken):
            sealing.open_job(job)
