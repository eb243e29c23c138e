"""Unsolicited returns, and the limit on their number."""

from salt_g.master.returns.unsolicited_returns import BANK, LARGEST, PLACES, UnsolicitedReturns


class FakeBanks:
    """Banks in memory."""

    def __init__(self):
        self.kept = {}

    def store(self, bank, key, data, expires=None):
        assert bank == BANK and expires
        self.kept[key] = data


def test_a_flood_of_one_minion_fills_its_own_places_only():
    banks = FakeBanks()
    unsolicited_returns = UnsolicitedReturns(banks)

    unsolicited_returns.keep({"id": "m2", "jid": "first", "return": 1})
    for number in range(1000):
        unsolicited_returns.keep({"id": "m1", "jid": str(number), "return": 1})

    kept = [load for load in banks.kept.values() if load["id"] == "m1"]
    assert len(kept) == PLACES and max(int(load["jid"]) for load in kept) == 999
    assert banks.kept["m2/0"]["jid"] == "first"


def test_a_large_one_is_not_kept():
    banks = FakeBanks()

    assert not UnsolicitedReturns(banks).keep({"id": "m1", "jid": "1", "return": "x" * LARGEST})
    assert banks.kept == {}
