"""Grouping of file requests."""

import pytest

from salt_g.files.bulk_requests import MOST_BYTES, MOST_PATHS, SMALL_FILE, BulkRequests


class Master:
    """A fake master that answers each request with `reply` and records the paths."""

    def __init__(self, reply=None):
        self.reply = reply
        self.requests = []
        self.ahead = []

    def ask_ahead(self, load, *, binary=()):
        self.ahead.append(load["paths"])
        return lambda: self.reply

    def ask_own(self, load, *, binary=()):
        self.requests.append((load["cmd"], load["paths"]))
        return self.reply


def _copy_of(path, saltenv):
    return f"/cache/{saltenv}/{path}"


@pytest.fixture
def names():
    return [f"{number:03}" for number in range(MOST_PATHS + 10)]


def test_a_file_brings_those_after_it_along(names):
    master = Master()
    bulk = BulkRequests(master)

    with bulk.announced(names, "base", _copy_of):
        bulk.describe("005", "base", now=0)
        bulk.describe(names[-3], "base", now=0)

    assert master.requests == [("_file_hashes", names[5 : MOST_PATHS + 5]), ("_file_hashes", names[-3:])]


def test_an_unannounced_or_last_file_is_left_to_the_caller(names):
    master = Master()
    bulk = BulkRequests(master)

    with bulk.announced(names, "base", _copy_of):
        assert bulk.describe("other", "base", now=0)[1] == {}
        assert bulk.describe("005", "dev", now=0)[1] == {}
        assert bulk.describe(names[-1], "base", now=0)[1] == {}
    assert bulk.describe("005", "base", now=0)[1] == {}
    assert master.requests == []


def test_two_states_at_once_have_their_own_files():
    master = Master()
    bulk = BulkRequests(master)

    first = bulk.announced(["a", "b"], "base", _copy_of)
    with first, bulk.announced(["c", "d"], "base", _copy_of):
        bulk.describe("a", "base", now=0)
        bulk.describe("c", "base", now=0)

    assert [paths for _, paths in master.requests] == [["a", "b"], ["c", "d"]]


def test_contents_are_those_of_small_missing_files(names):
    sizes = {"000": 1, "001": None, "002": SMALL_FILE + 1, "003": SMALL_FILE}
    master = Master({"data": b"xyz", "sizes": [1, -1, 2]})
    bulk = BulkRequests(master)

    with bulk.announced(names[:6], "base", _copy_of):
        found = bulk.fetch("000", "base", lambda path, copy: sizes.get(path, len(copy)))

    assert master.requests == [("_serve_files", ["000", "003", "004", "005"])]
    assert found == {"000": b"x", "004": b"yz"}


def test_a_request_for_contents_has_a_limit(names):
    master = Master()
    bulk = BulkRequests(master)

    with bulk.announced(names, "base", _copy_of):
        bulk.fetch("000", "base", lambda path, copy: SMALL_FILE)

    assert len(master.requests[0][1]) == MOST_BYTES // SMALL_FILE


def test_a_long_file_is_fetched_alone(names):
    master = Master()
    bulk = BulkRequests(master)

    with bulk.announced(names, "base", _copy_of):
        assert bulk.fetch("000", "base", lambda path, copy: SMALL_FILE * 2 if path == "000" else 1) == {}

    assert master.requests == []


def test_the_next_descriptions_are_requested_ahead_of_a_quick_caller(names):
    master = Master({"hash_type": "md5", "files": [["a", None]] * 4})
    bulk = BulkRequests(master)

    with bulk.announced(names, "base", _copy_of):
        found = [bulk.describe(names[number], "base", now=number / 20) for number in (0, 4, 8)]

    assert master.requests == [
        ("_file_hashes", names[:MOST_PATHS]),
        ("_file_hashes", names[4 : MOST_PATHS + 4]),
    ]
    assert [paths[0] for paths in master.ahead] == ["008", "012"]
    # As old as their request.
    assert [(requested_at, list(descriptions)) for requested_at, descriptions in found] == [
        (0, names[:4]),
        (0.2, names[4:8]),
        (0.2, names[8:12]),
    ]


def test_a_slow_caller_gets_fresh_descriptions(names):
    master = Master({"hash_type": "md5", "files": [["a", None]] * 4})
    bulk = BulkRequests(master)

    with bulk.announced(names, "base", _copy_of):
        for now, path in enumerate(["000", "004", "008"]):
            assert bulk.describe(path, "base", now=now)[0] == now

    assert master.ahead == []


def test_a_request_ahead_for_other_files_is_not_used(names):
    master = Master({"hash_type": "md5", "files": [["a", None]] * 4})
    bulk = BulkRequests(master)

    with bulk.announced(names, "base", _copy_of):
        for path in ("000", "004", "100"):
            found = bulk.describe(path, "base", now=0)[1]

    assert list(found) == names[100:104]
    assert [paths[0] for _, paths in master.requests] == ["000", "004", "100"]
