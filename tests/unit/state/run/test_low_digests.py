"""Digests of what chunks want: equal as long as none of their inputs changes."""

import pytest

from salt_g.state.run.low_digests import FOLLOWS, SIZE, LowDigests

LOW = {"state": "file", "fun": "managed", "__id__": "motd", "name": "/etc/motd", "__sls__": "web", "order": 1}


class Minion:
    """A minion's cache and pillar."""

    def __init__(self, tmp_path):
        self.file = tmp_path / "cached"
        self.file.write_text("one")
        self.pillar = {"a": 1}
        self.requests = []

    def cached(self, url, saltenv):
        self.requests.append((url, saltenv))
        return str(self.file)

    def digest(self, **more):
        digests = LowDigests(self.cached, lambda: self.pillar)
        digests.add({**LOW, **more}, 0)
        return digests.take()


@pytest.fixture
def minion(tmp_path):
    return Minion(tmp_path)


def test_equal_chunks_have_equal_digests(minion):
    assert minion.digest(contents={"b": 1, "a": 2}) == minion.digest(contents={"a": 2, "b": 1}, order=7)
    assert len(minion.digest()) == SIZE


@pytest.mark.parametrize("change", [{"mode": "0600"}, {"name": "/x"}, {"fun": "absent"}, {"__id__": "y"}])
def test_another_chunk_has_another_digest(minion, change):
    assert minion.digest(**change) != minion.digest()


def test_the_content_of_a_source_counts(minion):
    before = minion.digest(source=["salt://motd", "/local"], __env__="dev")
    assert minion.requests == [("salt://motd", "dev")]

    minion.file.write_text("two")

    assert minion.digest(source=["salt://motd", "/local"], __env__="dev") != before


def test_pillar_counts_where_it_is_read(minion):
    with_template, plain = minion.digest(template="jinja"), minion.digest()
    minion.pillar = {"a": 2}

    assert minion.digest(template="jinja") != with_template
    assert minion.digest() == plain


@pytest.mark.parametrize(
    "low", [{"onchanges": [{"file": "x"}]}, {"prereq": []}, {"__id__": "listener_nginx"}]
)
def test_a_chunk_that_follows_from_others_is_marked(minion, low):
    assert minion.digest(**low) == FOLLOWS


def test_a_watch_that_fired_is_marked():
    digests = LowDigests(lambda url, saltenv: "", dict)
    digests.add(LOW, 0, has_fired=True)

    assert digests.take() == FOLLOWS


def test_digests_are_in_the_order_of_numbers(minion):
    digests = LowDigests(minion.cached, dict)
    digests.add(LOW, 2)
    digests.add(LOW, -1)

    assert digests.take() == bytes(2 * SIZE) + minion.digest()
    assert LowDigests(minion.cached, dict).take() == b""


def test_values_of_any_kind_and_files_that_cannot_be_read_do_no_harm(minion):
    minion.file.unlink()

    assert minion.digest(source="salt://gone", x={1: object, None: [b"\xff", 1.5, None, (1, 2)]})
