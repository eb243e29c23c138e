"""Sealing of orders with the master's key pair, and rejection of anything else."""

import pytest

from salt_g.cluster.sealing import Sealing
from salt_g.errors import SealBroken
from salt_g.master.mailbox.order_sealing import OrderSealing


def test_an_order_is_opened_by_the_same_key_pair_only(master_key, other_key):
    sealed = OrderSealing(master_key).seal(b"packed")

    assert b"packed" not in sealed
    assert OrderSealing(master_key).open(sealed) == b"packed"
    with pytest.raises(SealBroken):
        OrderSealing(other_key).open(sealed)


def test_a_publication_of_a_cluster_is_no_order(master_key):
    with pytest.raises(SealBroken, match="not an order"):
        OrderSealing(master_key).open(Sealing(master_key).seal_job(b"packed"))
