import pytest

from salt_g.master.returns.unpublished_returns import OF_ALL, OF_ONE, UnpublishedReturns


class Shelf:
    """Fake store of returns: {(id, jid): size}."""

    def __init__(self, keep_bytes):
        self.kept = {}
        self.own = UnpublishedReturns(keep_bytes, remove=self.remove)

    def add(self, id, jid, size):
        self.kept[id, jid] = size
        self.own.add(id, jid, size)

    def remove(self, id, first, last):
        gone = [place for place in self.kept if place[0] == id and first <= place[1] <= last]
        assert gone
        for place in gone:
            del self.kept[place]

    def held(self, id=None):
        return sum(size for (owner, _), size in self.kept.items() if id in (None, owner))


def jid(number):
    return f"{number:020}"


@pytest.mark.parametrize("size", [1, 10, 700, 6000])
def test_one_minion_keeps_its_share_and_the_newest(size):
    shelf = Shelf(100_000)

    for number in range(20_000 // size + 50):
        shelf.add("m1", jid(number), size)

    assert shelf.held() <= 100_000 * OF_ONE
    assert ("m1", jid(20_000 // size + 49)) in shelf.kept


def test_all_together_keep_their_share_and_the_greediest_loses():
    shelf = Shelf(100_000)
    shelf.add("quiet", jid(0), 100)

    for number in range(1, 2000):
        shelf.add(f"m{number % 50}", jid(number), 500)

    assert shelf.held() <= 100_000 * OF_ALL
    assert ("quiet", jid(0)) in shelf.kept


def test_without_a_limit_everything_is_kept():
    shelf = Shelf(0)

    for number in range(100):
        shelf.add("m1", jid(number), 10**9)

    assert len(shelf.kept) == 100 and shelf.own.fits(10**12)


def test_a_return_larger_than_a_share_does_not_fit():
    assert not Shelf(100_000).own.fits(100_000 // 16 + 1)
    assert Shelf(100_000).own.fits(100_000 // 16)
