"""Cached lists of minions' functions."""

from salt_g.http_api.known.function_lists import KEPT, MOST, FunctionLists


class Minion:
    """Minion that counts its requests."""

    def __init__(self, *names):
        self.names = names
        self.request_count = 0

    def __call__(self, word):
        self.request_count += 1
        return {name: {"name": name} for name in self.names if name.startswith(word)}


def test_longer_words_are_answered_from_the_list_of_a_shorter_one():
    lists, minion = FunctionLists(), Minion("pkg.install", "pkg.info", "pkg.version")

    for word in ("pkg.", "pkg.i", "pkg.in", "pkg.ins"):
        found = lists.get("m1", "1", word, lambda word=word: minion(word))
        assert list(found) == [name for name in minion.names if name.startswith(word)]
    assert minion.request_count == 1


def test_each_minion_and_each_version_is_asked():
    lists, minion = FunctionLists(), Minion("test.ping")

    for id, version in [("m1", "1"), ("m2", "1"), ("m1", "2"), ("m1", "2")]:
        assert lists.get(id, version, "test", lambda: minion("test"))
    assert minion.request_count == 3


def test_a_list_grows_old():
    now = [0.0]
    lists, minion = FunctionLists(clock=lambda: now[0]), Minion("test.ping")
    lists.get("m1", "1", "test", lambda: minion("test"))
    now[0] = KEPT

    lists.get("m1", "1", "test.p", lambda: minion("test.p"))

    assert minion.request_count == 2
    assert len(lists) == 2


def test_memory_is_bounded_and_what_was_used_last_stays():
    lists, minion = FunctionLists(), Minion("test.ping")
    many = {f"x{number}": {} for number in range(MOST // 4)}
    lists.get("kept", "1", "test", lambda: minion("test"))
    for number in range(20):
        lists.get(f"m{number}", "1", "x", lambda: many)
        lists.get("kept", "1", "test", lambda: minion("test"))
        assert len(lists) <= MOST

    assert minion.request_count == 1
    assert (
        len(lists.get("m99", "1", "x", lambda: {f"x{number}": {} for number in range(MOST + 1)})) == MOST + 1
    )
    assert len(lists) <= MOST
    for number in range(2 * MOST):
        lists.get("m1", "1", f"{number}-", dict)
    assert len(lists) <= MOST


def test_a_minion_that_fails_is_asked_again():
    lists = FunctionLists()

    for _ in range(2):
        try:
            lists.get("m1", "1", "test", lambda: 1 / 0)
        except ZeroDivisionError:
            continue
        raise AssertionError
    assert len(lists) == 0
