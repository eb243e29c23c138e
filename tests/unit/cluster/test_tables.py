"""Statements of a cluster, as far as they need no database."""

from salt_g.cluster import tables
from salt_g.cluster.tables import Claim, Publication


class Untouched:
    """Connection that must not be used."""

    def execute(self, sql, values=()):
        raise AssertionError(sql)


def test_a_claim_is_begun_or_withdrawn():
    begun, withdrawn = Claim(), Claim()

    assert (begun.begin(), begun.withdraw(), begun.begin()) == (True, False, True)
    assert (withdrawn.withdraw(), withdrawn.begin()) == (True, False)


def test_a_publication_that_was_withdrawn_is_not_written():
    claim = Claim()
    claim.withdraw()
    row = Publication("a", 1, b"job", b"ids", False, claim)

    assert tables.PUBLISH.apply(Untouched(), [row]) == [0]
